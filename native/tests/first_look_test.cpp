// The first look of the default profile: what is clean costs one query per near pair and is not touched.
#include <gtest/gtest.h>

#include "separation/pair_list.h"
#include "separation/settings.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

// Bodies closer than the range of the list, none closer than `gap`.
Scene crowded(int side, double gap, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  Scene scene;
  add_body(scene, halfspace(), {Vec3(0, 0, -0.06), Quat::Identity()}, false);
  const Shape shapes[] = {mesh_shape(box_mesh({0.05, 0.05, 0.05})),
                          box(0.05, 0.05, 0.05),
                          sphere(0.05),
                          mesh_shape(u_profile(0.05, 0.02, 0.05)),
                          mesh_shape(torus(0.04, 0.01, 12, 6)),
                          {ShapeKind::kCylinder, {0.05, 0.05, 0}, nullptr, nullptr}};
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        add_body(scene, shapes[rng() % std::size(shapes)], {(0.1 + gap) * Vec3(x, y, z), Quat::Identity()});
  return scene;
}

long near_pairs(const Scene& scene) {
  const Model model(scene);
  std::vector<UnitPose> p;
  for (const Unit& u : model.units) p.push_back({u.centre});
  const SeparationSettings s;
  std::vector<SeparationPair> pairs;
  rebuild_pairs(model, p, 2.0 * s.slack + 2.0 * s.motion + s.extra + s.margin, 1.0, s.stride, 1, pairs);
  return static_cast<long>(pairs.size());
}

TEST(FirstLook, ACleanSceneCostsOneQueryPerNearPair) {
  for (const double gap : {2e-3, 5e-5, 1e-6}) {  // above the margin and below it
    const Scene scene = crowded(6, gap, 31);
    ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 0);
    const long near = near_pairs(scene);
    ASSERT_GT(near, 500);
    const Solution s = solve_default(scene, {});
    EXPECT_EQ(s.status, SolveStatus::kSolved) << gap;
    EXPECT_EQ(s.initial_overlaps, 0) << gap;
    EXPECT_LE(s.stats.queries, near) << gap;
    EXPECT_LE(s.stats.steps, 3) << gap;
    for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift == Vec3(Vec3::Zero())) << gap;
  }
}

TEST(FirstLook, OneConflictLeavesTheCrowdAlone) {
  Scene scene = crowded(6, 1e-3, 32);
  const long near = near_pairs(scene);
  const int bystanders = static_cast<int>(scene.bodies.size());
  add_body(scene, sphere(0.05), {Vec3(3, 0, 0), Quat::Identity()});
  add_body(scene, sphere(0.05), {Vec3(3.08, 0, 0), Quat::Identity()});
  const Solution s = solve_default(scene, {});
  EXPECT_EQ(s.status, SolveStatus::kSolved);
  EXPECT_LE(s.stats.queries, near + 10 * s.stats.steps);
  for (int b = 0; b < bystanders; ++b) EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << b;
  EXPECT_GT((s.shifts[bystanders + 1] - s.shifts[bystanders]).norm(), 0.0199);
}

// Faces in a common plane: no overlap to the evaluator, but surfaces whose distance is zero, or less by rounding.
Scene touching_rows(const Shape& cube, double half) {
  Scene scene;
  add_body(scene, cube, {Vec3(0, 0, -2 * half), Quat::Identity()}, false);
  for (int x = 0; x < 4; ++x)
    for (int z = 0; z < 3; ++z) add_body(scene, cube, {2 * half * Vec3(x, 0, z), Quat::Identity()});
  return scene;
}

TEST(FirstLook, CubesThatTouchExactlyKeepTheirPlaceBesideAConflict) {
  for (const double half : {0.05, 0.0625, 0.03, 0.7})
    for (const Shape& cube : {mesh_shape(box_mesh(Vec3::Constant(half))), box(half, half, half)}) {
      Scene scene = touching_rows(cube, half);
      ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 0) << half;
      const int bystanders = static_cast<int>(scene.bodies.size());
      add_body(scene, cube, {half * Vec3(30, 0, 0), Quat::Identity()});
      add_body(scene, cube, {half * Vec3(31.5, 0.1, 0.2), Quat::Identity()});
      const Solution s = solve_default(scene, {});
      EXPECT_EQ(s.status, SolveStatus::kSolved) << half;
      EXPECT_EQ(s.initial_overlaps, 1) << half;
      EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0) << half;
      for (int b = 0; b < bystanders; ++b) EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << half << ", " << b;
    }
}

TEST(FirstLook, WhatRestsExactlyOnAMeshKeepsItsPlace) {
  for (const double half : {0.05, 0.03, 0.0625}) {
    const TriangleMesh cube = box_mesh(Vec3::Constant(half));
    const Shape shapes[] = {sphere(half),
                            box(half, half, half),
                            mesh_shape(cube),
                            mesh_shape(cube, ShapeKind::kConvex),
                            {ShapeKind::kCylinder, {half, half, 0}, nullptr, nullptr},
                            {ShapeKind::kCone, {half, half, 0}, nullptr, nullptr},
                            {ShapeKind::kEllipsoid, Vec3::Constant(half), nullptr, nullptr},
                            {ShapeKind::kCapsule, {0.5 * half, 0.5 * half, 0}, nullptr, nullptr}};
    Scene scene;
    add_body(scene, mesh_shape(box_mesh({2, 2, 0.1})), {Vec3(0, 0, -0.1), Quat::Identity()}, false);
    for (int k = 0; k < static_cast<int>(std::size(shapes)); ++k)
      add_body(scene, shapes[k], {Vec3(-1.1 + 0.3 * k, 0.013 * k, half), Quat::Identity()});
    ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 0) << half;
    const Solution s = solve_default(scene, {});
    EXPECT_EQ(s.initial_overlaps, 0) << half;
    for (std::size_t b = 0; b < s.shifts.size(); ++b)
      EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << half << ", " << b;
  }
}

// Here one cube of the wall is hit itself: the others make room for it to slide, no more.
TEST(FirstLook, AConflictInAWallOfTouchingCubesStaysLocal) {
  for (const double half : {0.05, 0.0625})
    for (const Shape& cube : {mesh_shape(box_mesh(Vec3::Constant(half))), box(half, half, half)}) {
      Scene scene = touching_rows(cube, half);
      const int wall = static_cast<int>(scene.bodies.size()), hit = 3;
      const int ball = add_body(scene, sphere(0.05), {Vec3(0, half + 0.04, 4 * half), Quat::Identity()});
      ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 1);
      const Solution s = solve_default(scene, {});
      EXPECT_EQ(s.status, SolveStatus::kSolved) << s.reason;
      EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
      for (int b = 0; b < wall; ++b) EXPECT_TRUE(b == hit || s.shifts[b].norm() < 0.002) << half << ", " << b;
      EXPECT_LT(s.shifts[hit].norm() + s.shifts[ball].norm(), 0.013) << half;
    }
}

}  // namespace
}  // namespace s4r::testing
