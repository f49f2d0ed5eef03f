// Triangle meshes of different character for the referee and fuzz tests; closed and outward-oriented.
#pragma once

#include <algorithm>

#include "scenes.h"

namespace s4r::testing {

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b, const Vec3& shift) {
  const int n = static_cast<int>(a.vertices.size());
  for (const Vec3& v : b.vertices) a.vertices.push_back(v + shift);
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  return a;
}

// Prism over a polygon of the x-z plane; `caps`: its triangles, counter-clockwise seen from -y.
inline TriangleMesh prism(const std::vector<std::pair<double, double>>& outline,
                          const std::vector<std::array<int, 3>>& caps, double half_width) {
  TriangleMesh m;
  const int n = static_cast<int>(outline.size());
  for (const double y : {-half_width, half_width})
    for (const auto& [x, z] : outline) m.vertices.emplace_back(x, y, z);
  for (const auto& t : caps) {
    m.triangles.push_back({t[0], t[1], t[2]});
    m.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  }
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    m.triangles.push_back({k, k + n, next});
    m.triangles.push_back({next, k + n, next + n});
  }
  return m;
}

inline TriangleMesh l_profile(double size, double thickness, double half_width) {
  const double s = size, t = thickness;
  return prism({{-s, -s}, {s, -s}, {s, -s + t}, {-s + t, -s + t}, {-s + t, s}, {-s, s}},
               {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, half_width);
}

inline TriangleMesh u_profile(double size, double thickness, double half_width) {
  const double s = size, i = size - thickness;
  return prism({{-s, -s}, {s, -s}, {s, s}, {i, s}, {i, -i}, {-i, -i}, {-i, s}, {-s, s}},
               {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}}, half_width);
}

// Convex hull of random points in a box: every plane through three of them that has all others behind it.
inline TriangleMesh random_hull(std::mt19937_64& rng, int count, const Vec3& half) {
  std::normal_distribution<double> normal;
  TriangleMesh m;
  for (int k = 0; k < count; ++k)
    m.vertices.push_back(half.cwiseProduct(Vec3(normal(rng), normal(rng), normal(rng)).normalized()));
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      for (int k = j + 1; k < count; ++k) {
        const Vec3 n = (m.vertices[j] - m.vertices[i]).cross(m.vertices[k] - m.vertices[i]);
        int above = 0, below = 0;
        for (int v = 0; v < count; ++v)
          if (v != i && v != j && v != k) ++(n.dot(m.vertices[v] - m.vertices[i]) > 0.0 ? above : below);
        if (above == 0) m.triangles.push_back({i, j, k});
        if (below == 0) m.triangles.push_back({i, k, j});
      }
  return m;
}

// A sphere of latitudes and longitudes; `radius()` is asked for each vertex in turn.
template <typename Radius>
TriangleMesh globe(int rings, const Radius& radius) {
  const int columns = 2 * rings;
  TriangleMesh m;
  m.vertices.emplace_back(0, 0, radius());
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < columns; ++j) {
      const double t = std::numbers::pi * i / rings, a = 2 * std::numbers::pi * j / columns;
      m.vertices.push_back(radius() * Vec3(std::sin(t) * std::cos(a), std::sin(t) * std::sin(a), std::cos(t)));
    }
  m.vertices.emplace_back(0, 0, -radius());
  const int last = static_cast<int>(m.vertices.size()) - 1;
  const auto at = [&](int i, int j) { return 1 + (i - 1) * columns + j % columns; };
  for (int j = 0; j < columns; ++j) {
    m.triangles.push_back({0, at(1, j), at(1, j + 1)});
    m.triangles.push_back({last, at(rings - 1, j + 1), at(rings - 1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return m;
}

// A globe of random radii: star-shaped, far from convex.
inline TriangleMesh random_star(std::mt19937_64& rng, int rings, double inner, double outer) {
  std::uniform_real_distribution<double> radius(inner, outer);
  return globe(rings, [&] { return radius(rng); });
}

}  // namespace s4r::testing
