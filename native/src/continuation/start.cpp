#include "continuation/start.h"

#include "broadphase/box_pairs.h"
#include "continuation/freedom.h"
#include "geometry/directions.h"

namespace s4r {
namespace {

constexpr int kMaxSweeps = 60;

bool units_conflict(const Model& model, const PairPolicy& policy, int a, int b) {
  if (policy.scope_all()) {
    for (const int ga : model.units[a].geoms)
      for (const int gb : model.units[b].geoms)
        if (model.rule.allowed(ga, gb)) return true;
    return false;
  }
  for (const int ga : model.units[a].geoms)
    for (const int gb : model.units[b].geoms)
      if (policy.in_conflict(ga, gb)) return true;
  return false;
}

// Moves the two centres apart along the axis, or as far along it as they may; false if neither may move at all.
bool part(const Model& model, State& state, int a, int b, const Vec3& axis, std::size_t index, double push) {
  state.moved[a] = state.moved[b] = 1;
  if (model.units[a].translations.isIdentity(0.0) && model.units[b].translations.isIdentity(0.0)) {
    state.p[a] -= 0.5 * push * axis;
    state.p[b] += 0.5 * push * axis;
    return true;
  }
  const auto way = [&](int unit, const Vec3& n) -> Vec3 {
    return state.fixed(unit) ? Vec3::Zero() : Vec3(model.units[unit].translations * n);
  };
  Vec3 n = axis;
  double along = n.dot(way(a, n)) + n.dot(way(b, n));
  if (along < kFollows) {
    // No way along their axis: past each other along what is allowed.
    n = way(a, spread_direction(index)) + way(b, spread_direction(index));
    if (n.norm() < kFollows) return false;
    n.normalize();
    along = n.dot(way(a, n)) + n.dot(way(b, n));
  }
  state.p[a] -= push / along * way(a, n);
  state.p[b] += push / along * way(b, n);
  return true;
}

}  // namespace

void separate_centres(const Model& model, const PairPolicy& policy, const ReferenceOptions& options, State& state) {
  const auto needed = [&](int a, int b) {
    return policy.clearance() + options.initial_scale * (model.units[a].radius + model.units[b].radius);
  };
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    std::vector<Box3> boxes;
    for (std::size_t u = 0; u < model.units.size(); ++u)
      boxes.push_back(Box3{state.p[u], state.p[u]}.padded(
          0.5 * policy.clearance() + options.initial_scale * model.units[u].radius + options.separation_padding));
    bool changed = false;
    const auto near = overlapping_pairs(boxes);
    for (std::size_t k = 0; k < near.size(); ++k) {
      const auto& [a, b] = near[k];
      const Vec3 between = state.p[b] - state.p[a];
      const double distance = between.norm();
      if (distance >= needed(a, b) || !units_conflict(model, policy, a, b)) continue;
      const Vec3 axis = distance > 1e-12 ? Vec3(between / distance) : spread_direction(k);
      const double push = needed(a, b) + options.separation_padding - distance;
      changed = part(model, state, a, b, axis, k, push) || changed;
    }
    if (!changed) return;
  }
}

}  // namespace s4r
