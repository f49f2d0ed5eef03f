// Numbers of the `default` profile. Lengths in internal units, in which bodies are about 0.1.
#pragma once

#include "continuation/limits.h"
#include "s4r/solve.h"

namespace s4r {

struct SeparationSettings {
  double margin = 1e-4;        // clearance of rows
  double accept = 2e-5;        // clearance that counts as separated
  double motion = 1e-3;        // allowance of a query for the motion to come, per body
  double extra = 4e-3;         // range beyond the need, so that rows can be kept while bodies move
  double reuse = 4e-3;         // rows serve until the pair moved this far; then the normals are stale
  double reuse_convex = 1e-4;  // the same for two convex solids
  double reuse_turned = 2e-4;  // and while its points travelled no more than this by turning
  double slack = 0.01;         // motion a pair list survives
  double still = 2e-6;         // smaller steps are not applied
  double largest_step = 0.2;   // of a body in one iteration, in units of its size
  double largest_turn = 0.1;   // of a body in one iteration, per component [rad] (App. A.10)
  double largest_pull = 0.5;   // towards the input position, in units of its size
  double longest_push = 0.6;   // contour push, in sizes of the larger geom of the pair
  double push_grain = 0.03;    // its resolution, in sizes of the smaller one
  double push_range = 0.004;   // range of the rows of a pushed pair beyond the need; each failure after it adds half
  double stride = 0.3;         // growth of a shrunk pair in one iteration
  double grain = 0.05;         // resolution of the largest scale at which a pair is apart, relative
  double reach_shrunk = 5e-3;  // range of the rows of a shrunk pair beyond its distance, at full scale
  double pile_scale = 0.01;    // scale at which the continuation of a pile starts
  double pile_stride = 0.1;    // and its growth per iteration
  double pile_pull = 0.1;      // as largest_pull
  double pile_pairs = 4.0;     // more overlapping pairs per unit than this are a pile from the start
  SeparationParts parts;
  int max_iterations = 120;
  int max_pile_iterations = 400;
  int polish_iterations = 40;
  double polish_gain = 1e-3;    // twice in a row less than this ends the polish
  int polish_budget = 1 << 30;  // iterations from the first separated state on, those that mend included
  int wait = 5;                 // iterations without fewer bad pairs after which nothing is pulled back for a while
  // The same where bodies turn: rows are exact for displacements only, and a step back has to be mended.
  double polish_gain_turning = 0.01;
  int polish_budget_turning = 6;
  int wait_turning = 2;
  int patience = 30;  // iterations without fewer bad pairs
  MoveLimits limits;
  double tolerance = 0.0;  // overlaps up to this depth are left alone
  int threads = 1;
};

// What the caller's options say, in a scene of this length unit [m].
SeparationSettings settings_of(const DefaultOptions& options, double unit_length);

}  // namespace s4r
