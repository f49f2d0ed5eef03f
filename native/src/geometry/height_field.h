// Height fields as closed triangle meshes: exact, since the surface is piecewise linear.
#pragma once

#include "s4r/geometry.h"

namespace s4r {

// Closed, outward-oriented mesh: surface, side walls, flat bottom at z = -base depth.
TriangleMesh height_field_mesh(const Shape& shape);

// Point farthest along `direction`.
Vec3 height_field_support(const Shape& shape, const Vec3& direction);

}  // namespace s4r
