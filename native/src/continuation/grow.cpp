#include <algorithm>

#include "continuation/run.h"
#include "continuation/schedule.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

constexpr double kSmallStep = 1.0 / 16.0;  // of the base stride

// Frozen-witness prediction (Eq. 5).
void predict(std::vector<Contact>& contacts, const std::vector<Vec3>& dp, double ds) {
  for (Contact& c : contacts) {
    if (c.unit_b >= 0) c.distance += c.n.dot(dp[c.unit_b]);
    if (c.unit_a >= 0) c.distance -= c.n.dot(dp[c.unit_a]);
    c.distance -= ds * c.closure;
  }
}

SolveStatus interrupted(Interrupt::Reason reason) {
  return reason == Interrupt::Reason::kCancelled ? SolveStatus::kCancelled : SolveStatus::kTimeLimit;
}

}  // namespace

SolveStatus grow(Run& run) {
  const ReferenceOptions& options = run.options;
  State& state = run.state;
  // The heights of standing units change with the scale, so that centres do not tell when their pairs meet.
  const Schedule schedule(run.model, run.detector, options, options.event_jumps && !run.standing.any(), state);
  ContactQp qp(run.model, run.policy, run.standing, run.qp_settings(false));

  double ds_cap = 1e300;
  bool contact_free = true;
  bool refresh = true;  // forced: at the start and after a failed QP
  int since_refresh = 0;
  std::vector<Contact> cached;
  std::vector<Vec3> dp(run.model.units.size(), Vec3::Zero());
  double ds_previous = 0.0;

  while (state.s < run.target_scale && run.stats.attempts < options.max_attempts) {
    if (const auto reason = run.interrupt.check(); reason != Interrupt::Reason::kNone) return interrupted(reason);
    ++run.stats.attempts;
    double ds = std::min({schedule.increment(state.s, contact_free), ds_cap, run.target_scale - state.s});
    if (refresh || since_refresh >= options.refresh_interval || run.standing.any()) {
      cached = run.detect(ds);
      refresh = false;
      since_refresh = 0;
    } else {
      predict(cached, dp, ds_previous);
      // A turn changes the witnesses (App. A.10).
      if (std::count(state.turned.begin(), state.turned.end(), 1) > 0) run.renew(cached, state.turned, ds);
    }
    std::fill(state.turned.begin(), state.turned.end(), 0);
    ++since_refresh;

    std::vector<Contact> contacts = cached;
    const std::vector<Contact> planes = run.detector.detect_halfspaces(state, false);
    contacts.insert(contacts.end(), planes.begin(), planes.end());
    Correction correction;
    {
      const Stopwatch watch(run.stats.ms_qp);
      correction = qp.solve(contacts, state, ds);
    }
    // Contradicting rows: is it the step, or is there no room? A small step that still contradicts settles it.
    if (correction.status != QpResult::Status::kSolved && ds <= kSmallStep * options.stride &&
        make_room(run, correction)) {
      refresh = true;
      ds_cap = ds;  // the same step tells whether the room is enough
      continue;
    }
    if (correction.status != QpResult::Status::kSolved) {
      ds_cap = 0.5 * ds;
      if (ds_cap < options.min_stride) {
        run.count(qp.stats);
        run.explain("the contact QP found no solution at any step size");
        return SolveStatus::kQpFailure;
      }
      refresh = true;
      // Nothing moved since the last prediction.
      std::fill(dp.begin(), dp.end(), Vec3::Zero());
      ds_previous = 0.0;
      continue;
    }
    run.apply(correction, 1.0, run.target_scale - state.s - ds < 1e-12 ? run.target_scale : state.s + ds);
    for (std::size_t u = 0; u < state.turned.size(); ++u)
      if (state.turned[u] != 0) qp.forget(static_cast<int>(u));
    dp = std::move(correction.dp);
    ds_previous = ds;
    contact_free = correction.contact_free;
    // Where room is short, large steps fail again and again.
    ds_cap = run.gave_up ? 4.0 * ds : 1e300;
    ++run.stats.steps;
    run.interrupt.progress(Stage::kScale, state.s, -1);
  }
  run.count(qp.stats);
  if (state.s < run.target_scale) {
    run.explain("the scale loop used up its attempts below full scale");
    return SolveStatus::kIncomplete;
  }
  return SolveStatus::kSolved;
}

}  // namespace s4r
