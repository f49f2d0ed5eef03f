#include "continuation/run.h"

#include <algorithm>

#include "continuation/scenery.h"
#include "util/stopwatch.h"

namespace s4r {

State initial_state(const Model& model) {
  State state;
  for (const Unit& u : model.units) state.p.push_back(u.centre);
  state.moved.assign(model.units.size(), 0);
  state.given_up.assign(model.units.size(), 0);
  return state;
}

ContactQpSettings Run::qp_settings(bool tail) const {
  ContactQpSettings settings;
  settings.tolerance = tail ? options.tail_qp_tolerance : options.qp_tolerance;
  settings.max_iterations = tail ? options.tail_qp_max_iterations : options.qp_max_iterations;
  settings.sparse = options.sparse_qp;
  settings.warm_start = options.warm_start;
  settings.max_shift = max_shift();
  return settings;
}

void Run::apply(const std::vector<Vec3>& dp, double factor) {
  for (std::size_t u = 0; u < dp.size(); ++u) {
    if (dp[u].isZero(0.0)) continue;
    state.p[u] += factor * dp[u];
    state.moved[u] = 1;
  }
  enforce_max_shift();
}

void Run::enforce_max_shift() {
  if (max_shift() <= 0.0) return;
  for (std::size_t u = 0; u < model.units.size(); ++u) {
    const Vec3 shift = state.p[u] - model.units[u].centre;
    if (shift.norm() > max_shift())
      state.p[u] = model.units[u].centre + shift * (max_shift() * (1.0 - 1e-9) / shift.norm());
  }
}

std::vector<Contact> Run::detect(double ds) {
  const Stopwatch watch(stats.ms_detect);
  DetectRequest request;
  request.ds = ds;
  request.pad = policy.reach() + 0.2 * ds;
  request.literal_pad = options.literal_pad;
  request.event_cull = options.event_jumps && ds > 0.0;
  return detector.detect(state, request);
}

void Run::count(const ContactQpStats& qp) {
  const double before = stats.qp_variables_mean * stats.qp_solves;
  stats.qp_solves += qp.solves;
  stats.qp_iterations += qp.iterations;
  stats.qp_variables_max = std::max(stats.qp_variables_max, qp.variables_max);
  if (stats.qp_solves > 0) stats.qp_variables_mean = (before + qp.variables_sum) / stats.qp_solves;
}

namespace {

// One sentence naming the contradicting geoms as {geom:ID}; the caller knows their names.
std::string contradiction(const Correction& correction) {
  std::string reason = correction.fixed_rows ? "no room between obstacles or within the limits: "
                                             : "the clearances of these pairs contradict each other: ";
  const std::size_t shown = std::min<std::size_t>(4, correction.contradicting.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const Contact& c = correction.contradicting[k];
    reason += (k > 0 ? ", " : "") + std::string("{geom:") + std::to_string(c.geom_a) +
              "} against {geom:" + std::to_string(c.geom_b) + "}";
  }
  if (correction.contradicting.size() > shown) reason += ", ...";
  return reason;
}

}  // namespace

bool make_room(Run& run, const Correction& correction) {
  State& state = run.state;
  std::vector<int> wedged, others;  // units against something fixed first
  for (const Contact& c : correction.contradicting) {
    const bool a = !state.fixed(c.unit_a), b = !state.fixed(c.unit_b);
    if (a != b) wedged.push_back(a ? c.unit_a : c.unit_b);
    if (a && b) others.insert(others.end(), {c.unit_a, c.unit_b});
  }
  for (const int unit : wedged) {
    if (run.escaped[unit] != 0) continue;
    run.escaped[unit] = 1;
    if (escape_scenery(run.model, run.policy, unit, run.max_shift(), state)) return true;
  }
  wedged.insert(wedged.end(), others.begin(), others.end());
  if (wedged.empty()) return false;
  if (!run.gave_up) run.reason = contradiction(correction);
  run.gave_up = true;
  // The more had to go already, the more go at once: a hopeless scene must not take one QP per body.
  auto share = std::count(state.given_up.begin(), state.given_up.end(), 1) / 2 + 1;
  for (const int unit : wedged) {
    if (share == 0) break;
    if (state.given_up[unit] != 0) continue;
    --share;
    state.given_up[unit] = 1;
    state.p[unit] = run.model.units[unit].centre;
    state.moved[unit] = 0;
  }
  return true;
}

}  // namespace s4r
