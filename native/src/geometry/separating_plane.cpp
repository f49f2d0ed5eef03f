#include "geometry/separating_plane.h"

#include <algorithm>

#include "geometry/directions.h"

namespace s4r {
namespace {

constexpr std::size_t kMaxFaces = 256;  // a hull with more faces is covered by the spread directions
constexpr std::size_t kSpread = 26;
constexpr std::size_t kStarts = 2;
constexpr double kSameWay = 0.95;  // cosine
constexpr double kHopeless = 1.5;  // a start this much deeper than the best so far is not refined
constexpr int kRefinements = 4;
constexpr double kRefineTolerance = 1e-4;  // a direction is wanted, not a distance

// Pushes B out along n, just clear of A, and takes the direction of the closest points there: never worse than n, and
// equal to it only at a local optimum.
SeparatingPlane refine(const PlacedShape& a, const PlacedShape& b, SeparatingPlane plane) {
  for (int iteration = 0; iteration < kRefinements && plane.separation < 0.0; ++iteration) {
    const Vec3 push = (1.0 + 1e-3) * -plane.separation * plane.n;
    const ConvexGap gap = convex_gap(a, {b.shape, {b.X.p + push, b.X.q}}, plane.n, kRefineTolerance);
    const double separation = separation_along(a, b, gap.n);
    const double gain = separation - plane.separation;
    if (!(gain > 0.0)) break;
    plane = {gap.n, separation};
    if (gain < 1e-7 * -separation) break;
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

ConvexGap convex_gap(const PlacedShape& a, const PlacedShape& b, const Vec3& guess, double tolerance) {
  const Mat3 R_a = a.X.q.toRotationMatrix(), R_b = b.X.q.toRotationMatrix();
  const auto support_in = [](const PlacedShape& s, const Mat3& R, const Vec3& n) {
    return Vec3(s.X.p + R * support_point(*s.shape, R.transpose() * n));
  };
  return convex_gap([&](const Vec3& n) { return support_in(a, R_a, n); },
                    [&](const Vec3& n) { return support_in(b, R_b, n); }, guess, tolerance);
}

SeparatingPlane best_separating_plane(const PlacedShape& a, const PlacedShape& b, const std::vector<Vec3>& candidates) {
  std::vector<SeparatingPlane> planes;
  const auto consider = [&](const Vec3& direction) {
    const double length = direction.norm();
    if (length > 1e-12) planes.push_back({direction / length, separation_along(a, b, direction / length)});
  };
  for (const Vec3& c : candidates) {
    consider(c);
    consider(-c);
  }
  for (const Vec3& n : face_directions(a)) consider(n);
  for (const Vec3& n : face_directions(b)) consider(-n);
  for (std::size_t k = 0; k < kSpread; ++k) consider(spread_direction(k));
  consider(bounds(*b.shape, b.X).centre() - bounds(*a.shape, a.X).centre());

  // The best few that point different ways, each refined.
  std::stable_sort(planes.begin(), planes.end(),
                   [](const auto& x, const auto& y) { return x.separation > y.separation; });
  std::vector<Vec3> starts;
  SeparatingPlane best = planes.front();
  for (const SeparatingPlane& plane : planes) {
    if (starts.size() == kStarts || plane.separation < kHopeless * best.separation) break;
    if (std::any_of(starts.begin(), starts.end(), [&](const Vec3& n) { return n.dot(plane.n) > kSameWay; })) continue;
    starts.push_back(plane.n);
    const SeparatingPlane refined = refine(a, b, plane);
    if (refined.separation > best.separation) best = refined;
  }
  return best;
}

}  // namespace s4r
