// Directions spread evenly over the sphere.
#pragma once

#include <cmath>
#include <numbers>

#include "s4r/geometry.h"

namespace s4r {

// The index-th of an endless sequence of unit vectors (golden spiral in angle, golden ratio in height).
inline Vec3 spread_direction(std::size_t index) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  const double z = 1.0 - 2.0 * std::fmod((static_cast<double>(index) + 0.5) * 0.618033988749895, 1.0);
  const double radius = std::sqrt(std::max(0.0, 1.0 - z * z));
  const double angle = golden * static_cast<double>(index);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace s4r
