#include "continuation/run.h"

#include <algorithm>
#include <tuple>

#include "continuation/freedom.h"
#include "geometry/rotation.h"
#include "util/stopwatch.h"

namespace s4r {

MoveLimits Run::limits() const {
  return {options.max_shift ? *options.max_shift / model.unit_length : 0.0, options.max_turn.value_or(0.0)};
}

ContactQpSettings Run::qp_settings(bool tail) const {
  ContactQpSettings settings;
  settings.tolerance = tail ? options.tail_qp_tolerance : options.qp_tolerance;
  settings.max_iterations = tail ? options.tail_qp_max_iterations : options.qp_max_iterations;
  settings.sparse = options.sparse_qp;
  settings.warm_start = options.warm_start;
  settings.limits = limits();
  if (tail) {
    settings.standing_yaw = 0.04;
    settings.standing_step = 0.018;
  }
  return settings;
}

void Run::apply(const Correction& correction, double factor, double s) {
  for (int u = 0; u < static_cast<int>(correction.dp.size()); ++u) {
    if (!correction.dp[u].isZero(0.0)) {
      state.p[u] += factor * correction.dp[u];
      state.moved[u] = 1;
    }
    if (correction.turn.empty() || correction.turn[u].isZero(0.0)) continue;
    const Vec3 rotation = factor * correction.turn[u];
    if (standing.stands(u))
      state.yaw[u] += rotation.dot(model.scene.up);
    else
      state.set_turn(model, u, (exp_map(rotation) * state.turn[u]).normalized());
    state.moved[u] = 1;
  }
  enforce_limits();
  state.s = s;
  standing.settle(state);
}

void Run::nudge_apart(const Contact& c, double push) {
  // What the unit may do along the normal, and how much of it that is.
  const auto way = [&](int unit) -> Vec3 {
    return state.fixed(unit) ? Vec3::Zero() : Vec3(model.units[unit].translations * c.n);
  };
  const Vec3 way_a = way(c.unit_a), way_b = way(c.unit_b);
  const auto along = [&](const Vec3& w) { return w == c.n ? 1.0 : c.n.dot(w); };
  const double along_a = along(way_a), along_b = along(way_b);
  const bool a = along_a > kFollows, b = along_b > kFollows;
  const double share = push * (a && b ? 0.5 : 1.0);
  Correction nudge;
  nudge.dp.assign(model.units.size(), Vec3::Zero());
  if (a) nudge.dp[c.unit_a] = -share / along_a * way_a;
  if (b) nudge.dp[c.unit_b] = share / along_b * way_b;
  apply(nudge, 1.0, state.s);
}

void Run::enforce_limits() {
  const MoveLimits most = limits();
  if (most.max_shift <= 0.0 && most.max_turn <= 0.0) return;
  for (int u = 0; u < static_cast<int>(model.units.size()); ++u) {
    if (standing.stands(u)) {
      standing.keep_limits(most, u, state);
      continue;
    }
    Quat turn = state.turns() ? state.turn[u] : Quat::Identity();
    if (keep_limits(model.units[u], most, state.p[u], turn) && state.turns()) state.set_turn(model, u, turn);
  }
}

void Run::keep_untouched() {
  if (state.s < 1.0) return;
  for (int u = 0; u < static_cast<int>(model.units.size()); ++u)
    if (standing.stood_so(state, u)) state.moved[u] = 0;
}

void Run::put_back(int unit) {
  state.p[unit] = model.units[unit].centre;
  state.moved[unit] = 0;
  if (!state.turns()) return;
  state.yaw[unit] = 0.0;
  state.set_turn(model, unit, Quat::Identity());
  standing.settle(state);
}

std::vector<Contact> Run::detect(double ds) {
  const Stopwatch watch(stats.ms_detect);
  return detector.detect(state, request(ds));
}

void Run::renew(std::vector<Contact>& contacts, const std::vector<char>& turned, double ds) {
  const Stopwatch watch(stats.ms_detect);
  const auto touched = [&](int unit) { return unit >= 0 && turned[unit] != 0; };
  std::erase_if(contacts, [&](const Contact& c) { return touched(c.unit_a) || touched(c.unit_b); });
  DetectRequest some = request(ds);
  some.touching = &turned;
  const std::vector<Contact> fresh = detector.detect(state, some);
  const auto middle = contacts.insert(contacts.end(), fresh.begin(), fresh.end());
  std::inplace_merge(contacts.begin(), middle, contacts.end(), [](const Contact& x, const Contact& y) {
    return std::tie(x.geom_a, x.geom_b) < std::tie(y.geom_a, y.geom_b);
  });
}

DetectRequest Run::request(double ds) const {
  DetectRequest request;
  request.ds = ds;
  request.pad = policy.reach() + 0.2 * ds;
  request.literal_pad = options.literal_pad;
  request.event_cull = options.event_jumps && ds > 0.0 && !standing.any();
  return request;
}

void Run::count(const ContactQpStats& qp) {
  const double before = stats.qp_variables_mean * stats.qp_solves;
  stats.qp_solves += qp.solves;
  stats.qp_iterations += qp.iterations;
  stats.qp_variables_max = std::max(stats.qp_variables_max, qp.variables_max);
  if (stats.qp_solves > 0) stats.qp_variables_mean = (before + qp.variables_sum) / stats.qp_solves;
}

}  // namespace s4r
