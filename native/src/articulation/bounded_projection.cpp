#include "articulation/bounded_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace s4r {
namespace {

constexpr int kSweeps = 400;
constexpr double kTolerance = 1e-6;  // largest correction of the last sweep
constexpr double kMissed = 1e-4;     // a row that is missed by more contradicts others
constexpr double kUnbounded = 1e299;
constexpr double kFarthest = 1e9;  // push of one row on a coordinate; no step that is taken is so long

// The sum of a_k clamp(y_k + t a_k / w_k) over the terms of a row does not fall with t: where it reaches b, at most as
// far as all terms are at their bounds.
class RowSolver {
 public:
  RowSolver(const BoundedRow& row, const BoundedCoordinates& coordinates) : row_(row), coordinates_(coordinates) {}

  // The largest multiplier. Rows that contradict each other would outbid each other until nothing is left of the
  // digits.
  double most() const {
    double most = std::numeric_limits<double>::infinity();
    for (const auto& [k, a] : row_.terms)
      if (a != 0.0) most = std::min(most, kFarthest * coordinates_.weights[k] / std::abs(a));
    return most;
  }

  // The step t >= `least` of the multiplier.
  double step(const std::vector<double>& y, double least) {
    breaks_.clear();
    for (const auto& [k, a] : row_.terms) {
      if (a == 0.0) continue;
      const double rate = a / coordinates_.weights[k];
      for (const double bound : {coordinates_.lower[k], coordinates_.upper[k]})
        if (std::abs(bound) < kUnbounded) breaks_.push_back((bound - y[k]) / rate);
    }
    std::sort(breaks_.begin(), breaks_.end());
    const double value = at(y, least);
    if (value >= row_.b) return least;
    const auto begin = std::upper_bound(breaks_.begin(), breaks_.end(), least);
    const auto next = std::partition_point(begin, breaks_.end(), [&](double t) { return at(y, t) < row_.b; });
    const double from = next == begin ? least : *(next - 1), reached = next == begin ? value : at(y, from);
    if (next != breaks_.end()) return from + (row_.b - reached) * (*next - from) / (at(y, *next) - reached);
    // Beyond the last bound only what has none goes on.
    double slope = 0.0;
    for (const auto& [k, a] : row_.terms)
      if (std::abs(a > 0.0 ? coordinates_.upper[k] : coordinates_.lower[k]) >= kUnbounded)
        slope += a * a / coordinates_.weights[k];
    return slope > 0.0 ? from + (row_.b - reached) / slope : from;
  }

  double at(const std::vector<double>& y, double t) const {
    double sum = 0.0;
    for (const auto& [k, a] : row_.terms)
      sum += a * std::clamp(y[k] + t * a / coordinates_.weights[k], coordinates_.lower[k], coordinates_.upper[k]);
    return sum;
  }

 private:
  const BoundedRow& row_;
  const BoundedCoordinates& coordinates_;
  std::vector<double> breaks_;
};

}  // namespace

std::vector<double> project(std::vector<BoundedRow>& rows, const BoundedCoordinates& coordinates,
                            const std::vector<double>& pull, const Interrupt& interrupt) {
  std::vector<double> y = pull;  // before it is clamped
  const auto push = [&](const BoundedRow& row, double t) {
    for (const auto& [k, a] : row.terms) y[k] += t * a / coordinates.weights[k];
  };
  for (const BoundedRow& row : rows)
    if (row.lambda > 0.0) push(row, row.lambda);
  std::vector<RowSolver> solvers;
  for (const BoundedRow& row : rows) solvers.emplace_back(row, coordinates);
  const auto relax = [&](std::size_t r) {
    const double before = solvers[r].at(y, 0.0);
    const double t = std::min(solvers[r].step(y, -rows[r].lambda), solvers[r].most() - rows[r].lambda);
    if (t == 0.0) return 0.0;
    rows[r].lambda = std::max(0.0, rows[r].lambda + t);
    push(rows[r], t);
    return std::abs(solvers[r].at(y, 0.0) - before);
  };
  for (int sweep = 0; sweep < kSweeps && interrupt.check() == Interrupt::Reason::kNone; ++sweep) {
    double largest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      largest = std::max(largest, relax(sweep % 2 == 0 ? i : rows.size() - 1 - i));
    if (largest < kTolerance) break;
  }
  std::vector<char> pushed(y.size(), 0);
  for (const BoundedRow& row : rows)
    if (row.lambda > 0.0)
      for (const auto& [k, a] : row.terms) pushed[k] = 1;
  // The multipliers of rows that contradict each other grow without end.
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (solvers[r].at(y, 0.0) < rows[r].b - kMissed) rows[r].lambda = 0.0;
  std::vector<double> x(y.size());
  for (std::size_t k = 0; k < y.size(); ++k)
    x[k] = std::clamp(pushed[k] != 0 ? y[k] : pull[k], coordinates.lower[k], coordinates.upper[k]);
  return x;
}

double least_cost(const BoundedRow& row, const BoundedCoordinates& coordinates) {
  const std::vector<double> rest(coordinates.weights.size(), 0.0);
  RowSolver solver(row, coordinates);
  const double t = solver.step(rest, 0.0);
  if (solver.at(rest, t) < row.b - kTolerance) return std::numeric_limits<double>::infinity();
  double cost = 0.0;
  for (const auto& [k, a] : row.terms) {
    const double x = std::clamp(t * a / coordinates.weights[k], coordinates.lower[k], coordinates.upper[k]);
    cost += coordinates.weights[k] * x * x;
  }
  return cost;
}

}  // namespace s4r
