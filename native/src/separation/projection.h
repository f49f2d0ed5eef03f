// min sum_i |x_i - pull_i|^2_W / 2  subject to  n . (x_j - x_i) >= b, by dual Gauss-Seidel with warm-started
// multipliers.
#pragma once

#include <vector>

#include "s4r/geometry.h"

namespace s4r {

struct ProjectionRow {
  int i = -1, j = -1;  // -1: does not move
  Vec3 n = Vec3::Zero();
  double b = 0.0;
  double lambda = 0.0;  // in: warm start; out: multiplier
  // y x n for the lever arm y of either side: what its rotation adds to the gap (App. A.10). Rigid bodies only.
  Vec3 lever_i = Vec3::Zero(), lever_j = Vec3::Zero();
};

struct ProjectionSettings {
  double tolerance = 2e-6;  // largest correction of a sweep
  int max_sweeps = 300;
};

// x: in the pull, out the solution. Bodies without a positive multiplier keep their pull bit for bit. Rows that share
// no movable body, directly or through others, are independent and solved in parallel.
void project(std::vector<ProjectionRow>& rows, const std::vector<double>& inverse_weights, std::vector<Vec3>& x,
             const ProjectionSettings& settings, int threads);

// The same for bodies that turn, or that move in some directions only.
struct RigidStep {
  Vec3 p = Vec3::Zero();  // displacement
  Vec3 w = Vec3::Zero();  // rotation vector
};

// Inverse weights times the projectors onto what the body may do.
struct RigidFreedom {
  Mat3 translate = Mat3::Identity();
  Mat3 turn = Mat3::Zero();
};

void project(std::vector<ProjectionRow>& rows, const std::vector<RigidFreedom>& freedoms, std::vector<RigidStep>& x,
             const ProjectionSettings& settings, int threads);

}  // namespace s4r
