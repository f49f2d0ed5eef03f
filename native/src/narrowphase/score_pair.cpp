// Which query a pair takes, and containment.
#include <optional>

#include "geometry/separating_plane.h"
#include "narrowphase/parts.h"

namespace s4r {
namespace {

constexpr double kBehind = 1e-8;    // units: how far behind a face its inside is looked for
constexpr double kThinnest = 1e-6;  // height over longest edge of the faces that are asked

bool contained(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  const Quat inverse = X_ab.q.conjugate();
  return a.encloses(b, X_ab) || b.encloses(a, {-(inverse * X_ab.p), inverse});
}

// A point of `shell`, right behind one of its faces, that lies inside `solid`.
std::optional<Vec3> face_inside(const Collidable& shell, const Collidable& solid, const Pose& X) {
  const TriangleMesh& mesh = *shell.shape().mesh;
  for (const auto& t : mesh.triangles) {
    const Vec3 &p = mesh.vertices[t[0]], &q = mesh.vertices[t[1]], &r = mesh.vertices[t[2]];
    const Vec3 normal = (q - p).cross(r - p);
    const double longest = std::max({(q - p).squaredNorm(), (r - q).squaredNorm(), (p - r).squaredNorm()});
    if (!(normal.norm() > kThinnest * longest)) continue;
    const Vec3 behind = (p + q + r) / 3.0 - kBehind * normal.normalized();
    if (solid.encloses(X.q * behind + X.p) && shell.encloses(behind)) return behind;
  }
  return std::nullopt;
}

// Closed surfaces that touch everywhere they meet may share volume all the same, as aligned boxes do: then a face of
// one has the inside of the other behind it.
std::optional<Vec3> common_point(const Collidable& a, const Collidable& b, const Pose& X_ab) {
  if (const auto p = face_inside(b, a, X_ab)) return X_ab.q * *p + X_ab.p;
  const Quat inverse = X_ab.q.conjugate();
  return face_inside(a, b, {inverse * -X_ab.p, inverse});
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
  if (surfaces.distance < -kTouching) return surfaces;
  const bool touching = surfaces.distance <= kTouching && a.closed() && b.closed();
  if (!touching) return contained(a, b, X_ab) ? contained_score(a, b, X_ab) : surfaces;
  // Their vertices may lie on each other's surface: points off it decide.
  const std::optional<Vec3> shared = common_point(a, b, X_ab);
  if (!shared) return surfaces;
  Score score = contained_score(a, b, X_ab);
  score.contained = false;
  score.point = *shared;
  return score;
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
