// The `default` profile: separate at full scale with plane rows, then polish
// towards the input.
#pragma once

#include "continuation/model.h"
#include "s4r/interrupt.h"
#include "s4r/solve.h"
#include "separation/pair_geometry.h"

namespace s4r {

// Lengths in internal units.
struct SeparationSettings {
  double margin = 1e-4;        // clearance of rows
  double accept = 2e-5;        // clearance that counts as separated
  double motion = 2e-3;        // allowance of a query for the motion to come, per body
  double extra = 4e-3;         // range beyond the need, so that rows can be kept while bodies move
  double reuse = 4e-3;         // rows serve until the pair moved this far; then the normals are stale
  double slack = 0.01;         // motion a pair list survives
  double largest_step = 0.2;   // of a body in one iteration, in units of its size
  double largest_pull = 0.5;   // towards the input position, in units of its size
  double longest_push = 0.6;   // contour push, in sizes of the larger geom of the pair
  double push_grain = 0.03;    // its resolution, in sizes of the smaller one
  int max_rows = 8;
  int max_iterations = 120;
  int polish_iterations = 40;
  double polish_gain = 1e-3;  // twice in a row less than this ends the polish
  int patience = 30;       // iterations without fewer bad pairs
  double max_shift = 0.0;  // 0: no limit
  double tolerance = 0.0;  // overlaps up to this depth are left alone
  int threads = 1;
};

struct SeparationResult {
  bool separated = false;
  std::vector<Vec3> p;      // unit centres
  std::vector<char> moved;  // units whose position changed
  int iterations = 0;
  int bad_pairs = 0;
  long queries = 0;
  double ms_list = 0.0, ms_detect = 0.0, ms_project = 0.0;
};

SeparationResult separate(const Model& model, const SeparationSettings& settings, const Interrupt& interrupt);

}  // namespace s4r
