#include "narrowphase/triangle_pair.h"

#include <algorithm>

namespace s4r {
namespace {

// A triangle's plane and the heights of another triangle's corners over it.
struct PlaneSide {
  Vec3 n;
  double height[3];

  PlaneSide(const Vec3 (&t)[3], const Vec3 (&other)[3]) : n((t[1] - t[0]).cross(t[2] - t[0])) {
    for (int k = 0; k < 3; ++k) height[k] = n.dot(other[k] - t[0]);
  }
  bool one_side() const {
    return (height[0] > 0.0 && height[1] > 0.0 && height[2] > 0.0) ||
           (height[0] < 0.0 && height[1] < 0.0 && height[2] < 0.0);
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

// Closest points of two segments (Lumelsky; clamp, project, clamp).
void segment_points(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v, Vec3& on_p, Vec3& on_q) {
  const Vec3 r = p - q;
  const double a = u.dot(u), e = v.dot(v), f = v.dot(r), c = u.dot(r), b = u.dot(v);
  double s = 0.0, t = 0.0;
  const double denominator = a * e - b * b;
  if (a <= 0.0) {
    t = e > 0.0 ? std::clamp(f / e, 0.0, 1.0) : 0.0;
  } else if (e <= 0.0) {
    s = std::clamp(-c / a, 0.0, 1.0);
  } else {
    s = denominator > 0.0 ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.0;
    t = (b * s + f) / e;
    if (t < 0.0) {
      t = 0.0;
      s = std::clamp(-c / a, 0.0, 1.0);
    } else if (t > 1.0) {
      t = 1.0;
      s = std::clamp((b - c) / a, 0.0, 1.0);
    }
  }
  on_p = p + s * u;
  on_q = q + t * v;
}

// Foot of p on the face of t, if it falls inside.
bool foot_on_face(const Vec3& p, const Vec3 (&t)[3], Vec3& foot) {
  const Vec3 e0 = t[1] - t[0], e1 = t[2] - t[0], n = e0.cross(e1);
  const double n2 = n.squaredNorm();
  if (!(n2 > 1e-24 * e0.squaredNorm() * e1.squaredNorm())) return false;  // sliver: its edges cover it
  for (int k = 0; k < 3; ++k)
    if (n.cross(t[(k + 1) % 3] - t[k]).dot(p - t[k]) < 0.0) return false;
  foot = p - n * (n.dot(p - t[0]) / n2);
  return true;
}

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
  TriangleGap best;
  double squared = 1e300;
  const auto consider = [&](const Vec3& on_a, const Vec3& on_b) {
    const double d2 = (on_b - on_a).squaredNorm();
    if (d2 < squared) {
      squared = d2;
      best.on_a = on_a;
      best.on_b = on_b;
    }
  };
  Vec3 on_a, on_b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      segment_points(a[i], a[(i + 1) % 3] - a[i], b[j], b[(j + 1) % 3] - b[j], on_a, on_b);
      consider(on_a, on_b);
    }
  for (int k = 0; k < 3; ++k) {
    if (foot_on_face(a[k], b, on_b)) consider(a[k], on_b);
    if (foot_on_face(b[k], a, on_a)) consider(on_a, b[k]);
  }
  best.distance = std::sqrt(squared);
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

}  // namespace s4r
