// Broad phase: all pairs of overlapping boxes, by a tree of boxes met with itself. Sizes may differ by any factor.
#pragma once

#include <utility>
#include <vector>

#include "geometry/support.h"

namespace s4r {

// Pairs (i, j), i < j, of boxes that overlap (touching counts), in ascending order.
std::vector<std::pair<int, int>> overlapping_pairs(const std::vector<Box3>& boxes, int threads = 1);

}  // namespace s4r
