// The last stage of the default profile: who need not have moved goes back, bit for bit, and nobody else.
#include "separation/snap_back.h"

#include <gtest/gtest.h>

#include "mesh_families.h"

namespace s4r::testing {
namespace {

constexpr double kMargin = 1e-4;

// Spheres of radius 0.05, so that the internal unit is a metre, and what else a test adds before `start`.
struct Stage {
  Scene scene;
  SeparationSettings settings;
  std::unique_ptr<Model> model;
  std::unique_ptr<SeparationAssets> assets;
  std::unique_ptr<PairUpdate> update;
  std::vector<SeparationPair> pairs;
  std::vector<UnitPose> start, poses;
  std::vector<char> moved;

  int ball(const Vec3& at) { return add_body(scene, sphere(0.05), {at, Quat::Identity()}); }

  // The input has been looked at.
  void look() {
    model = std::make_unique<Model>(scene);
    assets = std::make_unique<SeparationAssets>(*model);
    update = std::make_unique<PairUpdate>(*model, *assets, settings);
    for (const Unit& u : model->units) start.push_back({u.centre});
    poses = start;
    moved.assign(poses.size(), 0);
    rebuild();
    for (SeparationPair& pair : pairs) update->look(pair, relative(pose(pair.geom_a), pose(pair.geom_b)));
  }
  void rebuild() { rebuild_pairs(*model, poses, 0.03, 1.0, 0.3, 1, pairs); }
  UnitPose pose(int geom) const {
    const int unit = model->geoms[geom].unit;
    return unit < 0 ? UnitPose{model->geoms[geom].offset} : poses[unit];
  }
  std::vector<Vec3> centres() const {
    std::vector<Vec3> p;
    for (const UnitPose& pose : poses) p.push_back(pose.p);
    return p;
  }
  int unit(int body) const { return model->unit_of_body[body]; }
  void move(int body, const Vec3& by) {
    poses[unit(body)].p += by;
    moved[unit(body)] = 1;
  }
  int snap() { return snap_back(*model, *update, pairs, kMargin, start, poses, moved); }
  bool is_back(int body) const { return moved[unit(body)] == 0 && poses[unit(body)].p == start[unit(body)].p; }
};

TEST(SnapBack, WhoNeedNotHaveMovedGoesBackExactly) {
  Stage s;
  const int left = s.ball({0.01, 0.7, 0.3}), right = s.ball({0.07, 0.7, 0.3});  // 40 mm in one another
  const int free = s.ball({1.3, 0.1, 0.2}), unmoved = s.ball({0.3, -0.9, 0.1});
  s.look();
  s.move(left, {-0.0401, 0, 0});  // all the way, and right moved too
  s.move(right, {0.011, 0.002, 0});
  s.move(free, {0.007, 0.003, -0.001});
  s.rebuild();
  const std::vector<Vec3> before = s.centres();
  EXPECT_EQ(s.snap(), 2);
  EXPECT_TRUE(s.is_back(right));
  EXPECT_TRUE(s.is_back(free));
  EXPECT_TRUE(s.is_back(unmoved));
  EXPECT_EQ(s.moved[s.unit(left)], 1) << "it would meet what has not gone back yet";
  EXPECT_TRUE(s.poses[s.unit(left)].p == before[s.unit(left)]);
}

TEST(SnapBack, WhoWouldCollideAtItsStartStays) {
  Stage s;
  const int guest = s.ball({0, 0, 0}), host = s.ball({0.2, 0, 0});
  const int close = s.ball({0, 1, 0}), visitor = s.ball({0.2, 1, 0});
  s.look();
  s.move(guest, {0, 0.2, 0});
  s.poses[s.unit(host)].p = s.start[s.unit(guest)].p + Vec3(0.08, 0, 0);  // 20 mm in where the guest was
  s.move(close, {-0.05, 0, 0});
  s.poses[s.unit(visitor)].p =
      s.start[s.unit(close)].p + Vec3(0.1 + 0.5 * kMargin, 0, 0);  // apart, but not by the margin
  s.rebuild();
  const std::vector<Vec3> before = s.centres();
  EXPECT_EQ(s.snap(), 0);
  EXPECT_TRUE(s.centres() == before);
  EXPECT_EQ(s.moved[s.unit(guest)] + s.moved[s.unit(close)], 2);
}

// Each is moved by `away` from things it was closer to than the margin.
int resting_back(const Vec3& away, bool on_mesh, int& count) {
  Stage s;
  const double gap = 0.2 * kMargin;
  if (on_mesh)
    add_body(s.scene, mesh_shape(box_mesh({2, 2, 0.05})), {Vec3(0, 0, -0.05), Quat::Identity()}, false);
  else
    add_body(s.scene, halfspace(), {}, false);
  const int lone = s.ball({0, 1, 0.05 + gap}), neighbour = s.ball({0, 0, 0.05 + gap});
  const int second = s.ball({0.1 + gap, 0, 0.05 + gap}), third = s.ball({-0.1 - gap, 0, 0.05 + gap});
  s.look();
  for (const int body : {lone, neighbour}) s.move(body, away);
  s.rebuild();
  count = s.snap();
  for (const int body : {second, third}) EXPECT_TRUE(s.is_back(body));
  return (s.is_back(lone) ? 1 : 0) + (s.is_back(neighbour) ? 1 : 0);
}

TEST(SnapBack, RestingContactsCloserThanTheMarginAreGoneBackTo) {
  for (const bool on_mesh : {false, true})
    for (const double height : {1e-3, 0.02, 0.2, 5.0}) {
      int count = 0;
      EXPECT_EQ(resting_back({0, 0, height}, on_mesh, count), 2) << on_mesh << ", " << height;
      EXPECT_EQ(count, 2);
    }
}

// Faces in a common plane, as engines leave boxes that rest.
TEST(SnapBack, MeshesThatTouchExactlyAreGoneBackTo) {
  for (const double height : {0.01, 1.0}) {
    Stage s;
    const Shape cube = mesh_shape(box_mesh({0.0625, 0.0625, 0.0625}));
    add_body(s.scene, cube, {Vec3(0, 0, -0.125), Quat::Identity()}, false);
    const int lower = add_body(s.scene, cube, {});
    const int upper = add_body(s.scene, cube, {Vec3(0, 0, 0.125), Quat::Identity()});
    ASSERT_EQ(repairable(evaluate(s.scene, poses_of(s.scene), {})), 0);
    s.look();
    s.move(lower, {0, height, 0});
    s.move(upper, {0, 0, height});
    s.rebuild();
    EXPECT_EQ(s.snap(), 2) << height;
    EXPECT_TRUE(s.is_back(lower) && s.is_back(upper)) << height;
  }
}

TEST(SnapBack, OneThatKeepsAnotherAwayBlocksItInAscendingOrder) {
  Stage s;
  const int first = s.ball({0, 0, 0}), second = s.ball({0.06, 0, 0});
  s.look();
  s.move(first, {-1, 0, 0});
  s.move(second, {1, 0, 0});
  s.rebuild();
  EXPECT_EQ(s.snap(), 1);
  EXPECT_TRUE(s.is_back(first));
  EXPECT_FALSE(s.is_back(second));
}

}  // namespace
}  // namespace s4r::testing
