// min sum_k w_k (x_k - pull_k)^2 / 2  subject to  a . x >= b for every row and lower <= x <= upper, by dual
// Gauss-Seidel: x is the clamped pull plus what the multipliers add, and each row in turn gets the multiplier that
// meets it.
#pragma once

#include <utility>
#include <vector>

#include "s4r/interrupt.h"

namespace s4r {

struct BoundedRow {
  std::vector<std::pair<int, double>> terms;  // coordinate, coefficient
  double b = 0.0;
  double lambda = 0.0;  // in: warm start; out: multiplier, 0 of a row that could not be met
};

struct BoundedCoordinates {
  std::vector<double> weights, lower, upper;  // by coordinate; lower <= upper
};

// `pull`, within the bounds, is where there are no rows; returns x. A coordinate without a positive multiplier keeps
// its pull bit for bit. An interrupt ends it early.
std::vector<double> project(std::vector<BoundedRow>& rows, const BoundedCoordinates& coordinates,
                            const std::vector<double>& pull, const Interrupt& interrupt = {});

// The objective of the smallest step that meets the row alone; infinite if the bounds forbid it.
double least_cost(const BoundedRow& row, const BoundedCoordinates& coordinates);

}  // namespace s4r
