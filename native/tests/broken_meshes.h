// Meshes as they should not be, but are: what scanners, exporters and decimators leave behind.
#pragma once

#include "mesh_families.h"

namespace s4r::testing {

inline constexpr int kBrokenKinds = 12;
inline constexpr int kWithoutArea = 3;

inline TriangleMesh single_triangle(double size, double height) {
  return {{Vec3(-size, 0, 0), Vec3(size, 0, 0), Vec3(0.3 * size, height, 0)}, {{0, 1, 2}}};
}

// About `size` across.
inline TriangleMesh broken_mesh(int kind, double size, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> U(-1, 1);
  TriangleMesh m = kind % 2 == 0 ? torus(0.35 * size, 0.15 * size, 9, 5) : random_star(rng, 4, 0.2 * size, 0.6 * size);
  const int count = static_cast<int>(m.vertices.size());
  const auto vertex = [&] { return static_cast<int>(rng() % count); };
  switch (kind) {
    case 0: break;  // sound
    case 1: return single_triangle(0.5 * size, 0.4 * size);
    case 2: return single_triangle(0.5 * size, 1e-9 * size);  // a needle
    case kWithoutArea: return single_triangle(0.5 * size, 0.0);
    case 4:  // slivers across the inside
      for (int k = 0; k < 6; ++k) {
        const int a = vertex(), b = vertex();
        m.vertices.push_back(m.vertices[a] + 1e-12 * size * Vec3(U(rng), U(rng), U(rng)));
        m.triangles.push_back({a, b, static_cast<int>(m.vertices.size()) - 1});
      }
      break;
    case 5:  // no area: repeated and collinear corners
      m.vertices.push_back(0.5 * (m.vertices[0] + m.vertices[1]));
      m.triangles.insert(m.triangles.end(), {{0, 0, 0}, {0, 1, 0}, {0, 1, count}, {2, 2, 3}});
      break;
    case 6:  // twice the same
      for (int k = 0; k < 20; ++k) m.triangles.push_back(std::array<int, 3>(m.triangles[k]));
      break;
    case 7: {  // a soup: every triangle has corners of its own
      TriangleMesh soup;
      for (const auto& t : m.triangles) {
        const int first = static_cast<int>(soup.vertices.size());
        for (const int v : t) soup.vertices.push_back(m.vertices[v]);
        soup.triangles.push_back({first, first + 1, first + 2});
      }
      return soup;
    }
    case 8: m.triangles.resize(2 * m.triangles.size() / 3); break;  // open
    case 9:                                                         // self-intersecting
      for (Vec3& v : m.vertices)
        if (rng() % 5 == 0) v = -v;
      break;
    case 10:  // inconsistent winding
      for (auto& t : m.triangles)
        if (rng() % 2 == 0) std::swap(t[1], t[2]);
      break;
    default: return joined(m, box_mesh(Vec3::Constant(0.2 * size)), {0.1 * size, 0.8 * size, 0});  // two components
  }
  return m;
}

}  // namespace s4r::testing
