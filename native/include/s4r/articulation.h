// Scenes in which joints take part: the `default` profile in coordinates of trees.
#pragma once

#include "s4r/solve.h"

namespace s4r {

// As solve_default, for a scene with joints. Its switches of parts do not apply, apart from `max_rows`, `certificate`,
// `contour_push`, `pair_scale`, `pile`, `pull` and `snap_back`. Units must not stand.
Solution solve_articulated(const Scene& scene, const DefaultOptions& options, const Interrupt& interrupt = {});

}  // namespace s4r
