// The oracle itself, against closed forms worked out here.
#include "oracle.h"

#include <gtest/gtest.h>

#include "shape_samples.h"

namespace s4r::testing {
namespace {

double gap(const Shape& a, const Shape& b, const Vec3& p, const Quat& q = Quat::Identity()) {
  const OracleGap g = oracle_gap({a, {}}, {b, {p, q}});
  EXPECT_LT(g.uncertainty, 1e-15L);
  return g.overlap ? -1.0 : static_cast<double>(g.distance);
}

// Distance of a point to a solid of revolution with a rectangular profile.
double to_cylinder(const Vec3& p, double radius, double half) {
  return std::hypot(std::max(0.0, std::hypot(p.x(), p.y()) - radius), std::max(0.0, std::abs(p.z()) - half));
}

TEST(Oracle, AgreesWithClosedForms) {
  std::mt19937_64 rng(51);
  std::uniform_real_distribution<double> U(-1, 1);
  const Shape ball = sphere(0.03), brick = box(0.05, 0.04, 0.02),
              tin{ShapeKind::kCylinder, {0.03, 0.05, 0}, nullptr, nullptr},
              pill{ShapeKind::kCapsule, {0.02, 0.05, 0}, nullptr, nullptr},
              egg{ShapeKind::kEllipsoid, {0.03, 0.03, 0.03}, nullptr, nullptr};
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = 0.2 * Vec3(U(rng), U(rng), U(rng));
    const double to_box = (p.cwiseAbs() - Vec3(0.05, 0.04, 0.02)).cwiseMax(0.0).norm();
    const double to_segment = (p - Vec3(0, 0, std::clamp(p.z(), -0.05, 0.05))).norm();
    const std::pair<const Shape*, double> expected[] = {{&brick, to_box - 0.03},
                                                        {&tin, to_cylinder(p, 0.03, 0.05) - 0.03},
                                                        {&pill, to_segment - 0.05},
                                                        {&egg, p.norm() - 0.06}};
    for (const auto& [shape, distance] : expected) {
      const double measured = gap(*shape, ball, p, random_rotation(rng));
      if (distance > 1e-12) {
        EXPECT_NEAR(measured, distance, 1e-16);
      } else if (distance < -1e-12) {
        EXPECT_EQ(measured, -1.0);
      }
    }
  }
  EXPECT_NEAR(gap(brick, brick, {0.13, 0.12, 0}), std::hypot(0.03, 0.04), 1e-16);
  EXPECT_NEAR(gap({ShapeKind::kCone, {0.03, 0.05, 0}, nullptr, nullptr}, ball, {0, 0, 0.1}), 0.02, 1e-16);
}

TEST(Oracle, KnowsInsideFromOutside) {
  const OracleSolid ring(mesh_shape(torus(0.05, 0.02)), {});
  EXPECT_TRUE(ring.encloses({0.05L, 0.0L, 0.0L}));
  EXPECT_FALSE(ring.encloses({0.0L, 0.0L, 0.0L}));
  EXPECT_EQ(gap(mesh_shape(torus(0.05, 0.02)), sphere(0.005), {0.05, 0.001, 0}), -1.0);
  EXPECT_EQ(gap(mesh_shape(torus(0.05, 0.02)), mesh_shape(box_mesh({0.002, 0.002, 0.002})), {0.05, 0.001, 0}), -1.0);
  EXPECT_TRUE(overlap_deeper_than({box(1, 1, 1), {}}, {box(1, 1, 1), {Vec3(1.9, 0, 0), Quat::Identity()}}, 0.09L));
  EXPECT_FALSE(overlap_deeper_than({box(1, 1, 1), {}}, {box(1, 1, 1), {Vec3(1.9, 0, 0), Quat::Identity()}}, 0.11L));
}

TEST(Oracle, HeightFieldIsSolidUnderItsSurface) {
  auto field = std::make_shared<HeightField>();
  field->rows = field->cols = 2;
  field->heights = {0.0, 0.1, 0.1, 0.0};  // a ridge along the diagonal the cell is cut by
  const Shape ridge{ShapeKind::kHeightField, {0.1, 0.1, 0.05}, nullptr, field};
  EXPECT_NEAR(gap(ridge, sphere(0.03), {0, 0, 0.2}), 0.07, 1e-16);
  EXPECT_EQ(gap(ridge, sphere(0.01), {0.0, 0.0, 0.05}), -1.0);
  EXPECT_NEAR(gap(ridge, sphere(0.03), {0, 0, -0.1}), 0.02, 1e-16);
}

}  // namespace
}  // namespace s4r::testing
