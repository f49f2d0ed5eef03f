// Scenes of things that stand on one another.
#pragma once

#include "mesh_families.h"
#include "s4r/placement.h"

namespace s4r::testing {

// Closed surface of revolution around z of an outline (radius, z) that starts and ends on the axis, counter-clockwise
// in the (radius, z) plane.
inline TriangleMesh revolved(const std::vector<std::pair<double, double>>& outline, int segments = 24) {
  TriangleMesh m;
  const int rings = static_cast<int>(outline.size()) - 2;
  m.vertices.emplace_back(0, 0, outline.front().second);
  for (int i = 1; i <= rings; ++i)
    for (int j = 0; j < segments; ++j) {
      const double a = 2 * std::numbers::pi * j / segments;
      m.vertices.emplace_back(outline[i].first * std::cos(a), outline[i].first * std::sin(a), outline[i].second);
    }
  m.vertices.emplace_back(0, 0, outline.back().second);
  const int last = static_cast<int>(m.vertices.size()) - 1;
  const auto at = [&](int i, int j) { return 1 + i * segments + j % segments; };
  for (int j = 0; j < segments; ++j) {
    m.triangles.push_back({0, at(0, j + 1), at(0, j)});
    m.triangles.push_back({last, at(rings - 1, j), at(rings - 1, j + 1)});
    for (int i = 0; i + 1 < rings; ++i) {
      m.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  }
  return m;
}

// Standing on z = 0, 0.1 m high; its walls lean outwards, steeper than 80 degrees.
inline TriangleMesh cup() {
  return revolved({{0, 0}, {0.03, 0}, {0.04, 0.1}, {0.036, 0.1}, {0.027, 0.006}, {0, 0.006}});
}

// Half a hollow sphere, open at the top, whose lowest point is z = 0.
inline TriangleMesh bowl(double outer, double inner) {
  std::vector<std::pair<double, double>> outline;
  for (int k = 0; k <= 8; ++k) {
    const double a = 0.5 * std::numbers::pi * k / 8;
    outline.emplace_back(outer * std::sin(a), outer - outer * std::cos(a));
  }
  for (int k = 8; k >= 0; --k) {
    const double a = 0.5 * std::numbers::pi * k / 8;
    outline.emplace_back(inner * std::sin(a), outer - inner * std::cos(a));
  }
  return revolved(outline);
}

inline Pose at(double x, double y, double z) { return {Vec3(x, y, z), Quat::Identity()}; }

inline std::vector<Pose> shifted(std::vector<Pose> X, const std::vector<Vec3>& shifts) {
  for (std::size_t b = 0; b < X.size(); ++b) X[b].p += shifts[b];
  return X;
}

// (body, on) of every support.
inline std::vector<std::pair<int, int>> who(const std::vector<Support>& supports) {
  std::vector<std::pair<int, int>> pairs;
  for (const Support& s : supports) pairs.emplace_back(s.body, s.on_body);
  return pairs;
}

inline int kept(const Settlement& s) {
  int count = 0;
  for (const char k : s.kept) count += k;
  return count;
}

using Pairs = std::vector<std::pair<int, int>>;
constexpr double kRest = 1e-3;

}  // namespace s4r::testing
