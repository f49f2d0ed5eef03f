#include "narrowphase/fcl_collidable.h"

#include <algorithm>

#include "geometry/height_field.h"
#include "geometry/solid.h"
#include "geometry/weld.h"

namespace s4r {
namespace {

// Slivers without a usable normal: FCL reads uninitialised planes for triangles without area.
constexpr double kSliver = 1e-10;  // height over longest edge

bool is_sliver(const Vec3& a, const Vec3& b, const Vec3& c, double limit) {
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return !((b - a).cross(c - a).norm() > limit * longest);
}

bool is_face(const TriangleMesh& mesh, const std::array<int, 3>& t, double sliver) {
  return !is_sliver(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], sliver);
}

std::vector<fcl::Triangle> faces(const TriangleMesh& mesh, double sliver) {
  std::vector<fcl::Triangle> kept;
  for (const auto& t : mesh.triangles)
    if (is_face(mesh, t, sliver)) kept.emplace_back(t[0], t[1], t[2]);
  return kept;
}

std::unique_ptr<TriangleTree> triangle_tree(const TriangleMesh& mesh) {
  std::vector<fcl::Triangle> triangles = faces(mesh, kSliver);
  if (triangles.empty()) triangles = faces(mesh, 0.0);
  if (triangles.empty()) return nullptr;
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices) vertices.push_back(kTreeScale * v);
  auto tree = std::make_unique<TriangleTree>();
  tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  tree->addSubModel(vertices, triangles);
  tree->endModel();
  return tree;
}

// The same tree for the mesh `factor` times as large: far cheaper than building it anew.
std::unique_ptr<TriangleTree> scaled_tree(const TriangleTree& tree, double factor) {
  auto copy = std::make_unique<TriangleTree>(tree);
  for (int v = 0; v < copy->num_vertices; ++v) copy->vertices[v] *= factor;
  for (int k = 0; k < copy->getNumBVs(); ++k) {
    fcl::OBBRSSd& bv = copy->getBV(k).bv;
    bv.obb.To *= factor;
    bv.obb.extent *= factor;
    bv.rss.To *= factor;
    for (double& l : bv.rss.l) l *= factor;
    bv.rss.r *= factor;
  }
  return copy;
}

// Height fields become meshes, meshes are welded.
Shape prepared(const Shape& shape) {
  Shape result = shape;
  if (shape.field) {
    result = {ShapeKind::kMesh, Vec3::Zero(), std::make_shared<TriangleMesh>(height_field_mesh(shape)), nullptr};
  } else if (shape.mesh) {
    result.mesh = std::make_shared<TriangleMesh>(welded(*shape.mesh));
  }
  return result;
}

}  // namespace

Collidable::Collidable(const Shape& shape) : shape_(prepared(shape)), box_(bounds(shape_, {})) {
  if (shape_.mesh) {
    components_ = components(*shape_.mesh);
    has_area_ = std::any_of(shape_.mesh->triangles.begin(), shape_.mesh->triangles.end(),
                            [&](const auto& t) { return is_face(*shape_.mesh, t, 0.0); });
    return;
  }
  Component& extent = components_.emplace_back();
  extent[0] = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    extent[1 + 2 * axis] = support_point(shape_, -Vec3::Unit(axis));
    extent[2 + 2 * axis] = support_point(shape_, Vec3::Unit(axis));
  }
}

Collidable::Collidable(const Collidable& other, double factor)
    : shape_(scaled(other.shape_, factor)),
      box_{factor * other.box_.lo, factor * other.box_.hi},
      has_area_(other.has_area_),
      components_(other.components_) {
  for (Component& c : components_)
    for (Vec3& p : c) p *= factor;
  std::call_once(built_, [&] {
    backend_ = std::make_unique<Backend>();
    if (const TriangleTree* tree = other.backend().tree.get()) backend_->tree = scaled_tree(*tree, factor);
  });
}

const Collidable::Backend& Collidable::backend() const {
  std::call_once(built_, [this] {
    backend_ = std::make_unique<Backend>();
    if (shape_.mesh) backend_->tree = triangle_tree(*shape_.mesh);
  });
  return *backend_;
}

Collidable::~Collidable() = default;

bool Collidable::closed() const {
  std::call_once(closed_known_, [this] { closed_ = shape_.mesh && is_closed(*shape_.mesh); });
  return closed_;
}

bool Collidable::encloses(const Vec3& point) const {
  return box_.contains(point) && closed() && std::abs(winding_number(*shape_.mesh, point)) > 0.5;
}

bool Collidable::encloses(const Collidable& other, const Pose& X) const {
  const bool box = shape_.kind == ShapeKind::kBox;
  if (!shape_.mesh && !box) return false;
  const Mat3 R = X.q.toRotationMatrix();
  return std::any_of(other.components_.begin(), other.components_.end(), [&](const Component& c) {
    const bool fits = std::all_of(c.begin(), c.end(), [&](const Vec3& p) { return box_.contains(R * p + X.p); });
    return fits && (box || encloses(R * c[0] + X.p));
  });
}

}  // namespace s4r
