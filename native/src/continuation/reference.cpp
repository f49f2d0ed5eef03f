// Algorithm 1 of the paper, end to end. Departures are listed in docs/algorithm.md.
#include <algorithm>

#include "continuation/moves.h"
#include "continuation/run.h"
#include "continuation/scenery.h"
#include "continuation/start.h"
#include "s4r/solve.h"
#include "util/parallel.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

// Conflicts and clearances of the input, at full scale.
void learn_initial(PairPolicy& policy, Detector& detector, const State& state) {
  DetectRequest request;
  request.pad = policy.reach();
  request.event_cull = false;
  request.all_pairs = true;
  std::vector<Contact> contacts = detector.detect(state, request);
  const auto planes = detector.detect_halfspaces(state, true);
  contacts.insert(contacts.end(), planes.begin(), planes.end());
  policy.learn_initial(contacts);
}

SolveStatus continuation(Run& run) {
  if (run.options.progressive_scaling) {
    const SolveStatus grown = grow(run);
    if (grown != SolveStatus::kSolved) return grown;
  }
  SolveStatus status = SolveStatus::kSolved;
  if (run.options.tail_max_iterations > 0) status = refine_tail(run);
  const bool leftovers =
      status == SolveStatus::kStagnation || status == SolveStatus::kTailBudget || status == SolveStatus::kQpFailure;
  if (leftovers && run.options.cleanup_iterations > 0) status = penalty_cleanup(run);
  return status == SolveStatus::kSolved && run.gave_up ? SolveStatus::kContainerInfeasible : status;
}

}  // namespace

Solution solve_reference(const Scene& scene, const ReferenceOptions& options, const Interrupt& interrupt) {
  Solution solution;
  SolveStats stats;
  {
    const Stopwatch total(stats.ms_total);
    std::unique_ptr<Model> model;
    {
      const Stopwatch watch(stats.ms_setup);
      model = std::make_unique<Model>(scene);
    }
    PairPolicy policy(*model, options);
    stats.threads = resolve_threads(options.threads);
    Detector detector(*model, policy, stats.threads);
    Run run{*model,   options,   policy,
            detector, interrupt, initial_state(*model),
            {},       {},        std::vector<char>(model->units.size(), 0)};
    {
      const Stopwatch watch(run.stats.ms_setup);
      learn_initial(policy, detector, run.state);
      if (options.progressive_scaling) {
        leave_scenery(*model, policy, options.initial_scale, run.state);
        separate_centres(*model, policy, options, run.state);
        leave_scenery(*model, policy, options.initial_scale, run.state);
        run.enforce_max_shift();
        run.state.s = options.initial_scale;
      }
    }
    solution.status = continuation(run);
    solution.reason = run.reason;
    write_moves(*model, run.state.p, {}, run.state.moved, solution);

    run.stats.ms_setup += stats.ms_setup;
    run.stats.threads = stats.threads;
    run.stats.final_scale = run.state.s;
    run.stats.detections = detector.detections;
    run.stats.queries = detector.queries;
    run.stats.length_unit = model->unit_length;
    run.stats.margin = policy.clearance() * model->unit_length;
    solution.stats = run.stats;
  }
  solution.stats.ms_total = stats.ms_total;
  return solution;
}

const char* to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved: return "solved";
    case SolveStatus::kStagnation: return "stagnation";
    case SolveStatus::kTailBudget: return "tail-budget";
    case SolveStatus::kQpFailure: return "qp-failure";
    case SolveStatus::kContainerInfeasible: return "container-infeasible";
    case SolveStatus::kIncomplete: return "incomplete";
    case SolveStatus::kCancelled: return "cancelled";
    case SolveStatus::kTimeLimit: return "time-limit";
  }
  return "unknown";
}

}  // namespace s4r
