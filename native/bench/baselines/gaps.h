// How far apart the meshes of a scene are, for the precondition of barrier methods (Sec. 4.7).
#pragma once

#include "s4r/interrupt.h"
#include "s4r/scene.h"

namespace s4r::bench {

struct Gaps {
  std::vector<double> distances;  // [m] of every geom pair within range, by the evaluator's query; negative: overlap
  long crossings = 0;             // pairs of crossing triangles, by trees that share no code with that query
};

// Pairs farther apart than `range` [m] are left out. Free bodies with meshes only.
Gaps measure_gaps(const Scene& scene, double range, const Interrupt& interrupt);

}  // namespace s4r::bench
