// The `default` profile: separate at full scale, from where the bodies are.
#include <string>

#include "s4r/solve.h"
#include "separation/separation.h"
#include "util/parallel.h"
#include "util/stopwatch.h"

namespace s4r {

Solution solve_default(const Scene& scene, const DefaultOptions& options, const Interrupt& interrupt) {
  Solution solution;
  SolveStats stats;
  {
    const Stopwatch total(stats.ms_total);
    std::unique_ptr<Model> model;
    std::unique_ptr<SeparationAssets> assets;
    {
      const Stopwatch watch(stats.ms_setup);
      model = std::make_unique<Model>(scene);
      assets = std::make_unique<SeparationAssets>(*model);
    }
    SeparationSettings settings;
    if (options.margin) {
      settings.margin = *options.margin / model->unit_length;
      settings.accept = std::min(settings.accept, 0.2 * settings.margin);
    }
    if (options.max_shift) settings.max_shift = *options.max_shift / model->unit_length;
    settings.tolerance = options.tolerance / model->unit_length;
    settings.threads = stats.threads = resolve_threads(options.threads);
    if (!options.polish) settings.polish_iterations = 0;
    const SeparationResult result = separate(*model, *assets, settings, interrupt);

    switch (interrupt.check()) {
      case Interrupt::Reason::kCancelled: solution.status = SolveStatus::kCancelled; break;
      case Interrupt::Reason::kTimeLimit: solution.status = SolveStatus::kTimeLimit; break;
      case Interrupt::Reason::kNone:
        solution.status = result.separated ? SolveStatus::kSolved : SolveStatus::kStagnation;
        if (!result.separated)
          solution.reason = std::to_string(result.bad_pairs) + " pairs could not be separated at full scale";
    }
    solution.shifts.assign(scene.bodies.size(), Vec3::Zero());
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      if (const int u = model->unit_of_body[b]; u >= 0 && result.moved[u] != 0)
        solution.shifts[b] = (result.p[u] - model->units[u].centre) * model->unit_length;
    stats.final_scale = 1.0;
    stats.steps = result.iterations;
    stats.queries = result.queries;
    stats.detections = result.iterations;
    stats.length_unit = model->unit_length;
    stats.margin = settings.margin * model->unit_length;
    stats.ms_detect = result.ms_detect + result.ms_list;
    stats.ms_qp = result.ms_project;
  }
  solution.stats = stats;
  return solution;
}

}  // namespace s4r
