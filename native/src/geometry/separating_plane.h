// Separation of two bounded solids along a direction, from their exact supports.
#pragma once

#include "geometry/support.h"

namespace s4r {

struct PlacedShape {
  const Shape* shape = nullptr;
  Pose X;
};

// Gap between the supporting planes of A and B normal to n (unit, from A to B): positive if a plane separates them,
// else minus the translation along n that would. Valid for every n, whatever the shapes are.
double separation_along(const PlacedShape& a, const PlacedShape& b, const Vec3& n);

struct SeparatingPlane {
  Vec3 n = Vec3::UnitZ();
  double separation = -1e300;
};

// Best of `candidates` (any length, either sign), of the face normals of both shapes and of a local ascent from there.
// For convex shapes -separation bounds the penetration depth from above, closely.
SeparatingPlane best_separating_plane(const PlacedShape& a, const PlacedShape& b, const std::vector<Vec3>& candidates);

// Outward face directions of a shape in the outer frame; axes and sample directions for curved and large shapes.
std::vector<Vec3> face_directions(const PlacedShape& s);

}  // namespace s4r
