#include "continuation/contact_qp.h"

#include <algorithm>
#include <numeric>

#include "util/groups.h"

namespace s4r {
namespace {

constexpr double kStill = 1e-7;      // units; smaller moves are the QP's tolerance, not a push
constexpr double kLimitWatch = 0.3;  // share of max_shift from which a body's limit becomes a row

double required(const Contact& c, double ds) { return c.margin - c.distance + ds * c.closure; }

int free_unit(const Contact& c, const State& state) { return state.fixed(c.unit_a) ? c.unit_b : c.unit_a; }

}  // namespace

// Active set of Sec. 3.3.2. Scope `conflict` asks for smaller margins than d_hat, so it also takes the rows within
// d_hat that already hold: they keep a push from ending in a neighbour (the reason behind the tail's full active set,
// Sec. 3.5.1).
std::vector<const Contact*> ContactQp::active_rows(const std::vector<Contact>& contacts, const State& state,
                                                   double ds) const {
  const double slack = policy_.scope_all() ? 0.0 : policy_.clearance();
  std::vector<const Contact*> near;
  // Units connected by rows. A group in which every row already holds has the exact solution zero and stays out of the
  // QP.
  Groups groups(model_.units.size());
  for (const Contact& c : contacts) {
    if (!c.valid || required(c, ds) <= -slack || policy_.idle(c, state)) continue;
    near.push_back(&c);
    if (!state.fixed(c.unit_a) && !state.fixed(c.unit_b)) groups.join(c.unit_a, c.unit_b);
  }
  std::vector<char> needed(model_.units.size(), 0);
  for (const Contact* c : near)
    if (required(*c, ds) > 0.0) needed[groups.find(free_unit(*c, state))] = 1;
  std::erase_if(near, [&](const Contact* c) { return needed[groups.find(free_unit(*c, state))] == 0; });
  return near;
}

Correction ContactQp::solve(const std::vector<Contact>& contacts, const State& state, double ds) {
  Correction correction;
  correction.dp.assign(model_.units.size(), Vec3::Zero());
  const std::vector<const Contact*> rows = active_rows(contacts, state, ds);
  correction.contact_free = rows.empty();
  if (rows.empty()) return correction;

  // Variables: the bodies of active rows, or all bodies when sparsity is switched off.
  std::vector<int> variable(model_.units.size(), -1), bodies;
  if (!settings_.sparse) {
    for (int unit = 0; unit < static_cast<int>(model_.units.size()); ++unit)
      if (!state.fixed(unit)) bodies.push_back(unit);
  } else {
    for (const Contact* c : rows)
      for (const int unit : {c->unit_a, c->unit_b})
        if (!state.fixed(unit)) bodies.push_back(unit);
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  }
  QpProblem problem;
  problem.tolerance = settings_.tolerance;
  problem.max_iterations = settings_.max_iterations;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    variable[bodies[k]] = static_cast<int>(k);
    problem.weights.push_back(model_.units[bodies[k]].weight);
  }
  const auto index = [&](int unit) { return state.fixed(unit) ? -1 : variable[unit]; };
  std::vector<double> closures;
  for (const Contact* c : rows) {
    problem.rows.push_back({index(c->unit_a), index(c->unit_b), c->n, required(*c, ds)});
    closures.push_back(c->closure);
  }
  const std::size_t contact_rows = problem.rows.size();
  if (settings_.max_shift > 0.0)
    for (const int unit : bodies) {
      const Vec3 shift = state.p[unit] - model_.units[unit].centre;
      const double length = shift.norm();
      if (length < kLimitWatch * settings_.max_shift) continue;
      problem.rows.push_back({-1, index(unit), -shift / length, -(settings_.max_shift - length)});
      closures.push_back(0.0);
    }
  if (settings_.warm_start) problem.start = warm_start_.predict(bodies, ds);

  const QpResult result = solve_qp(problem);
  ++stats.solves;
  stats.iterations += result.iterations;
  stats.variables_max = std::max(stats.variables_max, static_cast<int>(3 * bodies.size()));
  stats.variables_sum += 3.0 * static_cast<double>(bodies.size());
  correction.status = result.status;
  if (result.status == QpResult::Status::kSolved) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (result.x[k].norm() > kStill) correction.dp[bodies[k]] = result.x[k];
    if (settings_.warm_start) warm_start_.remember(bodies, problem, result, closures);
    return correction;
  }
  std::vector<std::size_t> order(problem.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return result.multipliers[a] > result.multipliers[b]; });
  for (const std::size_t r : order) {
    if (!(result.multipliers[r] > 1e-3 * result.multipliers[order.front()])) break;
    if (problem.rows[r].i < 0 || problem.rows[r].j < 0) correction.fixed_rows = true;
    if (r < contact_rows) correction.contradicting.push_back(*rows[r]);
  }
  return correction;
}

}  // namespace s4r
