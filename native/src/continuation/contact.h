// One geom pair as the continuation sees it: the score of Algorithm 2 at the current scale, and what a QP row needs.
#pragma once

#include "s4r/geometry.h"

namespace s4r {

struct Contact {
  int geom_a = 0, geom_b = 0;    // geom_a < geom_b
  int unit_a = -1, unit_b = -1;  // -1: obstacle
  double distance = 0.0;         // signed; measured at a refresh, predicted in between (Eq. 5)
  Vec3 n = Vec3::Zero();         // unit, from A to B, frozen until the next refresh
  double closure = 0.0;          // E_ij: loss of gap along n per unit of scale (Eq. 3)
  double margin = 0.0;           // clearance this pair is asked to keep
  Vec3 arm_a = Vec3::Zero();     // from the unit's centre to the witness at the current scale, world axes;
  Vec3 arm_b = Vec3::Zero();     // known only where some unit turns
  bool valid = false;            // a normal is available
  bool exact = false;            // the row is linear in positions and scale: half-space or two convex solids
  bool contained = false;

  bool same_pair(const Contact& other) const { return geom_a == other.geom_a && geom_b == other.geom_b; }
};

}  // namespace s4r
