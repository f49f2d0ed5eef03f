// What rested is put back, and nothing else happens.
#include <gtest/gtest.h>

#include "placement_scenes.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

// A floor and `count` boxes of 0.1 m on it, 0.2 mm apart.
Scene stack(int count) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  for (int k = 0; k < count; ++k) add_body(scene, box(0.05, 0.05, 0.05), at(0, 0, 0.05 + 2e-4 + 0.1002 * k));
  return scene;
}

Settlement run(const Scene& scene, const std::vector<Vec3>& moves, SettleOptions options = {}) {
  return settle(scene, poses_of(scene), shifted(poses_of(scene), moves), options);
}

std::vector<Vec3> still(const Scene& scene) { return std::vector<Vec3>(scene.bodies.size(), Vec3::Zero()); }

TEST(Settle, NothingMovedNothingHappens) {
  const Scene scene = stack(3);
  const Settlement s = run(scene, still(scene));
  EXPECT_EQ(kept(s), 3);
  for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift == Vec3::Zero());
}

TEST(Settle, ARaisedBoxComesDownAndTakesTheOthersAlong) {
  const Scene scene = stack(3);
  std::vector<Vec3> moves = still(scene);
  for (int k = 1; k <= 3; ++k) moves[k] = {0.01, 0, 0.04 * k};
  const Settlement s = run(scene, moves);
  EXPECT_EQ(kept(s), 3);
  const auto X = shifted(shifted(poses_of(scene), moves), s.shifts);
  for (int k = 1; k <= 3; ++k) {
    EXPECT_EQ(s.shifts[k].head<2>(), Eigen::Vector2d::Zero());
    EXPECT_NEAR(X[k].p.z(), 0.05 + 0.1 * (k - 1), 4e-4 * k);
  }
  EXPECT_EQ(repairable(evaluate(scene, X, {})), 0);
}

TEST(Settle, WhatStoodOnABoxPulledAwayRidesAlong) {
  const Scene scene = stack(3);
  std::vector<Vec3> moves = still(scene);
  moves[1] = {0.07, 0.01, 0};  // the centre of the second is no longer above it
  const Settlement s = run(scene, moves);
  EXPECT_EQ(kept(s), 3);
  for (const int k : {2, 3}) EXPECT_NEAR((s.shifts[k] - moves[1]).norm(), 0.0, 3e-4) << k;
  EXPECT_EQ(repairable(evaluate(scene, shifted(shifted(poses_of(scene), moves), s.shifts), {})), 0);
  moves[1] = {0.02, 0, 0};  // here it is
  for (const Vec3& shift : run(scene, moves).shifts) EXPECT_TRUE(shift == Vec3::Zero());
}

TEST(Settle, OneThatTurnedTakesAlongWhatStandsOnIt) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, box(0.3, 0.05, 0.05), at(0, 0, 0.0501));
  add_body(scene, sphere(0.02), at(0.25, 0, 0.1203));
  auto X = poses_of(scene);
  X[1].q = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitZ()));
  const Settlement s = settle(scene, poses_of(scene), X, {});
  EXPECT_EQ(kept(s), 2);
  EXPECT_NEAR((s.shifts[2] - Vec3(-0.25, 0.25, 0)).norm(), 0.0, 6e-4);
}

TEST(Settle, WithoutAPlaceOnItsSupporterItIsLoweredAndTheSupportIsLost) {
  Scene scene = stack(1);
  const int shelf = add_body(scene, box(0.1, 0.1, 0.05), at(1, 0, 0.0502), false);
  const int cup_id = add_body(scene, mesh_shape(cup()), at(1, 0, 0.1004));
  std::vector<Vec3> moves = still(scene);
  moves[cup_id] = {0.2, 0, 0};  // off the shelf; where it was something else stands by now
  const int guest = add_body(scene, sphere(0.04), at(1, 0, 0.4));
  moves.push_back({0, 0, -0.26});
  const Settlement s = run(scene, moves);
  EXPECT_EQ(who(s.supports), (Pairs{{1, 0}, {cup_id, shelf}}));
  EXPECT_EQ(s.kept, (std::vector<char>{1, 0}));
  EXPECT_NEAR(s.shifts[cup_id].z(), -0.1004, 3e-4);  // to the floor, closer than its own size
  EXPECT_TRUE(s.shifts[guest] == Vec3::Zero()) << "did not rest";
}

// Soft contacts of an engine leave the boxes of a stack in one another.
TEST(Settle, WhatSankIsRaisedOutOfItsSupporter) {
  for (const bool meshes : {false, true}) {
    Scene scene;
    add_body(scene, halfspace(), {}, false);
    for (int k = 0; k < 4; ++k)
      add_body(scene, meshes ? mesh_shape(box_mesh({0.05, 0.05, 0.05})) : box(0.05, 0.05, 0.05),
               at(0, 0, 0.05 + 0.1 * k - 4e-4 * (k + 1)));
    ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 4);
    const Settlement s = run(scene, still(scene));
    EXPECT_EQ(kept(s), 4);
    EXPECT_EQ(repairable(evaluate(scene, shifted(poses_of(scene), s.shifts), {})), 0);
    for (int k = 1; k <= 4; ++k) EXPECT_NEAR(s.shifts[k].z(), k * (4e-4 + 1e-4), 1e-6) << k;
    for (const Vec3& shift : run(scene, still(scene), {.overlap_tolerance = 5e-4}).shifts)
      EXPECT_TRUE(shift == Vec3::Zero()) << "it counts as touching";
  }
}

TEST(Settle, MotionsAndLimitsHold) {
  const std::vector<Vec3> raised{Vec3::Zero(), Vec3(0, 0, 0.03)};
  Scene scene = stack(1);
  EXPECT_EQ(kept(run(scene, raised)), 1);
  EXPECT_EQ(kept(run(scene, raised, {.max_shift = 0.05})), 1);
  Scene far = stack(2);
  EXPECT_EQ(kept(run(far, {Vec3::Zero(), Vec3(0.15, 0, 0), Vec3::Zero()}, {.max_shift = 0.05})), 1);
  scene.bodies[1].motion.translate = Motion::Translate::kAcross;
  Settlement s = run(scene, raised);
  EXPECT_EQ(kept(s), 0);
  EXPECT_TRUE(s.shifts[1] == Vec3::Zero());
  scene.bodies[1].motion.translate = Motion::Translate::kAlong;
  EXPECT_EQ(kept(run(scene, raised)), 1);
}

// The stick in the cup cannot come along, so the cup does not either.
TEST(Settle, ATowerThatDoesNotFitStaysWhereItIs) {
  for (const bool blocked : {false, true}) {
    Scene scene = stack(1);
    const int cup_id = add_body(scene, mesh_shape(cup()), at(0, 0, 0.1004));
    const int stick = add_body(scene, box(0.018, 0.018, 0.1), at(0, 0, 0.2066));
    if (blocked) add_body(scene, box(0.05, 0.05, 0.01), at(0.1, 0, 0.28), false);
    std::vector<Vec3> moves = still(scene);
    moves[1] = {0.055, 0, 0};
    const Settlement s = run(scene, moves);
    ASSERT_EQ(who(s.supports), (Pairs{{1, 0}, {cup_id, 1}, {stick, cup_id}}));
    for (const int unit : {cup_id, stick}) {
      if (blocked)
        EXPECT_TRUE(s.shifts[unit] == Vec3::Zero());
      else
        EXPECT_NEAR(s.shifts[unit].x(), 0.055, 1e-9);
    }
  }
}

TEST(Settle, ABowlComesBackIntoItsBowl) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  const int big = add_body(scene, mesh_shape(bowl(0.1, 0.09)), at(0, 0, 1e-4));
  const int small = add_body(scene, mesh_shape(bowl(0.08, 0.07)), at(0, 0, 0.0102));
  std::vector<Vec3> moves = still(scene);
  moves[big] = {0.05, 0.02, 0};
  moves[small] = {0, 0, 0.2};
  const Settlement s = run(scene, moves);
  EXPECT_EQ(kept(s), 2);
  EXPECT_NEAR((s.shifts[small] - Vec3(0.05, 0.02, -0.2)).norm(), 0.0, 3e-4);
}

// Random heaps, randomly pulled apart.
TEST(Settle, NeverAnotherOverlapAndTheSameBitsForAnyThreads) {
  std::mt19937_64 rng(17);
  std::uniform_real_distribution<double> U(-1, 1);
  int moved = 0, carried = 0, held = 0;
  for (int round = 0; round < 40; ++round) {
    Scene scene;
    add_body(scene, halfspace(), {}, false);
    for (int k = 0; k < 12; ++k) {
      const Shape shape = random_shape(kAllKinds[rng() % 9 == 6 ? 0 : rng() % 6], rng);
      const int id = add_body(scene, k % 3 == 0 ? random_shape(ShapeKind::kMesh, rng) : shape,
                              {Vec3::Zero(), random_rotation(rng)});
      scene.bodies[id].X_WB.p = {0.15 * U(rng), 0.15 * U(rng), 0.1 + 0.4 * (k / 4)};
    }
    // Dropped one by one, lower ones first: supports by construction.
    auto X = poses_of(scene);
    const Lifting free = lift(scene, X, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {});
    X = shifted(X, free.shifts);
    auto after = X;
    for (std::size_t b = 1; b < after.size(); ++b)
      if (rng() % 2) after[b].p += Vec3(0.03 * U(rng), 0.03 * U(rng), 0.05 * std::abs(U(rng)));
    const auto pairs = [&](const std::vector<Pose>& poses) { return Evaluator(scene).repairable_pairs(poses, {}); };
    const Settlement s = settle(scene, X, after, {.threads = 1});
    const auto before = pairs(after), now = pairs(shifted(after, s.shifts));
    EXPECT_TRUE(std::includes(before.begin(), before.end(), now.begin(), now.end())) << round;
    const Settlement other = settle(scene, X, after, {.threads = 4});
    EXPECT_EQ(other.kept, s.kept);
    for (std::size_t b = 0; b < s.shifts.size(); ++b) {
      EXPECT_TRUE(other.shifts[b] == s.shifts[b]);
      const bool rested = std::any_of(s.supports.begin(), s.supports.end(),
                                      [&](const Support& x) { return x.body == static_cast<int>(b); });
      EXPECT_TRUE(rested || s.shifts[b] == Vec3::Zero());
      moved += s.shifts[b] == Vec3::Zero() ? 0 : 1;
    }
    carried += static_cast<int>(s.supports.size());
    held += kept(s);
  }
  EXPECT_GT(moved, 20);
  EXPECT_GT(carried, 60);
  EXPECT_GT(held, carried / 2);
}

}  // namespace
}  // namespace s4r::testing
