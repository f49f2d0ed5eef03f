// min sum_i w_i |x_i - pull_i|^2 / 2  subject to  n . (x_j - x_i) >= b, by dual
// Gauss-Seidel with warm-started multipliers.
#pragma once

#include <vector>

#include "s4r/geometry.h"

namespace s4r {

struct ProjectionRow {
  int i = -1, j = -1;  // -1: does not move
  Vec3 n = Vec3::Zero();
  double b = 0.0;
  double lambda = 0.0;  // in: warm start; out: multiplier
};

struct ProjectionSettings {
  double tolerance = 2e-6;  // largest correction of a sweep
  int max_sweeps = 300;
};

// x: in the pull, out the solution. Bodies without a positive multiplier keep their pull bit for bit. Rows that share
// no movable body, directly or through others, are independent and solved in parallel.
void project(std::vector<ProjectionRow>& rows, const std::vector<double>& inverse_weights, std::vector<Vec3>& x,
             const ProjectionSettings& settings, int threads);

}  // namespace s4r
