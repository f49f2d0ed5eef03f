// Ways out of obstacles. Cost of an exit: its travel, times 1 along `up`, 1.5 sideways, 2 against it.
#pragma once

#include "continuation/pair_policy.h"
#include "continuation/standing.h"

namespace s4r {

// Units move as their motions allow; what they stand on is no obstacle to them.

// Moves every conflicting unit whose centre lies inside an obstacle to the other side of the obstacle's surface, by the
// exit that is cheapest for the full-size body. Exits that end inside another obstacle come last.
void leave_scenery(const Model& model, const PairPolicy& policy, double initial_scale, State& state);

// Last resort for a unit that obstacles wedge in: the cheapest straight way from its input position to a place where,
// at full size and in the orientation it is to have, it is clear of all of them. False if there is none within
// `max_shift` (0: no limit) or the search range.
bool escape_scenery(const Model& model, const PairPolicy& policy, const Standing& standing, int unit, double max_shift,
                    State& state);

}  // namespace s4r
