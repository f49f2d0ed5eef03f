// Separation of two bounded solids along a direction, from their exact supports.
#pragma once

#include "geometry/gjk.h"
#include "geometry/support.h"

namespace s4r {

struct PlacedShape {
  const Shape* shape = nullptr;
  Pose X;
};

// Gap between the supporting planes of A and B normal to n (unit, from A to B): positive if a plane separates them,
// else minus the translation along n that would. Valid for every n, whatever the shapes are.
double separation_along(const PlacedShape& a, const PlacedShape& b, const Vec3& n);

// Distance of two convex solids, with the plane that proves it. Stops at this relative tolerance of the distance.
ConvexGap convex_gap(const PlacedShape& a, const PlacedShape& b, const Vec3& guess, double tolerance = kGapTolerance);

struct SeparatingPlane {
  Vec3 n = Vec3::UnitZ();
  double separation = -1e300;
};

// Best of `candidates` (any length, either sign), of the face normals of both shapes and of directions all around, the
// best few of them refined. For convex shapes -separation bounds the penetration depth from above, closely.
SeparatingPlane best_separating_plane(const PlacedShape& a, const PlacedShape& b, const std::vector<Vec3>& candidates);

// Outward face directions of a shape, if it has not too many, and its axes, in the outer frame.
std::vector<Vec3> face_directions(const PlacedShape& s);

}  // namespace s4r
