#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "geometry/separating_plane.h"
#include "narrowphase/fcl_collidable.h"

namespace s4r {
namespace {

constexpr int kMaxContacts = 16;  // Algorithm 2
constexpr double kProofTolerance = 1e-9;
constexpr double kGjkTolerance = 1e-10;  // relative, of FCL's GJK; its default 1e-6 is coarser than our margins

// Two shapes ready for one FCL call, in the frame of A: FCL reports mesh witnesses reliably only there.
struct FclPair {
  const fcl::CollisionGeometryd* a;
  const fcl::CollisionGeometryd* b;
  fcl::Transform3d X_ab;
};

FclPair choose_geometry(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const auto& ba = a.backend();
  const auto& bb = b.backend();
  // Hull against hull goes through the triangle trees, as in the paper; solid against solid through GJK.
  const bool trees = ba.surface && bb.surface;
  const bool solids = ba.solid && bb.solid && !trees;
  const auto pick = [&](const Collidable::Backend& backend) -> const fcl::CollisionGeometryd* {
    if (solids) return backend.solid.get();
    return (trees || !backend.solid) ? backend.surface.get() : backend.solid_for_trees.get();
  };
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X_ab.q.toRotationMatrix();
  T.translation() = X_ab.p;
  return {pick(ba), pick(bb), T};
}

struct Gap {
  double distance;
  Vec3 on_a, on_b;
};

Gap boundary_distance(const FclPair& pair) {
  fcl::DistanceRequestd request(true);
  request.distance_tolerance = kGjkTolerance;
  fcl::DistanceResultd result;
  fcl::distance(pair.a, fcl::Transform3d::Identity(), pair.b, pair.X_ab, request, result);
  return {result.min_distance, result.nearest_points[0], result.nearest_points[1]};
}

std::vector<fcl::Contactd> contacts(const FclPair& pair) {
  fcl::CollisionRequestd request(kMaxContacts, true);
  fcl::CollisionResultd result;
  fcl::collide(pair.a, fcl::Transform3d::Identity(), pair.b, pair.X_ab, request, result);
  std::vector<fcl::Contactd> list;
  result.getContacts(list);
  return list;
}

bool contained(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  for (const Vec3& p : b.representatives())
    if (a.encloses(X_ab.q * p + X_ab.p)) return true;
  for (const Vec3& p : a.representatives())
    if (b.encloses(X_ab.q.conjugate() * (p - X_ab.p))) return true;
  return false;
}

// Crossing convex shapes: the best separating plane gives an exact row; its separation bounds the depth.
// Crossing meshes: the deepest contact (Algorithm 2), its normal oriented towards B (Sec. 3.3.1).
Score crossing_score(const Collidable& a, const Collidable& b, const Pose& X_ab,
                     const std::vector<fcl::Contactd>& list) {
  Score score;
  const fcl::Contactd* deepest = nullptr;
  for (const auto& c : list)
    if (deepest == nullptr || c.penetration_depth > deepest->penetration_depth) deepest = &c;
  const Vec3 towards_b = X_ab.q * b.box().centre() + X_ab.p - a.box().centre();
  if (deepest != nullptr) score.point = deepest->pos;
  if (is_convex(a.shape()) && is_convex(b.shape())) {
    std::vector<Vec3> candidates{towards_b};
    for (const auto& c : list) candidates.push_back(c.normal);
    const SeparatingPlane plane = best_separating_plane({&a.shape(), {}}, {&b.shape(), X_ab}, candidates);
    score.normal = plane.n;
    score.distance = plane.separation;
    if (deepest == nullptr) score.point = 0.5 * (a.box().centre() + X_ab.q * b.box().centre() + X_ab.p);
  } else if (deepest != nullptr) {
    score.distance = -deepest->penetration_depth;
    if (deepest->normal.norm() > 0.5) {
      score.normal = deepest->normal.normalized();
      if (score.normal.dot(towards_b) < 0.0) score.normal = -score.normal;
    }
  }
  if (std::abs(score.distance) <= kTouching) score.distance = 0.0;
  return score;
}

Score contained_score(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const SeparatingPlane plane = best_separating_plane({&a.shape(), {}}, {&b.shape(), X_ab}, {});
  Score score;
  score.contained = true;
  score.normal = plane.n;
  score.distance = std::min(plane.separation, -kTouching);
  score.point = 0.5 * (a.box().centre() + X_ab.q * b.box().centre() + X_ab.p);
  return score;
}

// GJK on curved solids is exact to about 1e-7 and now and then wrong (cones): a separated verdict on two solids counts
// only with the plane that proves it. Triangle trees need no such check.
Score separated_solids(const Collidable& a, const Collidable& b, const Pose& X_ab, const FclPair& pair,
                       const Gap& gap) {
  const PlacedShape in_a{&a.shape(), {}}, in_b{&b.shape(), X_ab};
  const Vec3 w = gap.on_b - gap.on_a;
  SeparatingPlane plane;
  if (w.norm() > 1e-9) plane = {w.normalized(), separation_along(in_a, in_b, w.normalized())};
  if (std::abs(plane.separation - gap.distance) > kProofTolerance) plane = best_separating_plane(in_a, in_b, {w});
  if (!(plane.separation > 0.0)) return crossing_score(a, b, X_ab, contacts(pair));
  Score score;
  score.distance = plane.separation;
  score.normal = plane.n;
  score.point = 0.5 * (gap.on_a + gap.on_b);
  return score;
}

Score score_in_a(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const FclPair pair = choose_geometry(a, b, X_ab);
  const Gap gap = boundary_distance(pair);
  if (!(gap.distance > 0.0)) return crossing_score(a, b, X_ab, contacts(pair));
  if (pair.a == a.backend().solid.get() && pair.b == b.backend().solid.get())
    return separated_solids(a, b, X_ab, pair, gap);
  if (contained(a, b, X_ab)) return contained_score(a, b, X_ab);
  Score score;
  score.distance = gap.distance;
  score.point = 0.5 * (gap.on_a + gap.on_b);
  const Vec3 w = gap.on_b - gap.on_a;
  if (w.norm() > 1e-9) {
    score.normal = w.normalized();
  } else if (is_convex(a.shape()) && is_convex(b.shape())) {
    score.normal =
        best_separating_plane({&a.shape(), {}}, {&b.shape(), X_ab}, {w}).n;  // witness too short for a direction
  }
  return score;
}

}  // namespace

Score score_pair(const Collidable& a, const Pose& X_a, const Collidable& b, const Pose& X_b) {
  // FCL answers (mesh, solid) but reports witnesses of (solid, mesh) in swapped order: put the mesh first.
  const bool swap = !a.backend().surface && b.backend().surface && !b.backend().solid;
  const Collidable& first = swap ? b : a;
  const Collidable& second = swap ? a : b;
  const Pose& X_first = swap ? X_b : X_a;
  const Pose& X_second = swap ? X_a : X_b;
  const Quat inverse = X_first.q.conjugate();
  Score score = score_in_a(first, second, {inverse * (X_second.p - X_first.p), inverse * X_second.q});
  score.normal = X_first.q * score.normal;
  score.point = X_first.q * score.point + X_first.p;
  if (swap) score.normal = -score.normal;
  return score;
}

}  // namespace s4r
