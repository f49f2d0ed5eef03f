// The loop of the `default` profile in coordinates of trees: rows between links, steps and ways back by coordinate.
#pragma once

#include "articulation/mechanism.h"
#include "s4r/interrupt.h"
#include "separation/pair_geometry.h"
#include "separation/settings.h"

namespace s4r {

struct ArticulationResult {
  bool separated = false;  // apart from `left`
  Configuration at;
  std::vector<std::pair<int, int>> left;  // geoms of pairs that could not be separated
  int iterations = 0;
  int initial_overlaps = -1;  // -1: not counted
  int bad_pairs = 0;
  long queries = 0;
  double ms_detect = 0.0, ms_project = 0.0;
};

ArticulationResult articulate(const Mechanism& mechanism, const SeparationAssets& assets,
                              const SeparationSettings& settings, const Interrupt& interrupt);

}  // namespace s4r
