// Broad phase: all pairs of overlapping boxes, by sort and sweep along one axis.
#pragma once

#include <utility>
#include <vector>

#include "geometry/support.h"

namespace s4r {

// Pairs (i, j), i < j, of boxes that overlap (touching counts), in ascending order.
std::vector<std::pair<int, int>> overlapping_pairs(const std::vector<Box3>& boxes);

}  // namespace s4r
