#include <algorithm>

#include "continuation/run.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

// What the detector reports at full scale: all near contacts, how many overlap, and how deep.
struct Violation {
  std::vector<Contact> contacts;
  int count = 0;
  double deepest = 0.0;
};

Violation measure(Run& run) {
  Violation v;
  v.contacts = run.detect(0.0);
  const auto planes = run.detector.detect_halfspaces(run.state, false);
  v.contacts.insert(v.contacts.end(), planes.begin(), planes.end());
  const double tolerance = run.options.tolerance / run.model.unit_length;
  for (const Contact& c : v.contacts) {
    if (!(c.distance < 0.0) || -c.distance <= tolerance || run.policy.idle(c, run.state)) continue;
    ++v.count;
    v.deepest = std::max(v.deepest, -c.distance);
  }
  return v;
}

}  // namespace

SolveStatus refine_tail(Run& run) {
  const Stopwatch watch(run.stats.ms_tail);
  const ReferenceOptions& options = run.options;
  ContactQp qp(run.model, run.policy, run.qp_settings(true));
  Violation v = measure(run);
  int best_count = v.count, stagnant = 0;
  double best_depth = v.deepest;
  SolveStatus status = SolveStatus::kSolved;
  for (int iteration = 0; v.count > 0; ++iteration) {
    if (const auto reason = run.interrupt.check(); reason != Interrupt::Reason::kNone) {
      status = reason == Interrupt::Reason::kCancelled ? SolveStatus::kCancelled : SolveStatus::kTimeLimit;
      break;
    }
    if (iteration >= options.tail_max_iterations) {
      status = SolveStatus::kTailBudget;
      run.explain(std::to_string(v.count) + " overlapping pairs are left after the tail's iterations");
      break;
    }
    const Correction correction = qp.solve(v.contacts, run.state, 0.0);
    if (correction.status != QpResult::Status::kSolved && make_room(run, correction)) {
      v = measure(run);
      continue;
    }
    if (correction.status != QpResult::Status::kSolved) {
      status = SolveStatus::kQpFailure;
      run.explain("the tail's contact QP found no solution");
      break;
    }
    double largest = 0.0;
    for (const Vec3& d : correction.dp) largest = std::max(largest, d.norm());
    run.apply(correction.dp, largest > 0.0 ? std::min(1.0, run.policy.clearance() / largest) : 1.0);
    ++run.stats.tail_iterations;
    v = measure(run);
    run.interrupt.progress(Stage::kTail, static_cast<double>(iteration + 1) / options.tail_max_iterations, v.count);
    const bool better = v.count < best_count || v.deepest < best_depth;
    best_count = std::min(best_count, v.count);
    best_depth = std::min(best_depth, v.deepest);
    stagnant = better ? 0 : stagnant + 1;
    if (v.count > 0 && stagnant >= options.tail_stagnation) {
      status = SolveStatus::kStagnation;
      run.explain(std::to_string(v.count) + " overlapping pairs stopped improving at full scale");
      break;
    }
  }
  run.count(qp.stats);
  return status;
}

SolveStatus penalty_cleanup(Run& run) {
  const double extra = 0.05 * run.policy.clearance();  // "a small margin" beyond the depth
  Violation v = measure(run);
  for (int iteration = 0; v.count > 0 && iteration < run.options.cleanup_iterations; ++iteration) {
    if (const auto reason = run.interrupt.check(); reason != Interrupt::Reason::kNone)
      return reason == Interrupt::Reason::kCancelled ? SolveStatus::kCancelled : SolveStatus::kTimeLimit;
    for (const Contact& c : v.contacts) {
      if (!c.valid || c.distance >= 0.0 || run.policy.idle(c, run.state)) continue;
      // Split equally; an obstacle takes no share.
      const double push = (extra - c.distance) * (c.unit_a >= 0 && c.unit_b >= 0 ? 0.5 : 1.0);
      std::vector<Vec3> dp(run.model.units.size(), Vec3::Zero());
      if (c.unit_a >= 0) dp[c.unit_a] = -push * c.n;
      if (c.unit_b >= 0) dp[c.unit_b] = push * c.n;
      run.apply(dp, 1.0);
    }
    ++run.stats.cleanup_iterations;
    v = measure(run);
    run.interrupt.progress(Stage::kCleanup, static_cast<double>(iteration + 1) / run.options.cleanup_iterations,
                           v.count);
  }
  if (v.count == 0) return SolveStatus::kSolved;
  run.explain(std::to_string(v.count) + " overlapping pairs are left after the penalty clean-up");
  return SolveStatus::kTailBudget;
}

}  // namespace s4r
