// Minimisation by L-BFGS-B 3.0 (Byrd, Lu, Nocedal and Zhu, 1995; Morales and Nocedal, 2011), hidden behind two
// functions.
#pragma once

#include <functional>
#include <vector>

namespace s4r::bench {

// Value at x; writes the gradient.
using Objective = std::function<double(const std::vector<double>& x, std::vector<double>& gradient)>;

// Moves x to a minimum, with the tolerances of SciPy's default; without bounds. `stop` is asked after each evaluation;
// once it says so, x is where it was then. One call at a time: the library keeps its state in static variables.
void minimise(std::vector<double>& x, const Objective& objective, const std::function<bool()>& stop);

}  // namespace s4r::bench
