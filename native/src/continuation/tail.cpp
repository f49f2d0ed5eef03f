#include <algorithm>

#include "continuation/run.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

// What the detector reports at the present scale: all near contacts, how many overlap, and how deep.
struct Violation {
  std::vector<Contact> contacts;
  int count = 0;
  double deepest = 0.0;
};

// The pair has been seen: of its contacts the first is the nearest.
bool repeats(const std::vector<Contact>& contacts, std::size_t k) {
  return k > 0 && contacts[k].same_pair(contacts[k - 1]);
}

Violation measure(Run& run) {
  Violation v;
  v.contacts = run.detect(0.0);
  const auto planes = run.detector.detect_halfspaces(run.state, false);
  v.contacts.insert(v.contacts.end(), planes.begin(), planes.end());
  const double tolerance = run.options.tolerance / run.model.unit_length;
  for (std::size_t k = 0; k < v.contacts.size(); ++k) {
    const Contact& c = v.contacts[k];
    if (repeats(v.contacts, k) || !(c.distance < 0.0) || -c.distance <= tolerance || run.policy.idle(c, run.state))
      continue;
    ++v.count;
    v.deepest = std::max(v.deepest, -c.distance);
  }
  return v;
}

}  // namespace

SolveStatus refine_tail(Run& run) {
  const Stopwatch watch(run.stats.ms_tail);
  const ReferenceOptions& options = run.options;
  ContactQp qp(run.model, run.policy, run.standing, run.qp_settings(true));
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
    const double largest = correction.largest;
    run.apply(correction, largest > 0.0 ? std::min(1.0, run.policy.clearance() / largest) : 1.0, run.state.s);
    for (std::size_t u = 0; u < correction.turn.size(); ++u)
      if (!correction.turn[u].isZero(0.0)) qp.forget(static_cast<int>(u));
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
  run.stats.tail_left = v.count;
  run.count(qp.stats);
  return status;
}

SolveStatus penalty_cleanup(Run& run) {
  const Stopwatch watch(run.stats.ms_cleanup);
  const double extra = 0.05 * run.policy.clearance();  // "a small margin" beyond the depth
  Violation v = measure(run);
  for (int iteration = 0; v.count > 0 && iteration < run.options.cleanup_iterations; ++iteration) {
    if (const auto reason = run.interrupt.check(); reason != Interrupt::Reason::kNone)
      return reason == Interrupt::Reason::kCancelled ? SolveStatus::kCancelled : SolveStatus::kTimeLimit;
    for (std::size_t k = 0; k < v.contacts.size(); ++k) {
      const Contact& c = v.contacts[k];
      if (!c.valid || c.distance >= 0.0 || repeats(v.contacts, k) || run.policy.idle(c, run.state)) continue;
      run.nudge_apart(c, extra - c.distance);
    }
    ++run.stats.cleanup_iterations;
    v = measure(run);
    run.interrupt.progress(Stage::kCleanup, static_cast<double>(iteration + 1) / run.options.cleanup_iterations,
                           v.count);
  }
  run.stats.cleanup_left = v.count;
  if (v.count == 0) return SolveStatus::kSolved;
  run.explain(std::to_string(v.count) + " overlapping pairs are left after the penalty clean-up");
  return SolveStatus::kTailBudget;
}

}  // namespace s4r
