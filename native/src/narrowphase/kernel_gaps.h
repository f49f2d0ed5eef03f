// Squared distances of triangle pairs in double, on the lane type D of the including file: the steps of triangle_gap.
#pragma once

#include "narrowphase/kernel_triangles.h"

namespace s4r {
namespace {

template <typename D>
struct ExactTriangles {
  V<D> v[3], e[3];
  D square[3], inverse[3];

  ExactTriangles(const double (*p)[kLanes], int first) {
    for (int k = 0; k < 3; ++k)
      v[k] = {D::load(p[3 * k] + first), D::load(p[3 * k + 1] + first), D::load(p[3 * k + 2] + first)};
    for (int k = 0; k < 3; ++k) {
      e[k] = v[(k + 1) % 3] - v[k];
      square[k] = dot(e[k], e[k]);
      inverse[k] = D(1.0) / max(square[k], D(1e-300));
    }
  }
};

template <typename D>
inline D clamped(D x) {
  return min(max(x, D(0.0)), D(1.0));
}

template <typename D>
inline D exact_face_squared(const ExactTriangles<D>& t, const ExactTriangles<D>& q, D best) {
  const V<D> n = cross(t.e[0], t.e[1]);
  const D square = dot(n, n), inverse = D(1.0) / max(square, D(1e-300)), zero(0.0);
  const D sliver = less(square, D(1e-24) * t.square[0] * t.square[2] + D(1e-300));
  const V<D> m[3] = {cross(n, t.e[0]), cross(n, t.e[1]), cross(n, t.e[2])};
  for (int k = 0; k < 3; ++k) {
    const V<D> r = q.v[k] - t.v[0];
    const D outside = either(either(less(dot(m[0], r), zero), less(dot(m[1], q.v[k] - t.v[1]), zero)),
                             less(dot(m[2], q.v[k] - t.v[2]), zero));
    const D h = dot(n, r);
    // Outside: not a number, for which min gives the second.
    best = min(either(h * h * inverse, either(outside, sliver)), best);
  }
  return best;
}

// Of triangles a, b [3 * corner + component][pair] that do not cross.
template <typename D>
void exact_gaps(const double (*a)[kLanes], const double (*b)[kLanes], int count, double* squared) {
  for (int first = 0; first < count; first += D::width) {
    const ExactTriangles<D> ta(a, first), tb(b, first);
    D best(1e300);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const V<D> r = ta.v[i] - tb.v[j];
        const V<D>&u = ta.e[i], &v = tb.e[j];
        const D uv = dot(u, v), c = dot(u, r), f = dot(v, r);
        const D determinant = max(ta.square[i] * tb.square[j] - uv * uv, D(1e-300));
        const D cut = clamped((uv * f - c * tb.square[j]) / determinant);
        const D t = clamped((uv * cut + f) * tb.inverse[j]);
        const D s = clamped((uv * t - c) * ta.inverse[i]);
        const V<D> d{r.x + s * u.x - t * v.x, r.y + s * u.y - t * v.y, r.z + s * u.z - t * v.z};
        best = min(dot(d, d), best);
      }
    exact_face_squared(tb, ta, exact_face_squared(ta, tb, best)).store(squared + first);
  }
}

}  // namespace
}  // namespace s4r
