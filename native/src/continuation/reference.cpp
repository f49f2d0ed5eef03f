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

// Conflicts and clearances of the input, at full scale. Those of units that may do nothing stay.
void learn_initial(Run& run, PairPolicy& policy) {
  Detector& detector = run.detector;
  const State& state = run.state;
  DetectRequest request;
  request.pad = policy.reach();
  request.event_cull = false;
  request.all_pairs = true;
  std::vector<Contact> contacts = detector.detect(state, request);
  const auto planes = detector.detect_halfspaces(state, true);
  contacts.insert(contacts.end(), planes.begin(), planes.end());
  policy.learn_initial(contacts);
  for (const Contact& c : contacts) {
    if (!policy.in_conflict(c.geom_a, c.geom_b) || !state.fixed(c.unit_a) || !state.fixed(c.unit_b)) continue;
    run.explain("{geom:" + std::to_string(c.geom_a) + "} and {geom:" + std::to_string(c.geom_b) +
                "} overlap, and neither may move");
    run.gave_up = true;
  }
}

// Units that may not be moved as far as standing upright takes stay where they are.
void release_limited(Run& run) {
  for (int u = 0; u < static_cast<int>(run.model.units.size()); ++u) {
    if (!run.standing.stands(u) || run.standing.keep_limits(run.limits(), u, run.state)) continue;
    run.standing.release(u);
    run.state.p[u] = run.model.units[u].centre;
    run.state.given_up[u] = 1;
    run.explain("the limits keep {geom:" + std::to_string(run.model.units[u].geoms.front()) +
                "} from standing upright on its plane");
    run.gave_up = true;
  }
}

// From the input to where the scale loop starts.
void begin(Run& run, PairPolicy& policy, double first_scale) {
  const ReferenceOptions& options = run.options;
  State& state = run.state;
  release_limited(run);
  const bool layout_given = options.start_scale.has_value();
  if (!layout_given) learn_initial(run, policy);
  state.s = options.progressive_scaling ? std::min(first_scale, run.target_scale) : run.target_scale;
  run.standing.settle(state);
  if (!options.progressive_scaling || layout_given) return;
  leave_scenery(run.model, policy, options.initial_scale, state);
  separate_centres(run.model, policy, options, state);
  leave_scenery(run.model, policy, options.initial_scale, state);
  run.enforce_limits();
  run.standing.settle(state);
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

Solution solve_reference(const Scene& scene, const ReferenceOptions& given, const Interrupt& interrupt) {
  // A layout at a smaller scale says nothing of conflicts at full scale.
  ReferenceOptions options = given;
  options.scope_all = given.scope_all || given.start_scale.has_value();
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
    const double first_scale = options.start_scale.value_or(options.initial_scale);
    Run run{*model,
            options,
            policy,
            detector,
            interrupt,
            Standing(*model, first_scale),
            initial_state(*model),
            options.stop_scale.value_or(1.0),
            std::vector<char>(model->units.size(), 0)};
    {
      const Stopwatch watch(run.stats.ms_setup);
      begin(run, policy, first_scale);
    }
    solution.status = continuation(run);
    solution.reason = run.reason;
    run.keep_untouched();
    write_moves(*model, run.state.p, run.state.turn, run.state.moved, solution);

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
