// Random shapes of every kind, about 0.1 m across.
#pragma once

#include "mesh_families.h"

namespace s4r::testing {

inline constexpr std::array kAllKinds = {
    ShapeKind::kSphere,    ShapeKind::kCapsule,     ShapeKind::kBox,    ShapeKind::kCylinder, ShapeKind::kCone,
    ShapeKind::kEllipsoid, ShapeKind::kHeightField, ShapeKind::kConvex, ShapeKind::kMesh,     ShapeKind::kHalfspace};

inline const char* name_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere: return "sphere";
    case ShapeKind::kCapsule: return "capsule";
    case ShapeKind::kBox: return "box";
    case ShapeKind::kCylinder: return "cylinder";
    case ShapeKind::kCone: return "cone";
    case ShapeKind::kEllipsoid: return "ellipsoid";
    case ShapeKind::kHalfspace: return "half-space";
    case ShapeKind::kHeightField: return "height field";
    case ShapeKind::kConvex: return "convex hull";
    case ShapeKind::kMesh: return "mesh";
  }
  return "";
}

inline Shape random_height_field(std::mt19937_64& rng, double half, double height) {
  std::uniform_real_distribution<double> U(0, 1);
  auto field = std::make_shared<HeightField>();
  field->rows = 4 + static_cast<int>(rng() % 3);
  field->cols = 4 + static_cast<int>(rng() % 3);
  for (int k = 0; k < field->rows * field->cols; ++k) field->heights.push_back(height * U(rng));
  return {ShapeKind::kHeightField, {half, half, 0.3 * half}, nullptr, field};
}

inline TriangleMesh random_mesh(std::mt19937_64& rng) {
  switch (rng() % 6) {
    case 0: return torus(0.035, 0.015, 8, 5);
    case 1: return u_profile(0.05, 0.02, 0.015);
    case 2: return l_profile(0.05, 0.025, 0.02);
    case 3: return random_star(rng, 4, 0.02, 0.06);
    case 4: return random_hull(rng, 14, {0.05, 0.04, 0.03});
    default: return joined(torus(0.03, 0.01, 6, 4), box_mesh({0.01, 0.01, 0.02}), {0.07, 0, 0});
  }
}

inline Shape random_shape(ShapeKind kind, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> U(0.02, 0.06), scale(0.8, 1.25);
  switch (kind) {
    case ShapeKind::kSphere: return sphere(U(rng));
    case ShapeKind::kBox:
    case ShapeKind::kEllipsoid: return {kind, {U(rng), U(rng), U(rng)}, nullptr, nullptr};
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
    case ShapeKind::kCone: return {kind, {U(rng), U(rng), 0.0}, nullptr, nullptr};
    case ShapeKind::kHalfspace: return halfspace();
    case ShapeKind::kHeightField: return random_height_field(rng, 2.0 * U(rng), U(rng));
    case ShapeKind::kConvex: return mesh_shape(random_hull(rng, 12, {U(rng), U(rng), U(rng)}), kind);
    case ShapeKind::kMesh: break;
  }
  TriangleMesh mesh = random_mesh(rng);
  const double factor = scale(rng);
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh_shape(std::move(mesh));
}

// Plates and needles of aspect 1e4, 0.1 m long.
inline Shape stretched_shape(ShapeKind kind, std::mt19937_64& rng) {
  constexpr double kLong = 0.05, kThin = 5e-6;
  const bool plate = rng() % 2 == 0;
  const Vec3 half(kLong, plate ? kLong : kThin, kThin);
  switch (kind) {
    case ShapeKind::kBox:
    case ShapeKind::kEllipsoid: return {kind, half, nullptr, nullptr};
    case ShapeKind::kCylinder:
    case ShapeKind::kCone: return {kind, {plate ? kLong : kThin, plate ? kThin : kLong, 0.0}, nullptr, nullptr};
    case ShapeKind::kCapsule: return {kind, {kThin, kLong, 0.0}, nullptr, nullptr};
    case ShapeKind::kConvex: return mesh_shape(random_hull(rng, 12, half), kind);
    case ShapeKind::kHeightField: return random_height_field(rng, kLong, kThin);
    case ShapeKind::kMesh: {
      TriangleMesh mesh = random_mesh(rng);
      for (Vec3& v : mesh.vertices) v = v.cwiseProduct(half) / 0.05;
      return mesh_shape(std::move(mesh));
    }
    default: return random_shape(kind, rng);
  }
}

}  // namespace s4r::testing
