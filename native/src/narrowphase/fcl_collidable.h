// FCL objects behind a Collidable. Included by narrowphase/fcl_*.cpp only.
#pragma once

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>

#include <memory>

#include "narrowphase/narrowphase.h"

namespace s4r {

using TriangleTree = fcl::BVHModel<fcl::OBBRSSd>;

// Trees are built this much larger: FCL 0.7 ignores faces whose squared normal is below 1e-15 and classifies contacts
// to 1e-5, both absolute. A power of two, so that it costs no digit.
inline constexpr double kTreeScale = 8192.0;

struct Collidable::Backend {
  std::unique_ptr<TriangleTree> tree;  // of meshes and hulls, null for primitives
};

}  // namespace s4r
