// Units raised to the lowest free place.
#include <gtest/gtest.h>

#include "placement_scenes.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

double height_of(const Scene& scene, int unit, LiftOptions options = {}) {
  return lift(scene, poses_of(scene), {unit}, options).heights[0];
}

TEST(Lift, OverWhatItOverlapsAndNoHigher) {
  for (const bool meshes : {false, true}) {
    const auto solid = [&](const Vec3& half) {
      return meshes ? mesh_shape(box_mesh(half)) : box(half.x(), half.y(), half.z());
    };
    Scene scene;
    add_body(scene, halfspace(), {}, false);
    add_body(scene, solid({0.05, 0.05, 0.05}), at(0, 0, 0.05));
    const int unit = add_body(scene, solid({0.05, 0.05, 0.05}), at(0.03, 0, 0.06));
    EXPECT_NEAR(height_of(scene, unit), 0.09, 2.5e-4);
    const int shelf = add_body(scene, solid({0.2, 0.2, 0.01}), at(0, 0, 0.3), false);  // high enough: it goes below
    EXPECT_NEAR(height_of(scene, unit), 0.09, 2.5e-4);
    scene.bodies[shelf].X_WB.p.z() = 0.19;  // and now onto it
    EXPECT_NEAR(height_of(scene, unit), 0.19, 2.5e-4);
  }
}

TEST(Lift, WhatIsFreeStaysExactly) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  const int unit = add_body(scene, sphere(0.05), at(0.3, 0.1, 0.05));
  const Lifting result = lift(scene, poses_of(scene), {unit}, {});
  EXPECT_EQ(result.heights[0], 0.0);
  EXPECT_TRUE(result.shifts[unit] == Vec3::Zero());
}

TEST(Lift, OneAfterTheOtherAndOutOfTheFloor) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  std::vector<int> units;
  for (int k = 0; k < 4; ++k) units.push_back(add_body(scene, box(0.05, 0.05, 0.05), at(0.01 * k, 0, 0)));
  const Lifting result = lift(scene, poses_of(scene), units, {});
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(result.heights[k], 0.05 + 0.1 * k, 5e-4) << k;
  EXPECT_EQ(repairable(evaluate(scene, shifted(poses_of(scene), result.shifts), {})), 0);
}

TEST(Lift, IntoTheWallsAndNotThroughALid) {
  Scene scene;
  const Quat inwards(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitY()));  // its normal is +x
  add_body(scene, halfspace(), {Vec3::Zero(), inwards}, false);
  const int unit = add_body(scene, sphere(0.05), at(0.02, 0, 0.3));
  const Lifting result = lift(scene, poses_of(scene), {unit}, {});
  EXPECT_NEAR(result.shifts[unit].x(), 0.03, 2e-4);
  EXPECT_EQ(result.heights[0], 0.0);
  add_body(scene, halfspace(), {Vec3(0, 0, 0.32), Quat(0, 1, 0, 0)}, false);
  EXPECT_LT(height_of(scene, unit), 0.0);
}

TEST(Lift, LimitsAndMotionsHold) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  const int unit = add_body(scene, sphere(0.05), at(0, 0, 0));
  EXPECT_GT(height_of(scene, unit, {.max_shift = 0.06}), 0.0);
  EXPECT_LT(height_of(scene, unit, {.max_shift = 0.04}), 0.0);
  scene.bodies[unit].motion.translate = Motion::Translate::kAcross;
  EXPECT_LT(height_of(scene, unit), 0.0);
}

TEST(Lift, NeverOverlapsOnRandomScenes) {
  std::mt19937_64 rng(23);
  std::uniform_real_distribution<double> U(-1, 1);
  int raised = 0;
  for (int round = 0; round < 30; ++round) {
    Scene scene;
    add_body(scene, halfspace(), {}, false);
    std::vector<int> units;
    for (int k = 0; k < 14; ++k) {
      const Pose X{0.12 * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)};
      const int id = add_body(scene, random_shape(kAllKinds[rng() % 9], rng), X, k >= 4);
      if (k >= 4) units.push_back(id);
    }
    for (std::size_t g = 0; g < scene.geoms.size(); ++g)  // height fields do not move
      if (scene.shapes[scene.geoms[g].shape].kind == ShapeKind::kHeightField) scene.bodies[g].movable = false;
    std::erase_if(units, [&](int u) { return !scene.bodies[u].movable; });
    const Lifting result = lift(scene, poses_of(scene), units, {});
    for (const double h : result.heights) {
      EXPECT_GE(h, 0.0);
      raised += h > 0.0 ? 1 : 0;
    }
    EXPECT_EQ(repairable(evaluate(scene, shifted(poses_of(scene), result.shifts), {})), 0) << round;
  }
  EXPECT_GT(raised, 100);
}

}  // namespace
}  // namespace s4r::testing
