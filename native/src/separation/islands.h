// Near the end only the surroundings of the pairs that are not finished need to move.
#pragma once

#include "separation/pair_list.h"

namespace s4r {

// Units within `hops` pairs with rows of a unit of an unfinished pair.
std::vector<char> units_near(const std::vector<SeparationPair>& pairs, std::size_t units, int hops);

}  // namespace s4r
