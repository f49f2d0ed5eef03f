// Rotations and rotation vectors: axis times angle [rad].
#pragma once

#include <cmath>

#include "s4r/geometry.h"

namespace s4r {

// The exponential map. Exactly the identity for zero.
inline Quat exp_map(const Vec3& v) {
  const double angle = v.norm();
  if (angle == 0.0) return Quat::Identity();
  const Vec3 axis = v * (std::sin(0.5 * angle) / angle);
  return {std::cos(0.5 * angle), axis.x(), axis.y(), axis.z()};
}

// Its inverse, with an angle in 0..pi.
inline Vec3 log_map(const Quat& q) {
  const double sine = q.vec().norm();
  if (sine == 0.0) return Vec3::Zero();
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  return q.vec() * (sign * 2.0 * std::atan2(sine, std::abs(q.w())) / sine);
}

inline double angle_of(const Quat& q) { return 2.0 * std::atan2(q.vec().norm(), std::abs(q.w())); }

inline bool is_identity(const Quat& q) { return q.vec().isZero(0.0); }

}  // namespace s4r
