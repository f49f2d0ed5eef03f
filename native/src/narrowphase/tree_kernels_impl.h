// The kernels, on the eight-lane type F8 that the including file brings. One
// copy per instruction set.
#include "narrowphase/tree_kernels.h"

namespace s4r {
namespace {

float dot3(const float (&a)[3], const float (&b)[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
float absolute(float x) { return x < 0.0f ? -x : x; }
float larger(float x, float y) { return x > y ? x : y; }
float smaller(float x, float y) { return x < y ? x : y; }

int lower_bounds(const OneBox& s, const TreeNode& n, const Axes& axes, float* out) {
  F8 D[3], A[3][3], H[3];
  for (int d = 0; d < 3; ++d) {
    D[d] = F8::load(n.c[d]) - F8(s.c[d]);
    H[d] = F8::load(n.h[d]);
    for (int k = 0; k < 3; ++k) A[k][d] = F8::load(n.axis[k][d]);
  }
  const F8 zero(0.0f);
  F8 sum_s = zero, sum_n = zero, reach_s = zero, reach_n = zero;
  F8 reach_of_s[3] = {zero, zero, zero};  // of the single box along each lane axis
  for (int i = 0; i < 3; ++i) {
    const F8 s0(s.axis[i][0]), s1(s.axis[i][1]), s2(s.axis[i][2]), h(s.h[i]);
    const F8 along = abs(s0 * D[0] + s1 * D[1] + s2 * D[2]);
    F8 reach = h;
    for (int k = 0; k < 3; ++k) {
      const F8 m = abs(s0 * A[k][0] + s1 * A[k][1] + s2 * A[k][2]);
      reach = reach + H[k] * m;
      reach_of_s[k] = reach_of_s[k] + h * m;
    }
    const F8 gap = max(along - reach, zero);
    sum_s = sum_s + gap * gap;
    reach_s = reach_s + h * along;
  }
  for (int k = 0; k < 3; ++k) {
    const F8 along = abs(A[k][0] * D[0] + A[k][1] * D[1] + A[k][2] * D[2]);
    const F8 gap = max(along - H[k] - reach_of_s[k], zero);
    sum_n = sum_n + gap * gap;
    reach_n = reach_n + H[k] * along;
  }
  F8 bound = sqrt(max(sum_s, sum_n));
  const F8 squared = D[0] * D[0] + D[1] * D[1] + D[2] * D[2];
  const F8 length = sqrt(squared);
  bound = max(bound, (squared - reach_s - reach_n) / max(length, F8(1e-30f)));
  F8 dropped = less(H[0], zero);  // empty lanes
  for (int x = 0; x < axes.count; ++x) {
    const float(&u)[3] = axes.n[x];
    float reach = 0.0f;
    for (int i = 0; i < 3; ++i) reach += s.h[i] * absolute(dot3(s.axis[i], u));
    const F8 u0(u[0]), u1(u[1]), u2(u[2]);
    F8 separation = u0 * D[0] + u1 * D[1] + u2 * D[2] - F8(reach);
    for (int k = 0; k < 3; ++k) separation = separation - H[k] * abs(A[k][0] * u0 + A[k][1] * u1 + A[k][2] * u2);
    dropped = either(dropped, less(F8(axes.separation[x]), separation));
  }
  bound.store(out);
  return bits(dropped);
}

struct V8 {
  F8 x, y, z;
};
V8 operator-(const V8& a, const V8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
F8 dot(const V8& a, const V8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
V8 cross(const V8& a, const V8& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
V8 load(const float (&v)[3][kLanes]) { return {F8::load(v[0]), F8::load(v[1]), F8::load(v[2])}; }

// Lanes whose triangles are not separated by the plane of either: candidates
// for an exact crossing test.
int maybe_crossing(const V8 (&a)[3], const V8 (&b)[3], float slack) {
  F8 apart = less(F8(1.0f), F8(0.0f));
  for (int side = 0; side < 2; ++side) {
    const auto& p = side == 0 ? a : b;
    const auto& q = side == 0 ? b : a;
    const V8 n = cross(p[1] - p[0], p[2] - p[0]);
    const F8 tolerance = F8(slack) * sqrt(dot(n, n));
    const F8 s0 = dot(n, q[0] - p[0]), s1 = dot(n, q[1] - p[0]), s2 = dot(n, q[2] - p[0]);
    apart = either(apart, less(tolerance, min(s0, min(s1, s2))));
    apart = either(apart, less(max(s0, max(s1, s2)), F8(0.0f) - tolerance));
  }
  return ~bits(apart) & 0xff;
}

F8 clamp01(F8 x) { return min(max(x, F8(0.0f)), F8(1.0f)); }

F8 segment_squared(const V8& p, const V8& u, const V8& q, const V8& v) {
  const F8 tiny(1e-30f);
  const V8 r = p - q;
  const F8 a = dot(u, u), e = dot(v, v), b = dot(u, v), c = dot(u, r), f = dot(v, r);
  const F8 denominator = a * e - b * b;
  F8 s = clamp01((b * f - c * e) / max(denominator, tiny));
  const F8 t = clamp01((b * s + f) / max(e, tiny));
  s = clamp01((b * t - c) / max(a, tiny));
  const V8 d{r.x + s * u.x - t * v.x, r.y + s * u.y - t * v.y, r.z + s * u.z - t * v.z};
  return dot(d, d);
}

// Squared distance of each point to the face, where its foot is inside; else
// unchanged.
void face_squared(const V8 (&t)[3], const V8 (&p)[3], F8& best) {
  const V8 e[3] = {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
  const V8 n = cross(e[0], t[2] - t[0]);
  const F8 square = dot(n, n), nn = max(square, F8(1e-30f));
  // A sliver has no usable normal; it is as thin as the slack, so its edges
  // stand for it.
  const F8 sliver = either(less(square, F8(1e-12f) * dot(e[0], e[0]) * dot(e[2], e[2])), less(square, F8(1e-30f)));
  const V8 m[3] = {cross(n, e[0]), cross(n, e[1]), cross(n, e[2])};
  for (int k = 0; k < 3; ++k) {
    const F8 outside =
        either(sliver, either(either(less(dot(m[0], p[k] - t[0]), F8(0.0f)), less(dot(m[1], p[k] - t[1]), F8(0.0f))),
                              less(dot(m[2], p[k] - t[2]), F8(0.0f))));
    const F8 h = dot(n, p[k] - t[0]);
    best = min(best, select(outside, h * h / nn, best));
  }
}

F8 distance_squared(const V8 (&a)[3], const V8 (&b)[3]) {
  F8 best(1e30f);
  const V8 ea[3] = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const V8 eb[3] = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) best = min(best, segment_squared(a[i], ea[i], b[j], eb[j]));
  face_squared(a, b, best);
  face_squared(b, a, best);
  return best;
}

void leaf_pairs(const TreeLeaf& la, const TreeLeaf& lb, const Similarity& to_a, const Axes& axes, float reach,
                LeafPairs* out) {
  F8 lo[3] = {F8(1e30f), F8(1e30f), F8(1e30f)}, hi[3] = {F8(-1e30f), F8(-1e30f), F8(-1e30f)};
  V8 b[3];
  const F8 k(to_a.k);
  for (int v = 0; v < 3; ++v) {
    const F8 x = F8::load(lb.v[v][0]), y = F8::load(lb.v[v][1]), z = F8::load(lb.v[v][2]);
    F8 p[3];
    for (int i = 0; i < 3; ++i) {
      p[i] = k * (F8(to_a.R[i][0]) * x + F8(to_a.R[i][1]) * y + F8(to_a.R[i][2]) * z) + F8(to_a.t[i]);
      lo[i] = min(lo[i], p[i]);
      hi[i] = max(hi[i], p[i]);
      p[i].store(out->b[v][i]);
    }
    b[v] = {p[0], p[1], p[2]};
  }
  F8 nearest[kMaxAxes];
  for (int x = 0; x < axes.count; ++x) {
    const F8 n0(axes.n[x][0]), n1(axes.n[x][1]), n2(axes.n[x][2]);
    nearest[x] = F8(1e30f);
    for (const V8& p : b) nearest[x] = min(nearest[x], n0 * p.x + n1 * p.y + n2 * p.z);
  }
  const int present = (1 << lb.count) - 1;
  const F8 reach2(reach * reach);
  for (int i = 0; i < kLanes; ++i) {
    out->alive[i] = 0;
    if (i >= la.count) continue;
    F8 squared(0.0f);
    for (int d = 0; d < 3; ++d) {
      const float a0 = la.v[0][d][i], a1 = la.v[1][d][i], a2 = la.v[2][d][i];
      const F8 gap =
          max(max(lo[d] - F8(larger(a0, larger(a1, a2))), F8(smaller(a0, smaller(a1, a2))) - hi[d]), F8(0.0f));
      squared = squared + gap * gap;
    }
    int alive = ~bits(less(reach2, squared)) & present;
    for (int x = 0; x < axes.count && alive != 0; ++x) {
      float farthest = -1e30f;
      for (int v = 0; v < 3; ++v)
        farthest = larger(farthest,
                          axes.n[x][0] * la.v[v][0][i] + axes.n[x][1] * la.v[v][1][i] + axes.n[x][2] * la.v[v][2][i]);
      alive &= ~bits(less(F8(farthest + axes.separation[x]), nearest[x]));
    }
    out->alive[i] = static_cast<unsigned char>(alive);
  }
}

int triangle_pairs(const Batch& batch, float slack, float* squared) {
  const V8 a[3] = {load(batch.a[0]), load(batch.a[1]), load(batch.a[2])};
  const V8 b[3] = {load(batch.b[0]), load(batch.b[1]), load(batch.b[2])};
  distance_squared(a, b).store(squared);
  return maybe_crossing(a, b, slack);
}

}  // namespace
}  // namespace s4r
