// What rests on what in one state.
#pragma once

#include "placement/layout.h"
#include "s4r/interrupt.h"

namespace s4r {

struct Rest {
  int unit = 0;
  int on_unit = -1;  // -1: scenery
  int on_body = 0;   // root of that unit, or the fixed body
  std::vector<GeomPair> contacts;
};

// The pairs of one unit and one supporter that carry it, by the definition of `Support`: each one that does alone, else
// all that moving it down closes, if they do together (as the walls of a funnel). Empty if none.
std::vector<GeomPair> carrying(const Layout& layout, const std::vector<GeomPair>& pairs, double tolerance);

// All of them, by unit, then supporter (scenery first).
std::vector<Rest> find_rests(const Layout& layout, double tolerance, int threads, const Interrupt& interrupt);

// Pairs of a unit and a supporter that may touch within the tolerance.
std::vector<GeomPair> pairs_with(const Layout& layout, int unit, int on_unit, int on_body, double tolerance);

// The unit's centre lies, seen from above, within the outlines of what carries it.
bool balanced(const Layout& layout, int unit, const std::vector<GeomPair>& contacts);

}  // namespace s4r
