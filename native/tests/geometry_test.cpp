#include <gtest/gtest.h>

#include "broadphase/box_pairs.h"
#include "geometry/height_field.h"
#include "geometry/separating_plane.h"
#include "geometry/solid.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

Shape shape_of(ShapeKind kind) {
  return {kind, kind == ShapeKind::kBox || kind == ShapeKind::kEllipsoid ? Vec3(0.3, 0.2, 0.1) : Vec3(0.2, 0.3, 0),
          nullptr, nullptr};
}

// Random points of the solid by rejection inside its bounds: none may lie beyond the support, some must come close.
TEST(Support, IsTheLeastUpperBoundOfEveryPrimitive) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> U(-1, 1);
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCapsule, ShapeKind::kCylinder,
                               ShapeKind::kCone, ShapeKind::kEllipsoid}) {
    const Shape s = shape_of(kind);
    const Box3 box = bounds(s, {});
    for (int d = 0; d < 20; ++d) {
      const Vec3 n = Vec3(U(rng), U(rng), U(rng)).normalized();
      const double h = support(s, {}, n);
      double best = -1e9;
      for (int k = 0; k < 20000; ++k) {
        const Vec3 p = box.centre() + 0.5 * (box.hi - box.lo).cwiseProduct(Vec3(U(rng), U(rng), U(rng)));
        if (primitive_contains(s, p)) best = std::max(best, n.dot(p));
      }
      EXPECT_LE(best, h + 1e-12);
      EXPECT_GT(best, h - 0.06) << static_cast<int>(kind);
      const Vec3 at = support_point(s, n);
      EXPECT_FALSE(primitive_contains(s, at * 1.0001));
      EXPECT_NEAR(n.dot(at), h, 1e-12);
    }
    EXPECT_LE(std::max(-box.lo.minCoeff(), box.hi.maxCoeff()), radius_about(s, Vec3::Zero()) + 1e-12);
  }
}

TEST(Solid, WindingNumberTellsInsideFromOutside) {
  const TriangleMesh ring = torus(0.05, 0.02);
  EXPECT_TRUE(is_closed(ring));
  EXPECT_NEAR(winding_number(ring, {0.05, 0, 0}), 1.0, 1e-9);
  EXPECT_NEAR(winding_number(ring, {0, 0, 0}), 0.0, 1e-9);
  TriangleMesh open = ring;
  open.triangles.pop_back();
  EXPECT_FALSE(is_closed(open));
}

TEST(Solid, ComponentsAreCountedByConnectivity) {
  TriangleMesh two = box_mesh({1, 1, 1});
  const TriangleMesh other = torus(0.05, 0.02);
  const int offset = static_cast<int>(two.vertices.size());
  two.vertices.insert(two.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) two.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  const std::vector<Component> found = components(two);
  ASSERT_EQ(found.size(), 2u);
  for (int axis = 0; axis < 3; ++axis) {  // first the lowest index, then the lowest and highest of each axis
    EXPECT_EQ(found[0][1 + 2 * axis][axis], -1.0);
    EXPECT_EQ(found[0][2 + 2 * axis][axis], 1.0);
    EXPECT_NEAR(found[1][2 + 2 * axis][axis], axis == 2 ? 0.02 : 0.07, 1e-12);
  }
  EXPECT_EQ(found[1][0], other.vertices.front());
}

TEST(HeightField, MeshIsClosedAndHasTheRightVolume) {
  auto field = std::make_shared<HeightField>();
  field->rows = 5;
  field->cols = 7;
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> U(0, 0.3);
  for (int k = 0; k < 35; ++k) field->heights.push_back(U(rng));
  const Shape s{ShapeKind::kHeightField, {0.6, 0.4, 0.2}, nullptr, field};
  const TriangleMesh mesh = height_field_mesh(s);
  EXPECT_TRUE(is_closed(mesh));
  double volume = 0.0;
  for (const auto& t : mesh.triangles)
    volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6.0;
  double expected = 0.0;  // each cell: two prisms over the triangles of the diagonal (row, col + 1) - (row + 1, col)
  const double half_cell = 0.5 * (1.2 / 6) * (0.8 / 4);
  const auto h = [&](int r, int c) { return field->heights[r * 7 + c] + 0.2; };
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 6; ++c)
      expected += half_cell * (h(r, c) + 2 * h(r, c + 1) + 2 * h(r + 1, c) + h(r + 1, c + 1)) / 3.0;
  EXPECT_NEAR(volume, expected, 1e-12);
}

TEST(SeparatingPlane, FindsTheFaceOfBoxesAndProvesSeparation) {
  const Shape a = box(1, 1, 1), b = box(1, 1, 1);
  const SeparatingPlane apart =
      best_separating_plane({&a, {}}, {&b, {Vec3(2.5, 0.3, -0.4), Quat::Identity()}}, {Vec3(1, 1, 0)});
  EXPECT_NEAR(apart.separation, 0.5, 1e-9);
  const SeparatingPlane deep = best_separating_plane({&a, {}}, {&b, {Vec3(1.6, 0.3, -0.4), Quat::Identity()}}, {});
  EXPECT_NEAR(deep.separation, -0.4, 1e-9);
}

TEST(BoxPairs, AreExactlyTheOverlappingOnes) {
  std::mt19937_64 rng(9);
  std::uniform_real_distribution<double> U(0, 1);
  std::vector<Box3> boxes;
  for (int k = 0; k < 1500; ++k) {
    const Vec3 p(U(rng), 3 * U(rng), U(rng));
    const double size = k % 50 == 0 ? 2.0 : 0.15;  // a few large ones among the small
    boxes.push_back({p, p + size * Vec3(U(rng), U(rng), U(rng))});
  }
  std::vector<std::pair<int, int>> expected;
  for (int i = 0; i < 1500; ++i)
    for (int j = i + 1; j < 1500; ++j)
      if (boxes[i].overlaps(boxes[j])) expected.emplace_back(i, j);
  EXPECT_EQ(overlapping_pairs(boxes), expected);
  EXPECT_EQ(overlapping_pairs(boxes, 2), expected);
  EXPECT_GT(expected.size(), 40u);
}

}  // namespace
}  // namespace s4r::testing
