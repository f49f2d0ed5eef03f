// FCL objects behind a Collidable. Included by narrowphase/fcl_*.cpp only.
#pragma once

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/collision_geometry.h>
#include <fcl/math/bv/OBBRSS.h>

#include <memory>

#include "narrowphase/narrowphase.h"

namespace s4r {

struct Collidable::Backend {
  // Triangle tree of meshes and hulls; null for primitives.
  std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> surface;
  // Convex solid for GJK; null for meshes.
  std::shared_ptr<fcl::CollisionGeometryd> solid;
  // The same solid as it meets triangle trees. FCL 0.7's own sphere-triangle distance reports gaps for spheres that
  // cross or enclose the triangle and swaps its witnesses, so a sphere goes there as an ellipsoid, through GJK.
  std::shared_ptr<fcl::CollisionGeometryd> solid_for_trees;
};

}  // namespace s4r
