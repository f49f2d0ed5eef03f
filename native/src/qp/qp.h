// The per-step contact QP (paper Eq. 4), solver-independent:
//   minimise 1/2 sum_i w_i |x_i|^2   subject to   n . (x_j - x_i) >= b   for every row.
#pragma once

#include <vector>

#include "s4r/geometry.h"

namespace s4r {

// A row between variables i and j; index -1 stands for something that does not move.
struct QpRow {
  int i = -1;
  int j = -1;
  Vec3 n = Vec3::Zero();
  double b = 0.0;
};

struct QpProblem {
  std::vector<double> weights;  // one per variable (a 3-vector each)
  std::vector<QpRow> rows;
  std::vector<Vec3> start;  // warm start, or empty
  double tolerance = 1e-6;  // absolute and relative
  int max_iterations = 4000;
};

struct QpResult {
  enum class Status { kSolved, kInfeasible, kFailed };
  Status status = Status::kFailed;
  std::vector<Vec3> x;
  std::vector<double>
      multipliers;  // one per row, >= 0; the certificate's weights when infeasible; the last when failed
  int iterations = 0;
};

QpResult solve_qp(const QpProblem& problem);

}  // namespace s4r
