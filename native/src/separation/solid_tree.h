// A convex solid against a triangle tree: the pairs with curved solids, which
// have no triangles to put in a tree.
#pragma once

#include "geometry/separating_plane.h"
#include "narrowphase/mesh_tree.h"

namespace s4r {

struct NearTriangle {
  double separation = 0.0;  // along n; not positive: the triangle reaches into the solid
  Vec3 n = Vec3::Zero();    // unit, from the triangle to the solid
  int triangle = -1;
};

// Triangles closer to the solid (in the mesh's frame) than `range`, nearest
// first. `first_overlap`: stop at the first one that reaches into the solid.
std::vector<NearTriangle> near_triangles(const MeshTree& tree, const PlacedShape& solid, double range,
                                         bool first_overlap);

}  // namespace s4r
