// Two triangles, exactly (in double): do they cross, and how far are they
// apart?
#pragma once

#include "s4r/geometry.h"

namespace s4r {

struct TriangleGap {
  double distance = 0.0;  // 0 when they cross or touch
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
};

// An edge of one passes through the other, or they share a point. Coplanar
// triangles that overlap touch only.
bool triangles_cross(const Vec3 (&a)[3], const Vec3 (&b)[3]);

// Along one of the axes that part convex polygons they overlap by no more than `limit`.
bool triangles_only_touch(const Vec3 (&a)[3], const Vec3 (&b)[3], double limit);

// Closest points of triangles that do not cross: vertex against face, edge
// against edge.
TriangleGap triangle_gap(const Vec3 (&a)[3], const Vec3 (&b)[3]);

// Ends of the segment in which two crossing triangles intersect; false if they
// do not cross.
bool triangle_intersection(const Vec3 (&a)[3], const Vec3 (&b)[3], Vec3& from, Vec3& to);

}  // namespace s4r
