#include "geometry/separating_plane.h"

#include <cmath>

namespace s4r {
namespace {

constexpr std::size_t kMaxFaces = 256;  // a hull with more faces is covered by the ascent

// Gradient of the separation on the sphere is the part normal to n of (support point of B) - (support point of A).
SeparatingPlane ascend(const PlacedShape& a, const PlacedShape& b, SeparatingPlane plane, double extent) {
  double step = 0.5;
  for (int iteration = 0; iteration < 40 && step > 1e-9; ++iteration) {
    const Vec3 pa = a.X.p + a.X.q * support_point(*a.shape, a.X.q.conjugate() * plane.n);
    const Vec3 pb = b.X.p + b.X.q * support_point(*b.shape, b.X.q.conjugate() * -plane.n);
    const Vec3 v = pb - pa;
    const Vec3 tangent = v - v.dot(plane.n) * plane.n;
    if (tangent.norm() < 1e-14 * extent) break;
    const Vec3 n = (plane.n + step / extent * tangent).normalized();
    const double separation = separation_along(a, b, n);
    if (separation > plane.separation) {
      plane = {n, separation};
      step *= 1.5;
    } else {
      step *= 0.4;
    }
  }
  return plane;
}

}  // namespace

double separation_along(const PlacedShape& a, const PlacedShape& b, const Vec3& n) {
  return -support(*a.shape, a.X, n) - support(*b.shape, b.X, -n);
}

std::vector<Vec3> face_directions(const PlacedShape& s) {
  std::vector<Vec3> directions;
  const auto add = [&](const Vec3& local) { directions.push_back(s.X.q * local); };
  if (s.shape->mesh && s.shape->mesh->triangles.size() <= kMaxFaces) {
    for (const auto& t : s.shape->mesh->triangles) {
      const auto& v = s.shape->mesh->vertices;
      const Vec3 normal = (v[t[1]] - v[t[0]]).cross(v[t[2]] - v[t[0]]);
      if (normal.norm() > 0.0) add(normal.normalized());
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    add(Vec3::Unit(axis));
    add(-Vec3::Unit(axis));
  }
  return directions;
}

SeparatingPlane best_separating_plane(const PlacedShape& a, const PlacedShape& b, const std::vector<Vec3>& candidates) {
  SeparatingPlane best;
  const auto consider = [&](const Vec3& direction) {
    const double length = direction.norm();
    if (!(length > 1e-12)) return;
    const Vec3 n = direction / length;
    const double separation = separation_along(a, b, n);
    if (separation > best.separation) best = {n, separation};
  };
  for (const Vec3& c : candidates) {
    consider(c);
    consider(-c);
  }
  for (const Vec3& n : face_directions(a)) consider(n);
  for (const Vec3& n : face_directions(b)) consider(-n);
  const Box3 box_a = bounds(*a.shape, a.X), box_b = bounds(*b.shape, b.X);
  consider(box_b.centre() - box_a.centre());
  const double extent = (box_a.hi - box_a.lo).norm() + (box_b.hi - box_b.lo).norm();
  return ascend(a, b, best, extent);
}

}  // namespace s4r
