#include "narrowphase/fcl_collidable.h"

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>

#include "geometry/height_field.h"
#include "geometry/solid.h"

namespace s4r {
namespace {

std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> triangle_tree(const TriangleMesh& mesh) {
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(mesh.vertices.size()));
  model->addSubModel(mesh.vertices, triangles);
  model->endModel();
  return model;
}

std::shared_ptr<fcl::CollisionGeometryd> hull_solid(const TriangleMesh& mesh) {
  auto vertices = std::make_shared<const std::vector<fcl::Vector3d>>(mesh.vertices.begin(), mesh.vertices.end());
  auto faces = std::make_shared<std::vector<int>>();
  for (const auto& t : mesh.triangles) faces->insert(faces->end(), {3, t[0], t[1], t[2]});
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(mesh.triangles.size()), faces, false);
}

std::shared_ptr<fcl::CollisionGeometryd> primitive_solid(const Shape& s) {
  switch (s.kind) {
    case ShapeKind::kSphere: return std::make_shared<fcl::Sphered>(s.size.x());
    case ShapeKind::kBox: return std::make_shared<fcl::Boxd>(2.0 * s.size);
    case ShapeKind::kCapsule: return std::make_shared<fcl::Capsuled>(s.size.x(), 2.0 * s.size.y());
    case ShapeKind::kCylinder: return std::make_shared<fcl::Cylinderd>(s.size.x(), 2.0 * s.size.y());
    case ShapeKind::kCone: return std::make_shared<fcl::Coned>(s.size.x(), 2.0 * s.size.y());
    case ShapeKind::kEllipsoid: return std::make_shared<fcl::Ellipsoidd>(s.size);
    default: return nullptr;
  }
}

Shape as_bounded_shape(const Shape& shape) {
  if (shape.kind != ShapeKind::kHeightField) return shape;
  Shape mesh;
  mesh.kind = ShapeKind::kMesh;
  mesh.mesh = std::make_shared<TriangleMesh>(height_field_mesh(shape));
  return mesh;
}

}  // namespace

Collidable::Collidable(const Shape& shape)
    : shape_(as_bounded_shape(shape)), box_(bounds(shape_, {})), backend_(std::make_unique<Backend>()) {
  if (shape_.mesh) {
    backend_->surface = triangle_tree(*shape_.mesh);
    if (shape_.kind == ShapeKind::kConvex) backend_->solid = hull_solid(*shape_.mesh);
    closed_ = is_closed(*shape_.mesh);
    representatives_ = component_points(*shape_.mesh);
  } else {
    backend_->solid = primitive_solid(shape_);
    representatives_ = {Vec3::Zero()};
  }
  backend_->solid_for_trees = backend_->solid;
  if (shape_.kind == ShapeKind::kSphere)
    backend_->solid_for_trees = std::make_shared<fcl::Ellipsoidd>(Vec3::Constant(shape_.size.x()));
}

Collidable::~Collidable() = default;

bool Collidable::encloses(const Vec3& point) const {
  return closed_ && box_.contains(point) && std::abs(winding_number(*shape_.mesh, point)) > 0.5;
}

}  // namespace s4r
