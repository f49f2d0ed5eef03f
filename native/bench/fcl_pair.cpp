#include "fcl_pair.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace s4r::bench {
namespace {

// As the reference profile uses it: FCL's absolute thresholds want larger numbers than metres.
constexpr double kScale = 8192.0;
constexpr std::size_t kAll = 1 << 20;

fcl::Transform3d transform(const Pose& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.q.toRotationMatrix();
  T.translation() = kScale * X.p;
  return T;
}

}  // namespace

struct FclMesh::Tree {
  fcl::BVHModel<fcl::OBBRSSd> model;
};

FclMesh::FclMesh(const TriangleMesh& mesh) : tree_(std::make_unique<Tree>()) {
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices) vertices.push_back(kScale * v);
  tree_->model.beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  tree_->model.addSubModel(vertices, triangles);
  tree_->model.endModel();
}

FclMesh::~FclMesh() = default;
FclMesh::FclMesh(FclMesh&&) noexcept = default;

bool fcl_collide(const FclMesh& a, const FclMesh& b, const Pose& X) {
  fcl::CollisionResultd result;
  fcl::collide(&a.tree().model, fcl::Transform3d::Identity(), &b.tree().model, transform(X),
               fcl::CollisionRequestd(1, false), result);
  return result.isCollision();
}

int fcl_contacts(const FclMesh& a, const FclMesh& b, const Pose& X) {
  fcl::CollisionResultd result;
  fcl::collide(&a.tree().model, fcl::Transform3d::Identity(), &b.tree().model, transform(X),
               fcl::CollisionRequestd(kAll, false), result);
  return static_cast<int>(result.numContacts());
}

double fcl_distance(const FclMesh& a, const FclMesh& b, const Pose& X) {
  fcl::DistanceResultd result;
  fcl::distance(&a.tree().model, fcl::Transform3d::Identity(), &b.tree().model, transform(X),
                fcl::DistanceRequestd(false), result);
  return result.min_distance / kScale;
}

}  // namespace s4r::bench
