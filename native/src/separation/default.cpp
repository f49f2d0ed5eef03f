// The `default` profile, for one state of a scene or for many.
#include <algorithm>
#include <string>

#include "continuation/moves.h"
#include "s4r/solve.h"
#include "separation/separation.h"
#include "util/parallel.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

struct DefaultSolver {
  Scene scene;
  DefaultOptions options;
  double ms_setup = 0.0;
  std::unique_ptr<const Model> model;  // in the scene's own state
  std::unique_ptr<const SeparationAssets> assets;

  DefaultSolver(const Scene& s, const DefaultOptions& o) : scene(s), options(o) {
    const Stopwatch watch(ms_setup);
    model = std::make_unique<Model>(scene, Centres::kFeet);
    assets = std::make_unique<SeparationAssets>(*model);
  }

  DefaultSolver(const DefaultSolver&) = delete;  // the model keeps a reference to the scene

  SeparationSettings settings() const {
    SeparationSettings s = settings_of(options, model->unit_length);
    const auto& units = model->units;
    if (std::any_of(units.begin(), units.end(), [](const Unit& u) { return u.may_turn(); })) {
      s.polish_gain = s.polish_gain_turning;
      s.polish_budget = s.polish_budget_turning;
      s.wait = s.wait_turning;
    }
    return s;
  }

  Solution solve(const Model& placed, const Interrupt& interrupt) const;
};

Solution DefaultSolver::solve(const Model& placed, const Interrupt& interrupt) const {
  Solution solution;
  SolveStats& stats = solution.stats;
  {
    const Stopwatch total(stats.ms_total);
    const SeparationSettings given = settings();
    const SeparationResult result = separate(placed, *assets, given, interrupt);
    switch (interrupt.check()) {
      case Interrupt::Reason::kCancelled: solution.status = SolveStatus::kCancelled; break;
      case Interrupt::Reason::kTimeLimit: solution.status = SolveStatus::kTimeLimit; break;
      case Interrupt::Reason::kNone:
        solution.status = result.separated ? SolveStatus::kSolved : SolveStatus::kStagnation;
        if (!result.separated) solution.reason = std::to_string(result.bad_pairs) + " pairs could not be separated";
    }
    solution.initial_overlaps = result.initial_overlaps;
    std::vector<Vec3> p;
    std::vector<Quat> turns;
    for (const UnitPose& pose : result.poses) {
      p.push_back(pose.p);
      turns.push_back(pose.turn);
    }
    write_moves(placed, p, turns, result.moved, solution);
    stats.final_scale = 1.0;
    stats.steps = stats.detections = result.iterations;
    stats.queries = result.queries;
    stats.threads = given.threads;
    stats.length_unit = placed.unit_length;
    stats.margin = given.margin * placed.unit_length;
    stats.ms_detect = result.ms_detect + result.ms_list;
    stats.ms_qp = result.ms_project;
  }
  return solution;
}

}  // namespace

struct PreparedSolver::Impl {
  DefaultSolver solver;
};

PreparedSolver::PreparedSolver(const Scene& scene, const DefaultOptions& options)
    : impl_(new const Impl{{scene, options}}) {
  const DefaultSolver& solver = impl_->solver;
  solver.assets->build_all(*solver.model, resolve_threads(options.threads));
}
PreparedSolver::~PreparedSolver() = default;

Solution PreparedSolver::solve(const std::vector<Pose>& X_WB, const Interrupt& interrupt) const {
  Scene scene = impl_->solver.scene;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) scene.bodies[b].X_WB = X_WB[b];
  return impl_->solver.solve(Model(scene, *impl_->solver.model), interrupt);
}

Solution solve_default(const Scene& scene, const DefaultOptions& options, const Interrupt& interrupt) {
  const DefaultSolver prepared(scene, options);
  Solution solution = prepared.solve(*prepared.model, interrupt);
  solution.stats.ms_setup = prepared.ms_setup;
  solution.stats.ms_total += prepared.ms_setup;
  return solution;
}

}  // namespace s4r
