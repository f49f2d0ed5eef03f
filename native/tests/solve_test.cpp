#include "s4r/solve.h"

#include <gtest/gtest.h>

#include "scenes.h"

namespace s4r::testing {
namespace {

// N tori and boxes in the spawn box of App. A.7 at the given density multiplier.
Scene spawn(int count, std::uint64_t seed, double multiplier = 1.0) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  const double f = multiplier * std::cbrt(count / 40.0);
  Scene scene;
  const Shape ring = mesh_shape(torus(0.035, 0.015));
  const Shape brick = mesh_shape(box_mesh({0.05, 0.03, 0.02}));
  for (int k = 0; k < count; ++k)
    add_body(scene, k % 2 ? ring : brick,
             {Vec3(0.15 * f * U(rng), 0.35 * f * U(rng), 0.15 * f * U(rng)), random_rotation(rng)});
  return scene;
}

void expect_solved(const Scene& scene, const Solution& solution) {
  EXPECT_EQ(to_string(solution.status), std::string("solved")) << solution.reason;
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, solution), {})), 0);
}

TEST(Solve, TwoSpheresPartByTheSameAmount) {
  Scene scene;
  add_body(scene, sphere(1.0), {});
  add_body(scene, sphere(1.0), {Vec3(0.5, 0, 0), Quat::Identity()});
  ReferenceOptions options;
  options.margin = 1e-6;
  const Solution s = solve_reference(scene, options);
  expect_solved(scene, s);
  EXPECT_NEAR((s.shifts[0] + s.shifts[1]).norm(), 0.0, 1e-9);
  EXPECT_NEAR((Vec3(0.5, 0, 0) + s.shifts[1] - s.shifts[0]).norm(), 2.0, 1e-4);
}

TEST(Solve, CubeLiftsOutOfThePlaneWithoutTurning) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  // Cube of 0.1 m standing on a corner, the corner 20 mm below the plane.
  const Quat tilt = Quat::FromTwoVectors(Vec3(1, 1, 1).normalized(), Vec3::UnitZ());
  add_body(scene, box(0.05, 0.05, 0.05), {Vec3(0, 0, 0.05 * std::sqrt(3.0) - 0.020), tilt});
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  EXPECT_NEAR(s.shifts[1].z(), 0.020, 0.0005);
  EXPECT_NEAR(s.shifts[1].head<2>().norm(), 0.0, 1e-9);
}

TEST(Solve, BodyInsideATableLeavesUpwards) {
  Scene scene;
  add_body(scene, box(0.5, 0.5, 0.02), {Vec3(0, 0, 0.4), Quat::Identity()}, false);
  add_body(scene, box(0.04, 0.04, 0.04), {Vec3(0.1, 0.1, 0.405), Quat::Identity()});
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  EXPECT_NEAR(s.shifts[1].z(), 0.055, 0.002);
  EXPECT_LT(s.shifts[1].head<2>().norm(), 0.002);
}

TEST(Solve, PaperScenesOfMeshes) {
  for (const std::uint64_t seed : {42, 123, 456})
    for (const bool scope_all : {true, false}) {
      const Scene scene = spawn(40, seed);
      ReferenceOptions options;
      options.scope_all = scope_all;
      expect_solved(scene, solve_reference(scene, options));
    }
}

TEST(Solve, UntouchedBodiesKeepExactlyZeroShift) {
  Scene scene = spawn(40, 1);
  const int first = static_cast<int>(scene.bodies.size());
  for (int k = 0; k < 200; ++k)
    add_body(scene, sphere(0.04), {Vec3(1.0 + 0.1 * (k % 20), 0.1 * (k / 20), 0), Quat::Identity()});
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  for (std::size_t b = first; b < scene.bodies.size(); ++b) EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << b;
}

TEST(Solve, ThreadCountDoesNotChangeABit) {
  const Scene scene = spawn(100, 7);
  ReferenceOptions options;
  options.threads = 1;
  const Solution one = solve_reference(scene, options);
  options.threads = 2;
  const Solution two = solve_reference(scene, options);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) EXPECT_TRUE(one.shifts[b] == two.shifts[b]) << b;
}

}  // namespace
}  // namespace s4r::testing
