// Support functions and extents of shapes: exact for every kind, no tessellation.
#pragma once

#include "s4r/geometry.h"

namespace s4r {

// Axis-aligned box; empty when lo > hi.
struct Box3 {
  Vec3 lo = Vec3::Constant(1e300);
  Vec3 hi = Vec3::Constant(-1e300);

  void extend(const Vec3& p) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  void extend(const Box3& b) {
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
  }
  Vec3 centre() const { return 0.5 * (lo + hi); }
  Box3 padded(double pad) const { return {lo.array() - pad, hi.array() + pad}; }
  bool overlaps(const Box3& b) const {
    return (lo.array() <= b.hi.array()).all() && (b.lo.array() <= hi.array()).all();
  }
  bool contains(const Vec3& p) const { return (lo.array() <= p.array()).all() && (p.array() <= hi.array()).all(); }
};

// Point of the shape farthest along `direction` (shape frame; need not be unit). Bounded shapes only.
Vec3 support_point(const Shape& shape, const Vec3& direction);

// max of n . x over the shape placed at X, for a unit n in the outer frame.
double support(const Shape& shape, const Pose& X, const Vec3& n);

// Tight box of the shape placed at X. Bounded shapes only.
Box3 bounds(const Shape& shape, const Pose& X);

// Largest distance of the shape's points from `centre`, in the shape's frame; an upper bound for curved shapes.
double radius_about(const Shape& shape, const Vec3& centre);

// True for every kind whose solid is convex and bounded.
bool is_convex(const Shape& shape);

// The same shape, `factor` times as large about its origin.
Shape scaled(const Shape& shape, double factor);

}  // namespace s4r
