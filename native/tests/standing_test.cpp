// Bodies that have to stand upright on a plane (App. A.11).
#include <gtest/gtest.h>

#include "continuation/limits.h"
#include "geometry/rotation.h"
#include "geometry/support.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

constexpr double kHeight = 0.7;

Shape ring() { return mesh_shape(torus(0.035, 0.015)); }
Shape cylinder(double r, double half) { return {ShapeKind::kCylinder, {r, half, 0}, nullptr, nullptr}; }

// Stands with its z axis along `up`; given tilted by `tilt`, which is horizontal.
int add_standing(Scene& scene, const Shape& shape, const Vec3& p, double yaw, const Vec3& tilt) {
  const int body = add_body(scene, shape, {p, exp_map(tilt) * exp_map(yaw * Vec3::UnitZ())});
  Motion& motion = scene.bodies[body].motion;
  motion.translate = Motion::Translate::kAcross;
  motion.turn = Motion::Turn::kAbout;
  motion.stands = true;
  motion.tilt = tilt;
  motion.height = kHeight;
  return body;
}

enum class Support { kNothing, kPlane, kTable, kMeshTable };

const std::vector<Shape>& things() {
  static const std::vector<Shape> shapes = {ring(), mesh_shape(box_mesh({0.03, 0.05, 0.06})), cylinder(0.03, 0.05),
                                            box(0.04, 0.02, 0.05)};
  return shapes;
}

// Tilted bodies thrown onto a spot of the plane.
Scene tabletop(int count, std::uint64_t seed, Support support, double spread = 0.1,
               const std::vector<Shape>& shapes = things()) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  Scene scene;
  const Pose table{Vec3(0.02, -0.01, kHeight - 0.02), Quat::Identity()};
  if (support == Support::kPlane) add_body(scene, halfspace(), {Vec3(0, 0, kHeight), Quat::Identity()}, false);
  if (support == Support::kTable) add_body(scene, box(0.6, 0.5, 0.02), table, false);
  if (support == Support::kMeshTable) add_body(scene, mesh_shape(box_mesh({0.6, 0.5, 0.02})), table, false);
  for (int k = 0; k < count; ++k) {
    const double direction = 3.2 * U(rng);
    add_standing(scene, shapes[k % shapes.size()], {spread * U(rng), spread * U(rng), kHeight + 0.04 + 0.02 * U(rng)},
                 3.0 * U(rng), (0.6 + 0.15 * U(rng)) * Vec3(std::cos(direction), std::sin(direction), 0));
  }
  return scene;
}

// Largest lean [rad] and distance of the lowest point from the plane [m] of the bodies that stand.
struct Stance {
  double lean = 0.0, off = 0.0, below = 0.0;
};

Stance stance(const Scene& scene, const std::vector<Pose>& poses) {
  Stance s;
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const Motion& motion = scene.bodies[b].motion;
    if (!motion.stands) continue;
    double low = 1e300;
    for (const Geom& g : scene.geoms)
      if (g.body == static_cast<int>(b))
        low = std::min(low, -support(scene.shapes[g.shape], {poses[b].p + poses[b].q * g.X_BG.p, poses[b].q * g.X_BG.q},
                                     -Vec3::UnitZ()));
    s.lean = std::max(s.lean, (poses[b].q * Vec3::UnitZ()).cross(Vec3::UnitZ()).norm());
    s.off = std::max(s.off, std::abs(low - motion.height - kStandingClearance));
    s.below = std::max(s.below, motion.height - low);
  }
  return s;
}

void expect_standing(const Scene& scene, const Solution& s, const std::string& what) {
  EXPECT_EQ(to_string(s.status), std::string("solved")) << what << ": " << s.reason;
  const std::vector<Pose> poses = moved_poses(scene, s);
  EXPECT_EQ(repairable(evaluate(scene, poses, {})), 0) << what;
  const Stance end = stance(scene, poses);
  EXPECT_LT(end.lean, 1e-9) << what;
  EXPECT_LT(end.off, 1e-9) << what;
  EXPECT_LT(end.below, 1e-14) << what;
}

TEST(Standing, TiltedBodiesEndUprightOnTheirPlane) {
  for (const Support support : {Support::kNothing, Support::kPlane, Support::kTable, Support::kMeshTable})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Scene scene = tabletop(12, seed, support);
      EXPECT_GT(repairable(evaluate(scene, poses_of(scene), {})), 0);
      EXPECT_GT(stance(scene, poses_of(scene)).lean, 0.4);
      expect_standing(scene, solve_reference(scene, {}),
                      std::to_string(static_cast<int>(support)) + "/" + std::to_string(seed));
    }
}

TEST(Standing, CrowdsStandToo) {
  for (const std::uint64_t seed : {4, 5}) {
    const Scene scene = tabletop(40, seed, Support::kTable, 0.15);
    ReferenceOptions options;
    options.scope_all = seed == 5;
    expect_standing(scene, solve_reference(scene, options), std::to_string(seed));
  }
}

TEST(Standing, ScenerySetsThemAside) {
  Scene scene = tabletop(6, 6, Support::kTable);
  add_body(scene, box(0.05, 0.05, 0.2), {Vec3(0.03, 0.02, kHeight + 0.2), Quat::Identity()}, false);
  add_body(scene, halfspace(), {Vec3(-0.25, 0, 0), Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())}, false);
  expect_standing(scene, solve_reference(scene, {}), "pillar and wall");
}

// A room in one mesh: its top is not where they stand.
TEST(Standing, FloorAndWallsOfOneMesh) {
  Scene scene;
  TriangleMesh room;
  const double half = 0.3, floor = kHeight - 0.01;
  const auto add = [&](const Vec3& lo, const Vec3& hi) {
    const int first = static_cast<int>(room.vertices.size());
    const TriangleMesh part = box_mesh(0.5 * (hi - lo));
    for (const Vec3& v : part.vertices) room.vertices.push_back(v + 0.5 * (hi + lo));
    for (const auto& t : part.triangles) room.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  };
  add({-half, -half, floor - 0.05}, {half, half, kHeight});
  add({half + 0.001, -half, floor}, {half + 0.05, half, kHeight + 0.3});
  add_body(scene, mesh_shape(room), {}, false);
  const Vec3 tilt(0.3, 0.2, 0.0);
  add_standing(scene, cylinder(0.04, 0.05), {half - 0.02, 0, kHeight + 0.05}, 0.0, tilt);
  add_standing(scene, ring(), {half - 0.06, 0.02, kHeight + 0.02}, 0.0, tilt);
  expect_standing(scene, solve_reference(scene, {}), "room");
}

TEST(Standing, YawMayStayFixed) {
  Scene scene = tabletop(8, 7, Support::kTable);
  for (Body& b : scene.bodies) b.motion.turn = Motion::Turn::kNone;
  const Solution s = solve_reference(scene, {});
  expect_standing(scene, s, "yaw fixed");
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Motion& m = scene.bodies[b].motion;
    if (m.stands) {
      EXPECT_LT(angle_of(s.turns[b] * exp_map(m.tilt)), 1e-9) << b;
    }
  }
}

TEST(Standing, AnUprightSceneWithoutOverlapIsNotTouched) {
  Scene scene;
  add_body(scene, box(0.6, 0.5, 0.02), {Vec3(0, 0, kHeight - 0.02), Quat::Identity()}, false);
  for (int k = 0; k < 4; ++k)
    add_standing(scene, cylinder(0.03, 0.05), {0.1 * k, 0, kHeight + 0.05}, 0.3, Vec3::Zero());
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(to_string(s.status), std::string("solved"));
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    EXPECT_TRUE(s.shifts[b].isZero(0.0) && is_identity(s.turns[b])) << b;
}

// Turning and shifting the scene within the plane turns and shifts the solution. Round bodies only: where faces lie
// flat on each other any point of them is a witness, and rounding chooses.
TEST(Standing, SolutionTurnsWithTheScene) {
  const std::vector<Shape> round = {{ShapeKind::kEllipsoid, {0.03, 0.04, 0.05}, nullptr, nullptr},
                                    cylinder(0.03, 0.05),
                                    {ShapeKind::kCapsule, {0.02, 0.04, 0}, nullptr, nullptr}};
  const Scene scene = tabletop(10, 8, Support::kTable, 0.1, round);
  const Solution s = solve_reference(scene, {});
  expect_standing(scene, s, "input");
  const std::vector<Pose> poses = moved_poses(scene, s);
  for (const double angle : {0.4, 2.0, -1.1}) {
    const Quat q = exp_map(angle * Vec3::UnitZ());
    const Vec3 p(3.0, -5.0, 0.0);
    Scene turned = scene;
    for (Body& b : turned.bodies) {
      b.X_WB = {q * b.X_WB.p + p, q * b.X_WB.q};
      b.motion.tilt = q * b.motion.tilt;
    }
    const std::vector<Pose> there = moved_poses(turned, solve_reference(turned, {}));
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      EXPECT_LT((q * poses[b].p + p - there[b].p).norm(), 1e-6) << angle << " " << b;
      EXPECT_LT(angle_of(q * poses[b].q * there[b].q.conjugate()), 1e-6) << angle << " " << b;
    }
  }
}

TEST(Standing, UpNeedNotBeZ) {
  Scene scene = tabletop(8, 9, Support::kTable);
  const Quat q = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3(0.3, 1.0, -0.2).normalized());
  scene.up = q * Vec3::UnitZ();
  for (Body& b : scene.bodies) {
    b.X_WB = {q * b.X_WB.p, q * b.X_WB.q};
    b.motion.translate_axis = b.motion.turn_axis = scene.up;
    b.motion.tilt = q * b.motion.tilt;
  }
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(to_string(s.status), std::string("solved")) << s.reason;
  std::vector<Pose> poses = moved_poses(scene, s);
  EXPECT_EQ(repairable(evaluate(scene, poses, {})), 0);
  for (Pose& X : poses) X = {q.conjugate() * X.p, q.conjugate() * X.q};
  const Stance end = stance(scene, poses);
  EXPECT_LT(end.lean, 1e-9);
  EXPECT_LT(end.off, 1e-9);
}

TEST(Standing, ThreadCountDoesNotChangeABit) {
  const Scene scene = tabletop(20, 10, Support::kMeshTable);
  ReferenceOptions options;
  options.threads = 1;
  const Solution one = solve_reference(scene, options);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const Solution many = solve_reference(scene, options);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      EXPECT_TRUE(one.shifts[b] == many.shifts[b] && one.turns[b].coeffs() == many.turns[b].coeffs()) << b;
  }
}

TEST(Standing, LimitsHoldForTheFinalPose) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Scene scene = tabletop(12, seed, Support::kTable);
    ReferenceOptions options;
    options.max_shift = 0.1;
    options.max_turn = 0.8;
    const Solution s = solve_reference(scene, options);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      EXPECT_LE(s.shifts[b].norm(), 0.1 * (1.0 + 1e-12)) << b;
      EXPECT_LE(angle_of(s.turns[b]), 0.8 * (1.0 + 1e-12)) << b;
    }
    const Stance end = stance(scene, moved_poses(scene, s));
    EXPECT_LT(end.lean, 1e-9);
    EXPECT_LT(end.off, 1e-9);
  }
}

TEST(Standing, ATiltBeyondTheLimitIsInfeasibleAndStays) {
  Scene scene = tabletop(3, 11, Support::kTable);
  add_standing(scene, cylinder(0.03, 0.05), {0.4, 0.3, kHeight + 0.06}, 0.0, Vec3(1.2, 0, 0));
  ReferenceOptions options;
  options.max_turn = 0.9;
  const Solution s = solve_reference(scene, options);
  EXPECT_EQ(to_string(s.status), std::string("container-infeasible"));
  EXPECT_NE(s.reason.find("{geom:4}"), std::string::npos) << s.reason;
  EXPECT_TRUE(s.shifts[4].isZero(0.0) && is_identity(s.turns[4]));
}

// A stool and a ball below its seat: no direction in the plane is normal to their contact.
TEST(Standing, OneUnderAnother) {
  Scene scene;
  add_body(scene, halfspace(), {Vec3(0, 0, kHeight), Quat::Identity()}, false);
  const int stool = add_standing(scene, box(0.06, 0.06, 0.005), {0, 0, kHeight + 0.05}, 0.0, Vec3::Zero());
  for (const double x : {-0.055, 0.055}) {
    Geom leg;
    leg.body = stool;
    leg.shape = static_cast<int>(scene.shapes.size());
    leg.X_BG.p = Vec3(x, 0, -0.025);
    scene.shapes.push_back(box(0.005, 0.06, 0.025));
    scene.geoms.push_back(leg);
  }
  add_standing(scene, sphere(0.03), {0.01, 0.005, kHeight + 0.03}, 0.0, Vec3::Zero());
  const Solution s = solve_reference(scene, {});
  expect_standing(scene, s, "stool");
}

}  // namespace
}  // namespace s4r::testing
