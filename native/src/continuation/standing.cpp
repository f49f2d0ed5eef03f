#include "continuation/standing.h"

#include <algorithm>

#include "geometry/rotation.h"

namespace s4r {
namespace {

constexpr double kSame = 1e-12;  // [rad] and units; what rounding leaves of no motion
constexpr int kBisections = 50;

bool within(const Unit& unit, const MoveLimits& limits, const Pose& X) {
  Vec3 p = X.p;
  Quat turn = X.q;
  return !keep_limits(unit, limits, p, turn);
}

}  // namespace

Standing::Standing(const Model& model, double first_scale) : model_(model), first_scale_(first_scale) {
  for (const Unit& u : model.units) {
    stands_.push_back(u.motion.stands ? 1 : 0);
    any_ = any_ || u.motion.stands;
  }
}

// Smoothstep complement of App. A.11.
Quat Standing::turn_at(int unit, double s, double yaw) const {
  const double share = s >= 1.0 ? 1.0 : std::clamp((s - first_scale_) / (1.0 - first_scale_), 0.0, 1.0);
  return standing_turn(model_.units[unit], model_.scene.up, 1.0 - share * share * (3.0 - 2.0 * share), yaw);
}

double Standing::height_at(int unit, double s, const Quat& turn) const {
  const Unit& u = model_.units[unit];
  return u.motion.height - s * lowest_point(model_, u, turn);
}

Vec3 Standing::at_height(const Vec3& p, double height) const {
  return p + (height - model_.scene.up.dot(p)) * model_.scene.up;
}

void Standing::settle(State& state) const {
  for (int u = 0; u < static_cast<int>(stands_.size()); ++u) {
    if (stands_[u] == 0) continue;
    const Quat turn = turn_at(u, state.s, state.yaw[u]);
    state.set_turn(model_, u, turn);
    state.p[u] = at_height(state.p[u], height_at(u, state.s, turn));
    state.moved[u] = 1;
  }
}

Pose Standing::final_pose(const State& state, int unit) const {
  const Quat turn = turn_at(unit, 1.0, state.yaw[unit]);
  return {at_height(state.p[unit], height_at(unit, 1.0, turn)), turn};
}

std::vector<Standing::Step> Standing::ahead(const State& state, double ds) const {
  if (!any_) return {};
  std::vector<Step> steps(stands_.size());
  for (int u = 0; u < static_cast<int>(stands_.size()); ++u) {
    if (stands_[u] == 0) continue;
    const Quat turn = turn_at(u, state.s + ds, state.yaw[u]);
    steps[u] = {at_height(state.p[u], height_at(u, state.s + ds, turn)) - state.p[u],
                log_map(turn * state.turn[u].conjugate())};
  }
  return steps;
}

bool Standing::keep_limits(const MoveLimits& limits, int unit, State& state) const {
  const Unit& u = model_.units[unit];
  if (within(u, limits, final_pose(state, unit))) return true;
  const Vec3 p = state.p[unit], shift = p - u.centre;
  const double yaw = state.yaw[unit], height = model_.scene.up.dot(p);
  const auto keeps = [&](double share) {
    state.p[unit] = at_height(u.centre + share * shift, height);
    state.yaw[unit] = share * yaw;
    return within(u, limits, final_pose(state, unit));
  };
  if (!keeps(0.0)) return false;
  double inside = 0.0, outside = 1.0;
  for (int k = 0; k < kBisections; ++k) {
    const double middle = 0.5 * (inside + outside);
    (keeps(middle) ? inside : outside) = middle;
  }
  return keeps(inside);
}

bool Standing::stood_so(const State& state, int unit) const {
  if (!stands(unit)) return false;
  const Unit& u = model_.units[unit];
  const Vec3 up = model_.scene.up, shift = state.p[unit] - u.centre;
  const double above = up.dot(u.centre) + lowest_point(model_, u, Quat::Identity()) - u.motion.height;
  return angle_of(state.turn[unit]) <= kSame && (shift - up.dot(shift) * up).norm() <= kSame && above <= kSame &&
         above * model_.unit_length >= -kStandingClearance - kSame;
}

}  // namespace s4r
