// Links: the largest groups of bodies that no allowed motion moves relative to each other.
#pragma once

#include "s4r/scene.h"

namespace s4r {

// By body: those with the same unit that the same joints displace have the same number, in ascending order of their
// first bodies. -1: never moves.
std::vector<int> links_of(const Scene& scene);

}  // namespace s4r
