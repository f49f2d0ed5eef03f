// Curved solids against triangle trees, by closed forms over all triangles.
#include "separation/solid_tree.h"

#include <gtest/gtest.h>

#include "narrowphase/triangle_pair.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

// A sphere, and one that only GJK knows as such.
TEST(SolidTree, SeparationsAreSharpUpToTheRange) {
  const auto mesh = std::make_shared<TriangleMesh>(torus(0.035, 0.015));
  const MeshTree tree(mesh);
  const double radius = 0.01, range = 0.03;
  const Shape ball = sphere(radius), ellipsoid{ShapeKind::kEllipsoid, Vec3::Constant(radius), nullptr, nullptr};
  std::mt19937_64 rng(41);
  std::uniform_real_distribution<double> U(-0.08, 0.08);
  int found = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 centre(U(rng), U(rng), U(rng));
    std::vector<double> gaps(mesh->triangles.size());
    for (std::size_t t = 0; t < gaps.size(); ++t) {
      Vec3 corners[3];
      tree.triangle(static_cast<int>(t), corners);
      gaps[t] = triangle_gap(corners, {centre, centre, centre}).distance - radius;
    }
    if (*std::min_element(gaps.begin(), gaps.end()) <= 0.0) continue;
    for (const Shape* shape : {&ball, &ellipsoid}) {
      const auto near = near_triangles(tree, {shape, {centre, random_rotation(rng)}}, range, false);
      for (const NearTriangle& t : near) EXPECT_NEAR(t.separation, gaps[t.triangle], 2e-6 * gaps[t.triangle]);
      for (const double sign : {1.0, -1.0}) {
        const auto within = [&](double gap) { return gap <= range * (1.0 + sign * 2e-6); };
        const auto count = std::count_if(gaps.begin(), gaps.end(), within);
        EXPECT_LE(sign * static_cast<double>(near.size()), sign * static_cast<double>(count));
      }
      found += static_cast<int>(near.size());
    }
  }
  EXPECT_GT(found, 1000);
}

// Every triangle the capsule reaches into is found, and no other one at range 0.
TEST(SolidTree, ACapsuleReachesIntoWhatItsSegmentComesCloseTo) {
  const auto mesh = std::make_shared<TriangleMesh>(torus(0.035, 0.015));
  const MeshTree tree(mesh);
  const Shape capsule{ShapeKind::kCapsule, Vec3(0.006, 0.02, 0), nullptr, nullptr};
  std::mt19937_64 rng(42);
  std::uniform_real_distribution<double> U(-0.05, 0.05);
  int reached = 0;
  for (int k = 0; k < 100; ++k) {
    const Pose X{Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)};
    const Vec3 half = X.q * Vec3(0, 0, 0.02);
    const Vec3 core[3] = {X.p - half, X.p + half, X.p + half};
    std::vector<int> expected, found;
    for (int t = 0; t < static_cast<int>(mesh->triangles.size()); ++t) {
      Vec3 corners[3];
      tree.triangle(t, corners);
      if (triangles_cross(corners, core) || triangle_gap(corners, core).distance < 0.006) expected.push_back(t);
    }
    for (const NearTriangle& t : near_triangles(tree, {&capsule, X}, 0.0, false)) found.push_back(t.triangle);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    reached += static_cast<int>(expected.size());
  }
  EXPECT_GT(reached, 500);
}

}  // namespace
}  // namespace s4r::testing
