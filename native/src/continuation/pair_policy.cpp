#include "continuation/pair_policy.h"

#include <algorithm>

namespace s4r {
namespace {

constexpr double kClearance = 0.02;       // d_hat of Table A7
constexpr double kExactClearance = 1e-4;  // rows of half-spaces and convex pairs carry no linearisation error
constexpr double kSmallPart = 0.2;        // d_hat / object size in the paper: smaller parts get a smaller clearance
constexpr double kLeast = 1e-4;           // a touching pair that gets pushed ends this far apart at least

}  // namespace

PairPolicy::PairPolicy(const Model& model, const ReferenceOptions& options)
    : model_(model),
      scope_all_(options.scope_all),
      explicit_(options.margin.has_value()),
      clearance_(options.margin ? *options.margin / model.unit_length : kClearance),
      tolerance_(options.tolerance / model.unit_length),
      conflict_units_(model.units.size(), 0) {
  double engine = 0.0;
  for (const Geom& g : model.scene.geoms) engine = std::max(engine, 2.0 * g.margin);
  for (const ExplicitPair& p : model.scene.explicit_pairs) engine = std::max(engine, p.margin);
  reach_ = std::max(clearance_, engine / model.unit_length);
}

double PairPolicy::full_margin(int a, int b) const {
  const ModelGeom& ga = model_.geoms[a];
  const ModelGeom& gb = model_.geoms[b];
  double margin = clearance_;
  if (!explicit_ && !scope_all_) {
    const bool exact = ga.halfspace || gb.halfspace || (ga.convex && gb.convex);
    if (exact)
      margin = kExactClearance;
    else
      margin = std::min(margin, kSmallPart * std::min(ga.size, gb.size));
  }
  return std::max(margin, model_.rule.margin(a, b) / model_.unit_length);
}

double PairPolicy::margin(int a, int b) const {
  const double full = full_margin(a, b);
  if (scope_all_) return full;
  const auto found = initial_gap_.find(pair_key(a, b));
  if (found == initial_gap_.end() || found->second < 0.0) return full;
  return std::clamp(found->second, std::min(kLeast, full), full);
}

void PairPolicy::learn_initial(const std::vector<Contact>& full_scale) {
  for (std::size_t k = 0; k < full_scale.size(); ++k) {
    const Contact& c = full_scale[k];
    if (k > 0 && c.same_pair(full_scale[k - 1])) continue;  // the first is the nearest
    const bool conflict = c.distance < 0.0 && -c.distance > tolerance_;
    initial_gap_[pair_key(c.geom_a, c.geom_b)] = conflict ? c.distance : std::max(0.0, c.distance);
    if (!conflict) continue;
    if (c.unit_a >= 0) conflict_units_[c.unit_a] = 1;
    if (c.unit_b >= 0) conflict_units_[c.unit_b] = 1;
  }
}

bool PairPolicy::in_conflict(int a, int b) const {
  const auto found = initial_gap_.find(pair_key(a, b));
  return found != initial_gap_.end() && found->second < 0.0;
}

bool PairPolicy::idle(const Contact& c, const State& state) const {
  if (state.fixed(c.unit_a) && state.fixed(c.unit_b)) return true;
  if (scope_all_) return false;
  const bool moved = (c.unit_a >= 0 && state.moved[c.unit_a]) || (c.unit_b >= 0 && state.moved[c.unit_b]);
  return !moved && !in_conflict(c.geom_a, c.geom_b);
}

bool PairPolicy::relevant(int a, int b, const State& state) const {
  if (scope_all_) return true;
  for (const int unit : {model_.geoms[a].unit, model_.geoms[b].unit})
    if (unit >= 0 && (state.moved[unit] || conflict_units_[unit])) return true;
  return false;
}

}  // namespace s4r
