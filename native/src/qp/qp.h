// The per-step contact QP (paper Eq. 4; with turns App. A.10), solver-independent:
//   minimise 1/2 sum_k w_k |x_k|^2   subject to   b <= sum_k a_k . x_k <= top   for every row.
// A block x_k holds up to three coordinates of what one unit may do: of its displacement or of its turn.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "s4r/geometry.h"

namespace s4r {

// Coefficients of one block in a row; block -1 stands for something that does not move.
struct QpTerm {
  int block = -1;
  Vec3 a = Vec3::Zero();
};

struct QpRow {
  std::array<QpTerm, 4> terms;
  double b = 0.0;
  double top = std::numeric_limits<double>::infinity();

  QpRow() = default;
  // n . (x_j - x_i) >= b
  QpRow(int i, int j, const Vec3& n, double least) : terms{{{i, -n}, {j, n}, {}, {}}}, b(least) {}
};

struct QpProblem {
  std::vector<double> weights;  // one per block
  std::vector<int> sizes;       // coordinates of each block, 1 to 3; empty: all have 3
  std::vector<QpRow> rows;
  std::vector<Vec3> start;  // warm start, or empty
  double tolerance = 1e-6;  // absolute and relative
  int max_iterations = 4000;

  int size(std::size_t block) const { return sizes.empty() ? 3 : sizes[block]; }
};

struct QpResult {
  enum class Status { kSolved, kInfeasible, kFailed };
  Status status = Status::kFailed;
  std::vector<Vec3> x;  // by block
  std::vector<double>
      multipliers;  // one per row, >= 0; the certificate's weights when infeasible; the last when failed
  int iterations = 0;
};

QpResult solve_qp(const QpProblem& problem);

}  // namespace s4r
