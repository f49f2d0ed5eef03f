// Inside tests: winding number, connected components and closedness of meshes; closed forms of primitives.
#pragma once

#include <array>

#include "s4r/geometry.h"

namespace s4r {

// Generalised winding number of a point: 1 inside an outward-oriented closed mesh, 0 outside.
// Sum of signed solid angles (van Oosterom and Strackee, 1983) over 4 pi.
double winding_number(const TriangleMesh& mesh, const Vec3& point);

// Where the half-line p + t n, t > 0, meets the mesh, in ascending order.
std::vector<double> line_crossings(const TriangleMesh& mesh, const Vec3& p, const Vec3& n);

// True if every directed edge is matched by exactly as many opposite ones.
bool is_closed(const TriangleMesh& mesh);

// A connected component (by shared vertex indices): its vertices of lowest index, lowest x, highest x, lowest y, ...
// Inside of another solid they all are, if any part of a component whose surface does not cross that solid's is.
using Component = std::array<Vec3, 7>;
std::vector<Component> components(const TriangleMesh& mesh);

// True if the point lies strictly inside the primitive (not a mesh, half-space or height field).
bool primitive_contains(const Shape& shape, const Vec3& point);

}  // namespace s4r
