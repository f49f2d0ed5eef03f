// Distance of two convex sets known by their supports (Gilbert, Johnson and Keerthi, 1988), with a plane as proof.
// Own code, because FCL 0.7 (libccd) reports gaps for thin and curved shapes that overlap, and overlaps for some that
// do not.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "s4r/geometry.h"

namespace s4r {

struct ConvexGap {
  double separation = -1e300;  // along n, from exact supports: a lower bound of the distance, sharp if `separated`
  Vec3 n = Vec3::UnitZ();      // unit, from A to B: the best plane found
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  // closest points; one common point if the sets overlap

  bool separated() const { return separation > 0.0; }
};

// Up to four points of B - A with the points of A they came from.
class Simplex {
 public:
  void add(const Vec3& difference, const Vec3& on_a);
  bool contains(const Vec3& difference) const;
  // Point closest to the origin; drops the points it does not rest on. True if the simplex encloses the origin.
  bool reduce();
  const Vec3& closest() const { return closest_; }
  // Unit vector from the origin to the closest point, from edges: closest() itself is mostly rounding near contact.
  Vec3 direction() const;
  Vec3 on_a() const;

 private:
  void weigh_enclosed();

  struct Vertex {
    Vec3 w, a;
    double weight;
  };
  std::array<Vertex, 4> vertices_;
  int count_ = 0;
  Vec3 closest_ = Vec3::Zero();
};

inline constexpr double kGapTolerance = 1e-9;

// `support_a(d)`, `support_b(d)`: point of the set farthest along d (unit). `guess`: roughly from A to B, any length.
// Stops at this relative tolerance of the distance, or once the sets are proven to be more than `enough` apart.
template <typename SupportA, typename SupportB>
ConvexGap convex_gap(const SupportA& support_a, const SupportB& support_b, const Vec3& guess,
                     double tolerance = kGapTolerance, double enough = 1e300) {
  constexpr int kMaxIterations = 128;
  constexpr double kRounding = 1e-15;
  ConvexGap gap;
  Simplex simplex;
  Vec3 n = guess.norm() > 0.0 ? Vec3(guess.normalized()) : Vec3(Vec3::UnitZ());
  double size = 0.0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Vec3 a = support_a(n), b = support_b(Vec3(-n));
    const Vec3 w = b - a;
    const double separation = n.dot(w);
    size = std::max(size, w.norm());
    if (separation > gap.separation) {
      gap.separation = separation;
      gap.n = n;
    }
    if (gap.separation > enough) break;
    if (iteration > 0 && simplex.closest().norm() - gap.separation <= tolerance * gap.separation) break;
    if (simplex.contains(w)) break;
    simplex.add(w, a);
    if (simplex.reduce()) break;
    const double distance = simplex.closest().norm();
    if (distance <= kRounding * size) break;
    n = simplex.direction();
  }
  gap.on_a = simplex.on_a();
  gap.on_b = gap.on_a + simplex.closest();
  return gap;
}

}  // namespace s4r
