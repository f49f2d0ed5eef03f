// From the units of a model to the bodies of its scene.
#pragma once

#include "continuation/model.h"
#include "s4r/solve.h"

namespace s4r {

// Fills `shifts`, `turns` and `centres`: unit u, if moved, has its centre at p[u] and is turned by turn[u] (none: no
// unit turns) from where the model has it.
void write_moves(const Model& model, const std::vector<Vec3>& p, const std::vector<Quat>& turn,
                 const std::vector<char>& moved, Solution& solution);

}  // namespace s4r
