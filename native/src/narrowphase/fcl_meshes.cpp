// Two triangle surfaces: FCL's distance, then its contacts, as in Algorithm 2.
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "narrowphase/fcl_collidable.h"
#include "narrowphase/parts.h"
#include "narrowphase/triangle_pair.h"

namespace s4r {
namespace {

fcl::Transform3d to_fcl(const Pose& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.q.toRotationMatrix();
  T.translation() = kTreeScale * X.p;
  return T;
}

constexpr std::size_t kAllContacts = 1 << 14;

void corners(const TriangleTree& tree, int id, const fcl::Transform3d& T, Vec3 (&out)[3]) {
  const fcl::Triangle& t = tree.tri_indices[id];
  for (int k = 0; k < 3; ++k) out[k] = T * tree.vertices[t[k]];
}

}  // namespace

bool surfaces_meet(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const TriangleTree* tree_a = a.backend().tree.get();
  const TriangleTree* tree_b = b.backend().tree.get();
  if (tree_a == nullptr || tree_b == nullptr) return false;  // a surface without area
  fcl::CollisionResultd result;
  return fcl::collide(tree_a, fcl::Transform3d::Identity(), tree_b, to_fcl(X_ab), fcl::CollisionRequestd(), result) > 0;
}

Score score_meshes(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const TriangleTree* tree_a = a.backend().tree.get();
  const TriangleTree* tree_b = b.backend().tree.get();
  Score score;
  score.distance = 1e300;
  if (tree_a == nullptr || tree_b == nullptr) return score;  // a surface without area
  // FCL reports witnesses reliably only in the frame of the first.
  const fcl::Transform3d T = to_fcl(X_ab);
  fcl::DistanceResultd gap;
  fcl::distance(tree_a, fcl::Transform3d::Identity(), tree_b, T, fcl::DistanceRequestd(true), gap);
  if (gap.min_distance > 0.0) {
    const Vec3 w = gap.nearest_points[1] - gap.nearest_points[0];
    score.distance = gap.min_distance / kTreeScale;
    score.point = 0.5 / kTreeScale * (gap.nearest_points[0] + gap.nearest_points[1]);
    if (w.norm() > 1e-9) score.normal = w.normalized();
    return score;
  }

  // Faces in a common plane fill the list with contacts that only touch: then the others count too.
  for (const std::size_t limit : {std::size_t{kMaxContacts}, std::size_t{kAllContacts}}) {
    fcl::CollisionResultd result;
    fcl::collide(tree_a, fcl::Transform3d::Identity(), tree_b, T, fcl::CollisionRequestd(limit, true), result);
    score.distance = 0.0;
    for (std::size_t k = 0; k < result.numContacts(); ++k) {
      const fcl::Contactd& c = result.getContact(k);
      if (!(c.penetration_depth > -score.distance * kTreeScale)) continue;
      // FCL counts contacts that only touch and gives them any depth.
      Vec3 on_a[3], on_b[3];
      corners(*tree_a, static_cast<int>(c.b1), fcl::Transform3d::Identity(), on_a);
      corners(*tree_b, static_cast<int>(c.b2), T, on_b);
      if (triangles_only_touch(on_a, on_b, kTouching * kTreeScale)) continue;
      score.distance = -c.penetration_depth / kTreeScale;
      score.point = c.pos / kTreeScale;
      score.normal = c.normal.norm() > 0.5 ? Vec3(c.normal.normalized()) : Vec3(Vec3::Zero());
    }
    if (score.distance < -kTouching || result.numContacts() < limit) break;
  }
  // Oriented towards B (Sec. 3.3.1): a triangle's own normal may point either way.
  if (score.normal.dot(X_ab.q * b.box().centre() + X_ab.p - a.box().centre()) < 0.0) score.normal = -score.normal;
  return score;
}

}  // namespace s4r
