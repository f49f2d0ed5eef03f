// Contact QPs at full scale, linearised anew at each outer iteration (Eq. 4 at s = 1, ds = 0):
//   minimise sum_i w_i |dp_i|^2   subject to   d + n . (dp_j - dp_i) >= d_hat.
// Direct-QP (App. A.16.1): S4R's own QP, of the pairs inside d_hat and the bodies in them, without the scale.
// Global QP/LCP (App. A.8 iv): the same pairs, but always all bodies. Rows of pairs farther apart than d_hat would save
// no iteration and cost queries and displacement (measured with 1.5, 2 and 3 d_hat).
#include <algorithm>

#include "problem.h"
#include "qp/qp.h"
#include "util/stopwatch.h"

namespace s4r::bench {
namespace {

constexpr int kOuterIterations = 50;  // App. A.6
constexpr double kTolerance = 1e-6;   // of OSQP, Table A7
constexpr int kOsqpIterations = 4000;

// Normals of deep contacts may contradict each other. The rows that do leave the QP, the one with the largest weight in
// OSQP's certificate first; the next linearisation measures them anew.
QpResult solve_dropping_contradictions(QpProblem& problem, SolveStats& stats) {
  while (true) {
    QpResult result = solve_qp(problem);
    ++stats.qp_solves;
    stats.qp_iterations += result.iterations;
    if (result.status != QpResult::Status::kInfeasible || problem.rows.empty()) return result;
    const auto worst = std::ranges::max_element(result.multipliers) - result.multipliers.begin();
    problem.rows.erase(problem.rows.begin() + worst);
  }
}

bool step(Problem& problem, const std::vector<Contact>& contacts, bool all_bodies) {
  const Stopwatch watch(problem.stats.ms_qp);
  std::vector<int> variable(problem.model.units.size(), -1), bodies;
  const auto variable_of = [&](int unit) {
    if (variable[unit] < 0) {
      variable[unit] = static_cast<int>(bodies.size());
      bodies.push_back(unit);
    }
    return variable[unit];
  };
  if (all_bodies)
    for (int unit = 0; unit < static_cast<int>(variable.size()); ++unit) variable_of(unit);
  QpProblem qp;
  qp.tolerance = kTolerance;
  qp.max_iterations = kOsqpIterations;
  for (const Contact& c : contacts)
    if (c.valid && c.distance < c.margin)
      qp.rows.push_back({variable_of(c.unit_a), variable_of(c.unit_b), c.n, c.margin - c.distance});
  for (const int unit : bodies) qp.weights.push_back(problem.model.units[unit].weight);
  const QpResult result = solve_dropping_contradictions(qp, problem.stats);
  if (result.status != QpResult::Status::kSolved) return false;
  for (std::size_t k = 0; k < bodies.size(); ++k) problem.move(bodies[k], result.x[k]);
  return true;
}

SolveStatus linearise(Problem& problem, int iterations, bool all_bodies) {
  for (int iteration = 0;; ++iteration) {
    const std::vector<Contact>& contacts = problem.detect(kClearance);
    if (overlaps(contacts) == 0) return SolveStatus::kSolved;
    if (iteration == iterations) return SolveStatus::kTailBudget;
    if (problem.out_of_time()) return SolveStatus::kTimeLimit;
    if (!step(problem, contacts, all_bodies)) return SolveStatus::kQpFailure;
    ++problem.stats.steps;
  }
}

}  // namespace

SolveStatus direct_qp_once(Problem& problem) { return linearise(problem, 1, false); }

SolveStatus direct_qp(Problem& problem) { return linearise(problem, kOuterIterations, false); }

SolveStatus global_qp(Problem& problem) { return linearise(problem, kOuterIterations, true); }

}  // namespace s4r::bench
