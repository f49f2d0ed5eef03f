// Units that need not have moved go back to exactly where they were.
#pragma once

#include "separation/pair_update.h"

namespace s4r {

// For each unit with `moved` set, in ascending order: back to `start` if everything else stays at least the margin
// away. `pairs` tells how close pairs were in the input. Returns the number of units sent back.
int snap_back(const Model& model, const PairUpdate& update, const std::vector<SeparationPair>& pairs, double margin,
              const std::vector<UnitPose>& start, std::vector<UnitPose>& poses, std::vector<char>& moved);

}  // namespace s4r
