// What score_pair is made of. All in the frame of A; normals point from A to B.
#pragma once

#include "narrowphase/narrowphase.h"

namespace s4r {

inline constexpr int kMaxContacts = 16;  // contacts or crossing triangles looked at per pair (Algorithm 2)

// Two convex solids, in closed form.
Score score_convex(const Shape& a, const Shape& b, const Pose& X_ab);

// Surfaces of a mesh and a primitive, and of two meshes or hulls. Knows no containment. When they cross, a local depth.
Score score_mesh_primitive(const Collidable& mesh, const Shape& primitive, const Pose& X_ab);
Score score_meshes(const Collidable& a, const Collidable& b, const Pose& X_ab);
// Do the surfaces of two meshes or hulls meet?
bool surfaces_meet(const Collidable& a, const Collidable& b, const Pose& X_ab);

}  // namespace s4r
