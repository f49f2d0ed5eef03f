#include "problem.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "continuation/moves.h"
#include "scene/length_unit.h"
#include "util/stopwatch.h"

namespace s4r::bench {
namespace {

constexpr Method kMethods[] = {
    {"direct-qp-1", kClearance, direct_qp_once}, {"direct-qp-50", kClearance, direct_qp},
    {"global-qp", kClearance, global_qp},        {"pd-pgs", kPdPgsClearance, pd_pgs},
    {"soft-penalty", kClearance, soft_penalty},  {"rejection", kClearance, rejection_sampling},
};

ReferenceOptions options_with(const Scene& scene, double clearance) {
  ReferenceOptions options;
  options.scope_all = true;
  options.margin = clearance * length_unit(scene);
  options.threads = 1;
  return options;
}

}  // namespace

Problem::Problem(const Scene& scene, double clearance, const Interrupt& interrupt)
    : options_(options_with(scene, clearance)),
      interrupt_(interrupt),
      model(scene),
      policy(model, options_),
      detector(model, policy, options_.threads),
      state(initial_state(model)) {
  for (const ModelGeom& geom : model.geoms)
    if (geom.unit < 0) throw std::invalid_argument("the baselines know free bodies only, and this scene has others");
}

const std::vector<Contact>& Problem::detect(double reach) {
  const Stopwatch watch(stats.ms_detect);
  ++stats.detections;
  DetectRequest request;
  request.pad = reach;
  request.event_cull = false;
  const auto still = [&](int unit) { return state.p[unit] == measured_at_[unit]; };
  std::vector<Contact> fresh;
  auto known = contacts_.begin();
  for (const auto& [a, b] : detector.candidates(state, request)) {
    while (known != contacts_.end() && std::tie(known->geom_a, known->geom_b) < std::tie(a, b)) ++known;
    const bool same = known != contacts_.end() && known->geom_a == a && known->geom_b == b;
    if (same && still(known->unit_a) && still(known->unit_b)) {
      fresh.push_back(*known);
    } else {
      fresh.push_back(detector.measure(a, b, state));
      ++stats.queries;
    }
  }
  contacts_ = std::move(fresh);
  measured_at_ = state.p;
  return contacts_;
}

void Problem::move(int unit, const Vec3& shift) {
  if (shift.isZero(0.0)) return;
  state.p[unit] += shift;
  state.moved[unit] = 1;
}

int overlaps(const std::vector<Contact>& contacts) {
  return static_cast<int>(std::ranges::count_if(contacts, [](const Contact& c) { return c.distance < 0.0; }));
}

const Method& method_named(const std::string& name) {
  for (const Method& method : kMethods)
    if (name == method.name) return method;
  throw std::invalid_argument("no baseline is called '" + name + "'");
}

Solution solve_with(const Method& method, const Scene& scene, const Interrupt& interrupt) {
  Solution solution;
  double total = 0.0;
  {
    const Stopwatch all(total);
    double setup = 0.0;
    std::unique_ptr<Problem> problem;
    {
      const Stopwatch watch(setup);
      problem = std::make_unique<Problem>(scene, method.clearance, interrupt);
    }
    solution.status = method.solve(*problem);
    write_moves(problem->model, problem->state.p, {}, problem->state.moved, solution);
    solution.stats = problem->stats;
    solution.stats.ms_setup = setup;
    solution.stats.length_unit = problem->model.unit_length;
    solution.stats.margin = method.clearance * problem->model.unit_length;
  }
  solution.stats.ms_total = total;
  return solution;
}

}  // namespace s4r::bench
