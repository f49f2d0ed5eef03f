// Which query a pair takes, and containment.
#include "geometry/separating_plane.h"
#include "narrowphase/parts.h"

namespace s4r {
namespace {

bool contained(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const Quat inverse = X_ab.q.conjugate();
  return a.encloses(b, X_ab) || b.encloses(a, {-(inverse * X_ab.p), inverse});
}

Score contained_score(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const SeparatingPlane plane = best_separating_plane({&a.shape(), {}}, {&b.shape(), X_ab}, {});
  Score score;
  score.contained = true;
  score.normal = plane.n;
  score.distance = std::min(plane.separation, -2.0 * kTouching);
  score.point = X_ab.q * b.point() + X_ab.p;
  return score;
}

Score score_in_a(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  if (is_convex(a.shape()) && is_convex(b.shape())) return score_convex(a.shape(), b.shape(), X_ab);
  const Score surfaces = b.shape().mesh ? score_meshes(a, b, X_ab) : score_mesh_primitive(a, b.shape(), X_ab);
  // Surfaces that cross settle it; others may lie one inside the other.
  return surfaces.distance < 0.0 || !contained(a, b, X_ab) ? surfaces : contained_score(a, b, X_ab);
}

}  // namespace

Score score_pair(const Collidable& a, const Pose& X_a, const Collidable& b, const Pose& X_b) {
  const bool swap = !a.shape().mesh && b.shape().mesh;  // a mesh comes first
  const Collidable& first = swap ? b : a;
  const Collidable& second = swap ? a : b;
  const Pose& X_first = swap ? X_b : X_a;
  const Pose& X_second = swap ? X_a : X_b;
  const Quat inverse = X_first.q.conjugate();
  Score score = score_in_a(first, second, {inverse * (X_second.p - X_first.p), inverse * X_second.q});
  score.normal = X_first.q * score.normal;
  score.point = X_first.q * score.point + X_first.p;
  if (swap) score.normal = -score.normal;
  if (std::abs(score.distance) <= kTouching) score.distance = 0.0;
  return score;
}

bool may_overlap(const Collidable& a, const Pose& X_a, const Collidable& b, const Pose& X_b) {
  // Only two surfaces have a test that is cheaper than their score.
  if (!a.shape().mesh || !b.shape().mesh || (is_convex(a.shape()) && is_convex(b.shape()))) return true;
  const Quat inverse = X_a.q.conjugate();
  const Pose X_ab{inverse * (X_b.p - X_a.p), inverse * X_b.q};
  return surfaces_meet(a, b, X_ab) || contained(a, b, X_ab);
}

}  // namespace s4r
