// The start of the continuation: centres apart (Sec. 3.2, App. A.7).
#pragma once

#include "continuation/pair_policy.h"

namespace s4r {

// Moves the centres of conflicting pairs that are too close for the initial scale apart along their axis, to
// d + s_min (r_i + r_j) + eps_sep. Departs from the paper in iterating to a fixed point and in giving each
// coincident pair an axis of its own: with one sweep and one axis many bodies at one point stay stuck.
void separate_centres(const Model& model, const PairPolicy& policy, const ReferenceOptions& options, State& state);

}  // namespace s4r
