// Soft-Penalty (App. A.8 vi, A.6): TrajOpt's penalty continuation (Schulman et al., 2014) with a squared hinge,
//   minimise sum_i w_i |p_i - p_i^0|^2 + mu sum_ij max(0, d_hat - d_ij)^2,
// by L-BFGS-B from the last minimiser; mu = 10, then four times as much, six times in all, until nothing overlaps.
// The gradient of d_ij is the normal.
#include "minimise.h"
#include "problem.h"

namespace s4r::bench {
namespace {

constexpr double kFirstWeight = 10.0;
constexpr double kGrowth = 4.0;
constexpr int kOuterIterations = 6;

void place(Problem& problem, const std::vector<double>& x) {
  for (int unit = 0; unit < static_cast<int>(problem.model.units.size()); ++unit)
    problem.move(unit, Vec3(x[3 * unit], x[3 * unit + 1], x[3 * unit + 2]) - problem.state.p[unit]);
}

void add(std::vector<double>& gradient, int unit, const Vec3& value) {
  for (int axis = 0; axis < 3; ++axis) gradient[3 * unit + axis] += value[axis];
}

double objective(Problem& problem, double mu, const std::vector<double>& x, std::vector<double>& gradient) {
  place(problem, x);
  gradient.assign(x.size(), 0.0);
  double value = 0.0;
  for (int unit = 0; unit < static_cast<int>(problem.model.units.size()); ++unit) {
    const double weight = problem.model.units[unit].weight;
    const Vec3 shift = problem.state.p[unit] - problem.input(unit);
    value += weight * shift.squaredNorm();
    add(gradient, unit, 2.0 * weight * shift);
  }
  for (const Contact& c : problem.detect(kClearance)) {
    const double missing = c.margin - c.distance;
    if (!(missing > 0.0)) continue;
    value += mu * missing * missing;
    if (!c.valid) continue;
    add(gradient, c.unit_a, 2.0 * mu * missing * c.n);
    add(gradient, c.unit_b, -2.0 * mu * missing * c.n);
  }
  return value;
}

}  // namespace

SolveStatus soft_penalty(Problem& problem) {
  std::vector<double> x;
  for (const Vec3& p : problem.state.p) x.insert(x.end(), p.data(), p.data() + 3);
  double mu = kFirstWeight;
  for (int iteration = 0; iteration < kOuterIterations; ++iteration, mu *= kGrowth) {
    if (overlaps(problem.detect(kClearance)) == 0) return SolveStatus::kSolved;
    minimise(
        x, [&](const auto& at, auto& gradient) { return objective(problem, mu, at, gradient); },
        [&] { return problem.out_of_time(); });
    place(problem, x);
    if (problem.out_of_time()) return SolveStatus::kTimeLimit;
    ++problem.stats.steps;
  }
  return overlaps(problem.detect(kClearance)) == 0 ? SolveStatus::kSolved : SolveStatus::kTailBudget;
}

}  // namespace s4r::bench
