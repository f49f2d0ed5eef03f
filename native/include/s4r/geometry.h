// Plain geometry types of the public interface. Lengths in metres, right-handed frames.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <vector>

namespace s4r {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

// Pose of a child frame in a parent frame: p_parent = q * p_child + p.
struct Pose {
  Vec3 p = Vec3::Zero();
  Quat q = Quat::Identity();
};

struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
};

// Solid between z = -base_depth and the sampled surface; see `Shape` in src/core/scene.ts for the grid.
struct HeightField {
  int rows = 0;
  int cols = 0;
  std::vector<double> heights;  // rows x cols, row-major
};

enum class ShapeKind {
  kSphere,
  kBox,
  kCapsule,
  kCylinder,
  kCone,
  kEllipsoid,
  kHalfspace,
  kHeightField,
  kConvex,
  kMesh
};

// A solid in its own frame. Axis of capsule, cylinder and cone: z. Half-space: z <= 0.
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  // radius | half extents | radius, half length | semi-axes | half extents x, y and base depth
  Vec3 size = Vec3::Zero();
  std::shared_ptr<const TriangleMesh> mesh;  // kConvex, kMesh
  std::shared_ptr<const HeightField> field;  // kHeightField
};

}  // namespace s4r
