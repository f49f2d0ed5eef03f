#include "continuation/contact_qp.h"

#include <algorithm>
#include <numeric>

#include "continuation/contact_rows.h"
#include "util/groups.h"

namespace s4r {
namespace {

constexpr double kStill = 1e-7;  // units; smaller moves are the QP's tolerance, not a push

double required(const Contact& c, double ds) { return c.margin - c.distance + ds * c.closure; }

int free_unit(const Contact& c, const State& state) { return state.fixed(c.unit_a) ? c.unit_b : c.unit_a; }

}  // namespace

ContactQp::ContactQp(const Model& model, const PairPolicy& policy, const Standing& standing,
                     const ContactQpSettings& settings)
    : model_(model), policy_(policy), standing_(standing), settings_(settings), rows_(model, standing) {}

// Active set of Sec. 3.3.2. Scope `conflict` asks for smaller margins than d_hat, so it also takes the rows within
// d_hat that already hold: they keep a push from ending in a neighbour (the reason behind the tail's full active set,
// Sec. 3.5.1).
std::vector<ContactQp::Row> ContactQp::active_rows(const std::vector<Contact>& contacts, const State& state,
                                                   double ds) const {
  const double slack = policy_.scope_all() ? 0.0 : policy_.clearance();
  const std::vector<Standing::Step> ahead = standing_.ahead(state, ds);
  std::vector<Row> near;
  // Units connected by rows. A group in which every row already holds has the exact solution zero and stays out of the
  // QP.
  Groups groups(model_.units.size());
  for (const Contact& c : contacts) {
    if (!c.valid) continue;
    const double need = required(c, ds) - (ahead.empty() ? 0.0 : prescribed_gain(c, ahead));
    if (need <= -slack || policy_.idle(c, state)) continue;
    near.push_back({&c, need});
    if (!state.fixed(c.unit_a) && !state.fixed(c.unit_b)) groups.join(c.unit_a, c.unit_b);
  }
  std::vector<char> needed(model_.units.size(), 0);
  for (const Row& row : near)
    if (row.need > 0.0) needed[groups.find(free_unit(*row.contact, state))] = 1;
  std::erase_if(near, [&](const Row& row) { return needed[groups.find(free_unit(*row.contact, state))] == 0; });
  return near;
}

// The bodies of the rows, or all bodies when sparsity is switched off.
std::vector<int> ContactQp::bodies_of(const std::vector<Row>& rows, const State& state) const {
  std::vector<int> bodies;
  if (!settings_.sparse) {
    for (int unit = 0; unit < static_cast<int>(model_.units.size()); ++unit)
      if (!state.fixed(unit)) bodies.push_back(unit);
    return bodies;
  }
  for (const Row& row : rows)
    for (const int unit : {row.contact->unit_a, row.contact->unit_b})
      if (!state.fixed(unit)) bodies.push_back(unit);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

Correction ContactQp::solve(const std::vector<Contact>& contacts, const State& state, double ds) {
  Correction correction;
  correction.dp.assign(model_.units.size(), Vec3::Zero());
  if (state.turns()) correction.turn = correction.dp;
  const std::vector<Row> rows = active_rows(contacts, state, ds);
  correction.contact_free = rows.empty();
  if (rows.empty()) return correction;

  const std::vector<int> bodies = bodies_of(rows, state);
  QpProblem problem;
  problem.tolerance = settings_.tolerance;
  problem.max_iterations = settings_.max_iterations;
  const Blocks blocks = rows_.blocks(bodies, problem);
  std::vector<const Contact*> contact_of;  // by row
  std::vector<double> closures;
  for (const Row& row : rows) {
    const std::optional<QpRow> qp_row = rows_.contact(*row.contact, row.need, state, blocks);
    if (!qp_row) continue;
    problem.rows.push_back(*qp_row);
    contact_of.push_back(row.contact);
    closures.push_back(row.contact->closure);
  }
  for (const int unit : bodies) rows_.add_limits(unit, state, settings_.limits, blocks, problem);
  const std::size_t steps_from = problem.rows.size();
  for (const int unit : bodies)
    rows_.bound_turn(unit, standing_.stands(unit) ? settings_.standing_yaw : settings_.turn_step, blocks, problem);
  closures.resize(problem.rows.size(), 0.0);
  if (settings_.warm_start) problem.start = warm_start_.predict(blocks.ids, ds);

  const QpResult result = solve_qp(problem);
  const int variables = std::accumulate(problem.sizes.begin(), problem.sizes.end(), 0);
  ++stats.solves;
  stats.iterations += result.iterations;
  stats.variables_max = std::max(stats.variables_max, variables);
  stats.variables_sum += variables;
  correction.status = result.status;
  if (result.status == QpResult::Status::kSolved) {
    read(bodies, blocks, result, correction);
    if (settings_.warm_start) warm_start_.remember(blocks.ids, problem, result, closures);
    return correction;
  }
  std::vector<std::size_t> order(problem.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return result.multipliers[a] > result.multipliers[b]; });
  for (const std::size_t r : order) {
    if (!(result.multipliers[r] > 1e-3 * result.multipliers[order.front()])) break;
    // A half-space has several rows of the same pair.
    const auto known = [&](const Contact& c) { return r < contact_of.size() && c.same_pair(*contact_of[r]); };
    if (r < contact_of.size() && std::ranges::none_of(correction.contradicting, known))
      correction.contradicting.push_back(*contact_of[r]);
    if (r < contact_of.size() ? state.fixed(contact_of[r]->unit_a) || state.fixed(contact_of[r]->unit_b)
                              : r < steps_from)
      correction.fixed_rows = true;
  }
  return correction;
}

void ContactQp::read(const std::vector<int>& bodies, const Blocks& blocks, const QpResult& result,
                     Correction& correction) const {
  for (const int unit : bodies) {
    if (const int k = blocks.move[unit]; k >= 0 && result.x[k].norm() > kStill) {
      Vec3 dp = rows_.of(unit).move.vector(result.x[k]);
      if (standing_.stands(unit) && dp.norm() > settings_.standing_step) dp *= settings_.standing_step / dp.norm();
      correction.dp[unit] = dp;
      correction.largest = std::max(correction.largest, dp.norm());
    }
    if (const int k = blocks.turn[unit]; k >= 0 && result.x[k].norm() > kStill) {
      correction.turn[unit] = rows_.of(unit).turn.vector(result.x[k]) / rows_.of(unit).arc;
      correction.largest = std::max(correction.largest, result.x[k].norm());
    }
  }
}

void ContactQp::forget(int unit) {
  warm_start_.forget(move_block(unit));
  warm_start_.forget(turn_block(unit));
}

}  // namespace s4r
