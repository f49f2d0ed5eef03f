// One geom pair as the continuation sees it: the score of Algorithm 2 at the current scale, and what a QP row needs.
#pragma once

#include <vector>

#include "s4r/geometry.h"

namespace s4r {

struct Contact {
  int geom_a = 0, geom_b = 0;    // geom_a < geom_b
  int unit_a = -1, unit_b = -1;  // -1: obstacle
  double distance = 0.0;         // signed; measured at a refresh, predicted in between (Eq. 5)
  Vec3 n = Vec3::Zero();         // unit, from A to B, frozen until the next refresh
  double closure = 0.0;          // E_ij: loss of gap along n per unit of scale (Eq. 3)
  double margin = 0.0;           // clearance this pair is asked to keep
  bool valid = false;            // a normal is available
  bool exact = false;            // the row is linear in positions and scale: half-space or two convex solids
  bool contained = false;
};

// Positions of the unit centres and the common scale: the unknowns of the continuation.
struct State {
  std::vector<Vec3> p;      // internal units
  std::vector<char> moved;  // unit has left its input position
  std::vector<char>
      given_up;  // unit for which there is no room: it stays at its input position and the others avoid it
  double s = 1.0;

  bool fixed(int unit) const { return unit < 0 || given_up[unit] != 0; }
};

}  // namespace s4r
