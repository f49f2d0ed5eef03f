// The `default` profile for a scene with joints: options to settings, the loop, its result.
#include <algorithm>
#include <string>

#include "articulation/articulation.h"
#include "s4r/articulation.h"
#include "separation/settings.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

constexpr int kPolishBudget = 20;  // iterations from the first separated state on
constexpr std::size_t kNamed = 3;  // pairs that a reason names

std::string describe(const ArticulationResult& result) {
  const auto& left = result.left;
  if (left.empty()) return std::to_string(result.bad_pairs) + " pairs could not be separated";
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(left.size(), kNamed); ++k)
    text += (k > 0 ? ", " : "") + ("{geom:" + std::to_string(left[k].first)) +
            "} and {geom:" + std::to_string(left[k].second) + "}";
  if (left.size() > kNamed) text += ", " + std::to_string(left.size() - kNamed) + " more pairs";
  return "the free joints do not separate " + text;
}

}  // namespace

Solution solve_articulated(const Scene& scene, const DefaultOptions& options, const Interrupt& interrupt) {
  Solution solution;
  SolveStats& stats = solution.stats;
  {
    const Stopwatch total(stats.ms_total);
    std::unique_ptr<const Mechanism> mechanism;
    std::unique_ptr<const SeparationAssets> assets;
    {
      const Stopwatch setup(stats.ms_setup);
      mechanism = std::make_unique<Mechanism>(scene);
      assets = std::make_unique<SeparationAssets>(mechanism->links());
    }
    const double unit_length = mechanism->links().unit_length;
    SeparationSettings settings = settings_of(options, unit_length);
    settings.polish_gain = settings.polish_gain_turning;
    settings.polish_budget = kPolishBudget;
    const ArticulationResult result = articulate(*mechanism, *assets, settings, interrupt);
    switch (interrupt.check()) {
      case Interrupt::Reason::kCancelled: solution.status = SolveStatus::kCancelled; break;
      case Interrupt::Reason::kTimeLimit: solution.status = SolveStatus::kTimeLimit; break;
      case Interrupt::Reason::kNone:
        solution.status = result.separated && result.left.empty() ? SolveStatus::kSolved : SolveStatus::kStagnation;
        if (solution.status != SolveStatus::kSolved) solution.reason = describe(result);
    }
    solution.initial_overlaps = result.initial_overlaps;
    mechanism->write(result.at, solution);
    stats.final_scale = 1.0;
    stats.steps = stats.detections = result.iterations;
    stats.queries = result.queries;
    stats.threads = settings.threads;
    stats.length_unit = unit_length;
    stats.margin = settings.margin * unit_length;
    stats.ms_detect = result.ms_detect;
    stats.ms_qp = result.ms_project;
  }
  return solution;
}

}  // namespace s4r
