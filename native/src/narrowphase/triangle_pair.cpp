#include "narrowphase/triangle_pair.h"

#include <algorithm>

namespace s4r {
namespace {

// A triangle's plane and the heights of another triangle's corners over it.
struct PlaneSide {
  Vec3 n;
  double height[3];
  double lowest = 0.0, highest = 0.0;  // of its own corners: zero to rounding, unless it has no area and n is rounding

  PlaneSide(const Vec3 (&t)[3], const Vec3 (&other)[3]) : n((t[1] - t[0]).cross(t[2] - t[0])) {
    for (int k = 0; k < 3; ++k) height[k] = n.dot(other[k] - t[0]);
    for (int k = 1; k < 3; ++k) {
      const double own = n.dot(t[k] - t[0]);
      lowest = std::min(lowest, own);
      highest = std::max(highest, own);
    }
  }
  bool one_side() const {
    return (height[0] > highest && height[1] > highest && height[2] > highest) ||
           (height[0] < lowest && height[1] < lowest && height[2] < lowest);
  }
  // The edge from corner k pierces the plane of t inside the triangle. Zero
  // heights and volumes count as outside.
  bool pierced(int k, const Vec3 (&t)[3], const Vec3 (&other)[3], Vec3* at = nullptr) const {
    const double hp = height[k], hq = height[(k + 1) % 3];
    if (!(hp * hq < 0.0)) return false;
    const Vec3& p = other[k];
    const Vec3 d = other[(k + 1) % 3] - p;
    double sign = 0.0;
    for (int e = 0; e < 3; ++e) {
      const double volume = d.dot((t[e] - p).cross(t[(e + 1) % 3] - p));
      if (volume == 0.0) continue;
      if (sign == 0.0)
        sign = volume;
      else if (sign * volume < 0.0)
        return false;
    }
    if (at != nullptr) *at = p + hp / (hp - hq) * d;
    return true;
  }
};

// A triangle's edges and, if it has one, its normal.
struct Face {
  Vec3 edge[3];
  double squared[3], inverse[3];  // of the edges' lengths; inverse of 0: 0
  Vec3 n, inward[3];
  double n_inverse;  // 0 for a sliver: its edges cover it

  explicit Face(const Vec3 (&t)[3]) {
    for (int k = 0; k < 3; ++k) {
      edge[k] = t[(k + 1) % 3] - t[k];
      squared[k] = edge[k].squaredNorm();
      inverse[k] = squared[k] > 0.0 ? 1.0 / squared[k] : 0.0;
    }
    n = edge[0].cross(edge[1]);
    const double n2 = n.squaredNorm();
    n_inverse = n2 > 1e-24 * squared[0] * squared[2] ? 1.0 / n2 : 0.0;
    for (int k = 0; k < 3; ++k) inward[k] = n.cross(edge[k]);
  }
};

double clamp01(double x) { return std::min(std::max(x, 0.0), 1.0); }

// Parameters of the closest points of two segments (Lumelsky; clamp, project, clamp), without branches.
struct SegmentPair {
  double s, t, squared;

  SegmentPair(const Vec3& r, const Face& a, int i, const Face& b, int j) {  // r: from the start of b's edge to a's
    const Vec3 &u = a.edge[i], &v = b.edge[j];
    const double uv = u.dot(v), c = u.dot(r), f = v.dot(r);
    const double denominator = a.squared[i] * b.squared[j] - uv * uv;
    const double cut = clamp01((uv * f - c * b.squared[j]) / (denominator > 0.0 ? denominator : 1e300));
    t = clamp01((uv * cut + f) * b.inverse[j]);
    s = clamp01((uv * t - c) * a.inverse[i]);
    squared = (r + s * u - t * v).squaredNorm();
  }
};

}  // namespace

bool triangles_cross(const Vec3 (&a)[3], const Vec3 (&b)[3]) {
  const PlaneSide over_a(a, b);
  if (over_a.one_side()) return false;
  const PlaneSide over_b(b, a);
  if (over_b.one_side()) return false;
  for (int k = 0; k < 3; ++k)
    if (over_a.pierced(k, a, b) || over_b.pierced(k, b, a)) return true;
  return false;
}

TriangleGap triangle_gap(const Vec3 (&a)[3], const Vec3 (&b)[3]) {
  const Face face_a(a), face_b(b);
  TriangleGap best;
  double squared = 1e300, s = 0.0, t = 0.0;
  int edge_a = 0, edge_b = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const SegmentPair pair(a[i] - b[j], face_a, i, face_b, j);
      if (!(pair.squared < squared)) continue;
      squared = pair.squared;
      s = pair.s;
      t = pair.t;
      edge_a = i;
      edge_b = j;
    }
  best.on_a = a[edge_a] + s * face_a.edge[edge_a];
  best.on_b = b[edge_b] + t * face_b.edge[edge_b];
  // Corners over the other's face, where the foot falls inside.
  const auto over = [&](const Face& face, const Vec3(&of)[3], const Vec3(&corners)[3], Vec3& on_face, Vec3& on_corner) {
    if (face.n_inverse == 0.0) return;
    for (const Vec3& p : corners) {
      const double h = face.n.dot(p - of[0]), d2 = h * h * face.n_inverse;
      if (!(d2 < squared)) continue;
      if (face.inward[0].dot(p - of[0]) < 0.0 || face.inward[1].dot(p - of[1]) < 0.0 ||
          face.inward[2].dot(p - of[2]) < 0.0)
        continue;
      squared = d2;
      on_corner = p;
      on_face = p - face.n * (h * face.n_inverse);
    }
  };
  over(face_a, a, b, best.on_a, best.on_b);
  over(face_b, b, a, best.on_b, best.on_a);
  best.distance = (best.on_b - best.on_a).norm();
  return best;
}

bool triangle_intersection(const Vec3 (&a)[3], const Vec3 (&b)[3], Vec3& from, Vec3& to) {
  Vec3 points[6];
  int count = 0;
  const PlaneSide over_a(a, b), over_b(b, a);
  for (int k = 0; k < 3; ++k) {
    if (over_b.pierced(k, b, a, &points[count])) ++count;
    if (over_a.pierced(k, a, b, &points[count])) ++count;
  }
  if (count < 2) return false;
  // The two ends are the pair farthest apart (more than two only at shared
  // edges).
  double longest = -1.0;
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      if (const double d2 = (points[j] - points[i]).squaredNorm(); d2 > longest) {
        longest = d2;
        from = points[i];
        to = points[j];
      }
  return true;
}

bool triangles_only_touch(const Vec3 (&a)[3], const Vec3 (&b)[3], double limit) {
  const auto parted = [&](const Vec3& axis) {
    const double length = axis.norm();
    if (!(length > 0.0)) return false;
    double a_lo = 1e300, a_hi = -1e300, b_lo = 1e300, b_hi = -1e300;
    for (int k = 0; k < 3; ++k) {
      const double on_a = axis.dot(a[k] - a[0]), on_b = axis.dot(b[k] - a[0]);
      a_lo = std::min(a_lo, on_a);
      a_hi = std::max(a_hi, on_a);
      b_lo = std::min(b_lo, on_b);
      b_hi = std::max(b_hi, on_b);
    }
    return std::min(a_hi - b_lo, b_hi - a_lo) <= limit * length;
  };
  if (parted((a[1] - a[0]).cross(a[2] - a[0])) || parted((b[1] - b[0]).cross(b[2] - b[0]))) return true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 u = a[(i + 1) % 3] - a[i], v = b[(j + 1) % 3] - b[j], axis = u.cross(v);
      if (axis.squaredNorm() > 1e-20 * u.squaredNorm() * v.squaredNorm() && parted(axis)) return true;
    }
  return false;
}

}  // namespace s4r
