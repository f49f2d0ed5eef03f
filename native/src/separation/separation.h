// The `default` profile: separate at full scale with plane rows; piles that do not come apart that way are shrunk and
// grown back together; then polish towards the input.
#pragma once

#include "continuation/model.h"
#include "s4r/interrupt.h"
#include "separation/pair_geometry.h"
#include "separation/settings.h"
#include "separation/unit_pose.h"

namespace s4r {

struct SeparationResult {
  bool separated = false;
  std::vector<UnitPose> poses;
  std::vector<char> moved;  // units whose pose changed
  int iterations = 0;
  int initial_overlaps = -1;  // -1: not counted
  int bad_pairs = 0;
  long queries = 0;
  double ms_list = 0.0, ms_detect = 0.0, ms_project = 0.0;
};

SeparationResult separate(const Model& model, const SeparationAssets& assets, const SeparationSettings& settings,
                          const Interrupt& interrupt);

}  // namespace s4r
