// What counts as resting.
#include <gtest/gtest.h>

#include "placement_scenes.h"

namespace s4r::testing {
namespace {

Pairs supports(const Scene& scene, int threads = 1) {
  return who(find_supports(scene, poses_of(scene), kRest, threads));
}

// A box on a slab, with `gap` between them (negative: depth).
Pairs box_over_slab(double gap, bool meshes) {
  Scene scene;
  const auto solid = [&](const Vec3& half) {
    return meshes ? mesh_shape(box_mesh(half)) : box(half.x(), half.y(), half.z());
  };
  add_body(scene, solid({0.5, 0.5, 0.05}), at(0, 0, -0.05), false);
  add_body(scene, solid({0.05, 0.05, 0.05}), at(0.01, 0.02, 0.05 + gap));
  return supports(scene);
}

TEST(Supports, GapsAndDepthsUpToTheTolerance) {
  for (const bool meshes : {false, true}) {
    for (const double gap : {0.9e-3, 1e-4, 1e-9, -1e-4, -0.9e-3})
      EXPECT_EQ(box_over_slab(gap, meshes), (Pairs{{1, 0}})) << gap;
    for (const double gap : {1.1e-3, 0.01, -1.1e-3, -0.02}) EXPECT_EQ(box_over_slab(gap, meshes), Pairs{}) << gap;
  }
}

TEST(Supports, AStackOnAFloor) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  for (int k = 0; k < 3; ++k) add_body(scene, box(0.05, 0.05, 0.05), at(0, 0, 0.05 + 0.1 * k + 1e-4 * k));
  EXPECT_EQ(supports(scene), (Pairs{{1, 0}, {2, 1}, {3, 2}}));
}

TEST(Supports, WhatIsBesideOrAboveCarriesNothing) {
  Scene scene;
  add_body(scene, box(0.01, 0.5, 0.5), at(0, 0, 0), false);      // a wall
  add_body(scene, box(0.5, 0.5, 0.01), at(0.2, 0, 0.3), false);  // a ceiling
  add_body(scene, box(0.05, 0.05, 0.05), at(0.0601, 0, 0));
  add_body(scene, box(0.05, 0.05, 0.05), at(0.3, 0, 0.2399));
  EXPECT_EQ(supports(scene), Pairs{});
}

// A ball against a slope: it rests up to 45 degrees.
TEST(Supports, SteepContactsDoNotCarry) {
  for (const double degrees : {10.0, 40.0, 52.0, 80.0}) {
    Scene scene;
    const double a = degrees * std::numbers::pi / 180.0;
    const Quat tilt(Eigen::AngleAxisd(a, Vec3::UnitY()));
    add_body(scene, box(1, 1, 0.1), {tilt * Vec3(0, 0, -0.1), tilt}, false);
    add_body(scene, sphere(0.05), {tilt * Vec3(0, 0, 0.0501), Quat::Identity()});
    EXPECT_EQ(supports(scene).size(), degrees < 45.0 ? 1u : 0u) << degrees;
  }
}

TEST(Supports, CupsAndBowls) {
  Scene scene;
  add_body(scene, box(1, 1, 0.05), at(0, 0, -0.05), false);
  const int lower = add_body(scene, mesh_shape(cup()), at(0, 0, 2e-4));
  const int upper = add_body(scene, mesh_shape(cup()), at(0, 0, 2e-4));
  scene.bodies[upper].X_WB.p.z() += 0.0402;  // wedged by the walls, its bottom far above the other's
  const int big = add_body(scene, mesh_shape(bowl(0.1, 0.09)), at(0.3, 0, 1e-4));
  const int small = add_body(scene, mesh_shape(bowl(0.08, 0.07)), at(0.3, 0, 0.0102));
  const int ball = add_body(scene, sphere(0.02), at(0.3, 0, 0.0202 + 0.0203));
  ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 0);
  EXPECT_EQ(supports(scene), (Pairs{{lower, 0}, {upper, lower}, {big, 0}, {small, big}, {ball, small}}));
}

// Two hulls that hold a ball between them: neither alone would.
TEST(Supports, AFunnelOfSeveralGeoms) {
  Scene scene;
  const double a = 60.0 * std::numbers::pi / 180.0;
  const int funnel = add_body(scene, box(0.2, 0.2, 0.2), {}, false);
  const Quat left(Eigen::AngleAxisd(a, Vec3::UnitY())), right(Eigen::AngleAxisd(-a, Vec3::UnitY()));
  scene.geoms[0].X_BG = {left * Vec3(0, 0, -0.2001), left};
  Geom second = scene.geoms[0];
  second.X_BG = {right * Vec3(0, 0, -0.2001), right};
  scene.geoms.push_back(second);
  const int ball = add_body(scene, sphere(0.05), at(0, 0, 0.05 / std::cos(a)));
  scene.geoms.back().shape = static_cast<int>(scene.shapes.size()) - 1;
  EXPECT_EQ(supports(scene), (Pairs{{ball, funnel}}));
  scene.geoms.erase(scene.geoms.begin() + 1);
  EXPECT_EQ(supports(scene), Pairs{});
}

// An engine keeps two geoms as far apart as their margins say.
TEST(Supports, MarginsAddToTheTolerance) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, sphere(0.05), at(0, 0, 0.0537));
  EXPECT_EQ(supports(scene), Pairs{});
  for (Geom& geom : scene.geoms) geom.margin = 2e-3;
  EXPECT_EQ(supports(scene), (Pairs{{1, 0}}));
}

TEST(Supports, FilteredPairsDoNotCarry) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, sphere(0.05), at(0, 0, 0.05));
  scene.excluded_bodies = {{0, 1}};
  EXPECT_EQ(supports(scene), Pairs{});
}

TEST(Supports, SameForAnyThreadCountAndUp) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> U(-1, 1);
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  for (int k = 0; k < 60; ++k) {
    const double x = 0.5 * U(rng), y = 0.5 * U(rng);
    add_body(scene, k % 2 ? box(0.05, 0.05, 0.05) : mesh_shape(cup()), at(x, y, (k % 2 ? 0.05 : 0.0) + 5e-4 * U(rng)));
    add_body(scene, box(0.02, 0.02, 0.02), at(x, y, 0.1201 + 1e-3 * U(rng)));
  }
  const Pairs found = supports(scene, 1);
  EXPECT_GT(found.size(), 20u);
  EXPECT_EQ(supports(scene, 5), found);
  const Quat turn = random_rotation(rng);
  scene.up = turn * scene.up;
  for (Body& body : scene.bodies) body.X_WB = {turn * body.X_WB.p, turn * body.X_WB.q};
  EXPECT_EQ(supports(scene, 2), found);
}

}  // namespace
}  // namespace s4r::testing
