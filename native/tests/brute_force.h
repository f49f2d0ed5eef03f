// Independent referee: do any two triangles of two placed meshes cross? Plane and edge tests in long double, no tree.
#pragma once

#include "s4r/geometry.h"

namespace s4r::testing {

using LVec = Eigen::Matrix<long double, 3, 1>;

inline LVec place(const Vec3& v, const Pose& X) { return (X.q * v + X.p).cast<long double>(); }

// Segment pq against triangle abc by signed volumes; generic position is assumed.
inline bool segment_crosses(const LVec& p, const LVec& q, const LVec& a, const LVec& b, const LVec& c) {
  const auto volume = [](const LVec& o, const LVec& x, const LVec& y, const LVec& z) {
    return (x - o).dot((y - o).cross(z - o));
  };
  const bool p_above = volume(p, a, b, c) > 0, q_above = volume(q, a, b, c) > 0;
  if (p_above == q_above) return false;
  const bool ab = volume(p, q, a, b) > 0, bc = volume(p, q, b, c) > 0, ca = volume(p, q, c, a) > 0;
  return ab == bc && bc == ca;
}

inline std::vector<LVec> placed_vertices(const TriangleMesh& mesh, const Pose& X) {
  std::vector<LVec> placed;
  for (const Vec3& v : mesh.vertices) placed.push_back(place(v, X));
  return placed;
}

inline bool any_triangles_cross(const TriangleMesh& a, const Pose& X_a, const TriangleMesh& b, const Pose& X_b) {
  const std::vector<LVec> va = placed_vertices(a, X_a), vb = placed_vertices(b, X_b);
  for (const auto& s : a.triangles)
    for (const auto& t : b.triangles)
      for (int k = 0; k < 3; ++k)
        if (segment_crosses(va[s[k]], va[s[(k + 1) % 3]], vb[t[0]], vb[t[1]], vb[t[2]]) ||
            segment_crosses(vb[t[k]], vb[t[(k + 1) % 3]], va[s[0]], va[s[1]], va[s[2]]))
          return true;
  return false;
}

}  // namespace s4r::testing
