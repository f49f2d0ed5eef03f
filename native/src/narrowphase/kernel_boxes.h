// Box against the eight boxes of a node, on the lane type F of the including file. One copy per instruction set.
#pragma once

#include "narrowphase/tree_kernels.h"

namespace s4r {
namespace {

// Weight of the squared distance of the centres in the order of descent: among boxes that all touch, the deepest first.
constexpr float kCentreWeight = 0.1f;

struct Direction {
  float x, y, z;
};

inline float absolute(float x) { return x < 0.0f ? -x : x; }

// Half the width of a box along n.
inline float reach_along(const PackedBox& box, const Direction& n) {
  float reach = 0.0f;
  for (int k = 0; k < 3; ++k)
    reach += box.axis[k][3] * absolute(box.axis[k][0] * n.x + box.axis[k][1] * n.y + box.axis[k][2] * n.z);
  return reach;
}

// In two steps, as the second is not always needed.
inline void move_centre(const PackedBox& box, const Similarity& X, PackedBox& to) {
  const F4 x = F4::load(X.column[0]), y = F4::load(X.column[1]), z = F4::load(X.column[2]);
  (F4(X.k) * (x * F4(box.c[0]) + y * F4(box.c[1]) + z * F4(box.c[2])) + F4::load(X.t)).store(to.c);
}

inline void move_axes(const PackedBox& box, const Similarity& X, PackedBox& to) {
  const F4 x = F4::load(X.column[0]), y = F4::load(X.column[1]), z = F4::load(X.column[2]);
  for (int k = 0; k < 3; ++k) {
    (x * F4(box.axis[k][0]) + y * F4(box.axis[k][1]) + z * F4(box.axis[k][2])).store(to.axis[k]);
    to.axis[k][3] = X.k * box.axis[k][3];
  }
}

// Lanes from `first` of a node against a single box, in the node's frame and units.
template <typename F>
struct Lanes {
  F D[3], A[3][3], H[3];  // from the box's centre; axes; half extents

  Lanes(const PackedBox& s, const TreeNode& n, int first) {
    for (int d = 0; d < 3; ++d) {
      D[d] = F::load(n.c[d] + first) - F(s.c[d]);
      H[d] = F::load(n.h[d] + first);
      for (int k = 0; k < 3; ++k) A[k][d] = F::load(n.axis[k][d] + first);
    }
  }

  F empty() const { return less(H[0], F(0.0f)); }
  F centre_squared() const { return D[0] * D[0] + D[1] * D[1] + D[2] * D[2]; }

  // Lower bound of the squared distance: the face axes of either box, and the line of the centres.
  F bound_squared(const PackedBox& s) const {
    const F zero(0.0f);
    F sum_s = zero, sum_n = zero, reach = zero;
    F reach_of_s[3] = {zero, zero, zero};  // of the single box along each lane axis
    for (int i = 0; i < 3; ++i) {
      const F s0(s.axis[i][0]), s1(s.axis[i][1]), s2(s.axis[i][2]), h(s.axis[i][3]);
      const F along = abs(s0 * D[0] + s1 * D[1] + s2 * D[2]);
      F gap = along - h;
      for (int k = 0; k < 3; ++k) {
        const F m = abs(s0 * A[k][0] + s1 * A[k][1] + s2 * A[k][2]);
        gap = gap - H[k] * m;
        reach_of_s[k] = reach_of_s[k] + h * m;
      }
      gap = max(gap, zero);
      sum_s = sum_s + gap * gap;
      reach = reach + h * along;
    }
    for (int k = 0; k < 3; ++k) {
      const F along = abs(A[k][0] * D[0] + A[k][1] * D[1] + A[k][2] * D[2]);
      const F gap = max(along - H[k] - reach_of_s[k], zero);
      sum_n = sum_n + gap * gap;
      reach = reach + H[k] * along;
    }
    // D . (x_n - x_s) >= |D|^2 - reach for all points of the two.
    const F squared = centre_squared(), gap = max(squared - reach, zero);
    return max(max(sum_s, sum_n), gap * gap / max(squared, F(1e-30f)));
  }

  // Gap along n, from the single box, whose half width along n is `reach`, to the lanes.
  F separation(const Direction& n, float reach) const {
    const F n0(n.x), n1(n.y), n2(n.z);
    F gap = n0 * D[0] + n1 * D[1] + n2 * D[2] - F(reach);
    for (int k = 0; k < 3; ++k) gap = gap - H[k] * abs(A[k][0] * n0 + A[k][1] * n1 + A[k][2] * n2);
    return gap;
  }
};

}  // namespace
}  // namespace s4r
