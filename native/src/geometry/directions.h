// Directions spread evenly over the sphere, and around a circle.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

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

// `count` unit vectors all around in the plane of x and y (orthogonal unit vectors), from x on.
inline std::vector<Vec3> directions_around(const Vec3& x, const Vec3& y, int count) {
  std::vector<Vec3> directions;
  for (int k = 0; k < count; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / count;
    directions.push_back(std::cos(angle) * x + std::sin(angle) * y);
  }
  return directions;
}

}  // namespace s4r
