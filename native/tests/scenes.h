// Scene builders shared by the tests.
#pragma once

#include <cmath>
#include <numbers>
#include <random>

#include "s4r/evaluate.h"
#include "s4r/solve.h"

namespace s4r::testing {

inline Shape sphere(double r) { return {ShapeKind::kSphere, {r, 0, 0}, nullptr, nullptr}; }
inline Shape box(double x, double y, double z) { return {ShapeKind::kBox, {x, y, z}, nullptr, nullptr}; }
inline Shape halfspace() { return {ShapeKind::kHalfspace, Vec3::Zero(), nullptr, nullptr}; }
inline Shape mesh_shape(TriangleMesh mesh, ShapeKind kind = ShapeKind::kMesh) {
  return {kind, Vec3::Zero(), std::make_shared<TriangleMesh>(std::move(mesh)), nullptr};
}

// Axis-aligned box as 12 triangles.
inline TriangleMesh box_mesh(const Vec3& half) {
  TriangleMesh m;
  for (int k = 0; k < 8; ++k)
    m.vertices.emplace_back(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), k & 4 ? half.z() : -half.z());
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

// Torus around z; closed, outward-oriented, non-convex.
inline TriangleMesh torus(double major, double minor, int segments = 24, int sides = 12) {
  TriangleMesh m;
  for (int i = 0; i < segments; ++i)
    for (int j = 0; j < sides; ++j) {
      const double a = 2 * std::numbers::pi * i / segments, b = 2 * std::numbers::pi * j / sides;
      m.vertices.emplace_back((major + minor * std::cos(b)) * std::cos(a), (major + minor * std::cos(b)) * std::sin(a),
                              minor * std::sin(b));
    }
  const auto at = [&](int i, int j) { return (i % segments) * sides + j % sides; };
  for (int i = 0; i < segments; ++i)
    for (int j = 0; j < sides; ++j) {
      m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return m;
}

inline int add_body(Scene& scene, const Shape& shape, const Pose& X, bool movable = true) {
  const int id = static_cast<int>(scene.bodies.size());
  Body body;
  body.X_WB = X;
  body.unit = body.weld = id;
  body.movable = movable;
  scene.bodies.push_back(body);
  scene.shapes.push_back(shape);
  Geom geom;
  geom.body = id;
  geom.shape = static_cast<int>(scene.shapes.size()) - 1;
  scene.geoms.push_back(geom);
  return id;
}

inline Quat random_rotation(std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  return Quat(normal(rng), normal(rng), normal(rng), normal(rng)).normalized();
}

inline std::vector<Pose> poses_of(const Scene& scene) {
  std::vector<Pose> poses;
  for (const Body& b : scene.bodies) poses.push_back(b.X_WB);
  return poses;
}

inline std::vector<Pose> moved_poses(const Scene& scene, const Solution& solution) {
  return s4r::moved_poses(poses_of(scene), solution);
}

inline int repairable(const Evaluation& e) {
  int count = 0;
  for (const Overlap& o : e.overlaps) count += o.constant ? 0 : 1;
  return count;
}

}  // namespace s4r::testing
