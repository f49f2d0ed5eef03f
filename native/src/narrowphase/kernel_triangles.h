// Eight triangle pairs at a time, on the lane type F of the including file. One copy per instruction set.
#pragma once

#include "narrowphase/tree_kernels.h"

namespace s4r {
namespace {

template <typename F>
struct V {
  F x, y, z;
  friend V operator-(const V& a, const V& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
};
template <typename F>
inline F dot(const V<F>& a, const V<F>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename F>
inline V<F> cross(const V<F>& a, const V<F>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <typename F>
inline F length1(const V<F>& a) {  // not below the length
  return abs(a.x) + abs(a.y) + abs(a.z);
}

template <typename F>
struct Triangles {
  V<F> v[3], e[3];  // e[k] from v[k] to the next

  Triangles(const float (*p)[2 * kLanes], int first) {
    for (int k = 0; k < 3; ++k)
      v[k] = {F::load(p[3 * k] + first), F::load(p[3 * k + 1] + first), F::load(p[3 * k + 2] + first)};
    for (int k = 0; k < 3; ++k) e[k] = v[(k + 1) % 3] - v[k];
  }
};

// Squared length and its inverse; of an edge without length the inverse is finite.
template <typename F>
struct Edge {
  F square, inverse;
  explicit Edge(const V<F>& e) : square(dot(e, e)), inverse(F(1.0f) / max(square, F(1e-30f))) {}
};

template <typename F>
inline F clamp01(F x) {
  return min(max(x, F(0.0f)), F(1.0f));
}

// Lower bound of the squared distance of segments p + s u, q + t v (Lumelsky; clamp, project, clamp). Nearly parallel
// ones lose digits of s and t by cancellation: the points found lie eps |u| |v| max(|u|, |v|) / |u x v| beside the
// closest ones at most, across the closest distance, so that its square comes off.
template <typename F>
inline F segments_squared(const V<F>& p, const V<F>& u, const Edge<F>& eu, const V<F>& q, const V<F>& v,
                          const Edge<F>& ev) {
  constexpr float kRounding = 4e-13f;  // (about 5 eps)^2
  const V<F> r = p - q;
  const F b = dot(u, v), c = dot(u, r), f = dot(v, r);
  const F product = eu.square * ev.square;
  const F inverse = F(1.0f) / max(max(product - b * b, F(1e-6f) * product), F(1e-36f));
  F s = clamp01((b * f - c * ev.square) * inverse);
  const F t = clamp01((b * s + f) * ev.inverse);
  s = clamp01((b * t - c) * eu.inverse);
  const V<F> d{r.x + s * u.x - t * v.x, r.y + s * u.y - t * v.y, r.z + s * u.z - t * v.z};
  return dot(d, d) - F(kRounding) * product * (eu.square + ev.square) * inverse;
}

// Lower bound of the squared distance of the corners of q to the face of t, where a foot is inside; else `best`. The
// height over a sliver is known to slack |e|^2 / |n| only. One too thin to tell inside from outside stands for its
// plane.
template <typename F>
inline F face_squared(const Triangles<F>& t, const Triangles<F>& q, float slack, F best) {
  const V<F> n = cross(t.e[0], t.e[1]);
  const F square = dot(n, n), inverse = F(1.0f) / max(square, F(1e-36f));
  const F size = length1(t.e[0]) * length1(t.e[1]), error = F(slack) * size;
  const F thin = less(square, F(1e-8f) * size * size);
  const V<F> m[3] = {cross(n, t.e[0]), cross(n, t.e[1]), cross(n, t.e[2])};
  const F zero(0.0f);
  for (int k = 0; k < 3; ++k) {
    const V<F> r = q.v[k] - t.v[0];
    const F outside =
        either(either(less(dot(m[0], r), zero), less(dot(m[1], q.v[k] - t.v[1]), zero)), less(dot(m[2], r), zero));
    const F h = max(abs(dot(n, r)) - error, zero);
    // Outside: all bits set, not a number, for which min gives the second.
    best = min(either(h * h * inverse, without(outside, thin)), best);
  }
  return best;
}

// Lower bounds of the squared distances of triangles that do not cross, but for the slack.
template <typename F>
inline F distance_squared(const Triangles<F>& a, const Triangles<F>& b, float slack) {
  const Edge<F> ea[3] = {Edge<F>(a.e[0]), Edge<F>(a.e[1]), Edge<F>(a.e[2])};
  F best(1e30f);
  for (int j = 0; j < 3; ++j) {
    const Edge<F> eb(b.e[j]);
    for (int i = 0; i < 3; ++i) best = min(best, segments_squared(a.v[i], a.e[i], ea[i], b.v[j], b.e[j], eb));
  }
  return max(face_squared(b, a, slack, face_squared(a, b, slack, best)), F(0.0f));
}

// Heights of q's corners over t's plane, certain in sign where not within `error` of 0.
template <typename F>
struct Sides {
  F above[3], below[3];
  Sides(const Triangles<F>& t, const Triangles<F>& q, F error) {
    const V<F> n = cross(t.e[0], t.e[1]);
    for (int k = 0; k < 3; ++k) {
      const F h = dot(n, q.v[k] - t.v[0]);
      above[k] = less(error, h);
      below[k] = less(h, F(0.0f) - error);
    }
  }
  F apart() const { return either(both(both(above[0], above[1]), above[2]), both(both(below[0], below[1]), below[2])); }
  // The edge from corner k to the next certainly stays on one side.
  F misses(int k) const {
    const int next = (k + 1) % 3;
    return either(both(above[k], above[next]), both(below[k], below[next]));
  }
};

// Lanes whose triangles may cross: no edge of either is certain to miss the other. The signs of heights and volumes
// decide as in triangles_cross, but within the rounding of float they are unknown.
template <typename F>
inline int maybe_crossing(const Triangles<F>& a, const Triangles<F>& b, float slack) {
  constexpr int kAll = (1 << F::width) - 1;
  // Moving a corner by the slack changes a volume by slack times twice the face opposite to it, at most.
  const F ra = max(length1(a.e[0]), length1(a.e[1])), rb = max(length1(b.e[0]), length1(b.e[1]));
  const F r = length1(b.v[0] - a.v[0]) + ra + ra + rb + rb, s(slack);
  const Sides<F> over_a(a, b, s * (ra + ra) * (ra + r)), over_b(b, a, s * (rb + rb) * (rb + r));
  const F apart = either(over_a.apart(), over_b.apart());
  if (bits(apart) == kAll) return 0;
  const F error = s * (F(4.0f) * (ra * rb + (ra + rb) * r));
  F positive_a[3], negative_a[3], hit = less(F(1.0f), F(0.0f));
  const F none = hit;
  for (int i = 0; i < 3; ++i) positive_a[i] = negative_a[i] = none;
  F missed = less(F(0.0f), F(1.0f));
  for (int j = 0; j < 3; ++j) {
    F positive_b = none, negative_b = none;
    for (int i = 0; i < 3; ++i) {
      const F volume = dot(cross(a.e[i], b.e[j]), b.v[j] - a.v[i]);
      const F positive = less(error, volume), negative = less(volume, F(0.0f) - error);
      positive_b = either(positive_b, positive);
      negative_b = either(negative_b, negative);
      positive_a[i] = either(positive_a[i], positive);
      negative_a[i] = either(negative_a[i], negative);
    }
    missed = both(missed, either(over_a.misses(j), both(positive_b, negative_b)));
  }
  for (int i = 0; i < 3; ++i) missed = both(missed, either(over_b.misses(i), both(positive_a[i], negative_a[i])));
  return ~bits(either(apart, missed)) & kAll;
}

}  // namespace
}  // namespace s4r
