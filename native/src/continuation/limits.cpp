#include "continuation/limits.h"

#include <algorithm>

#include "geometry/rotation.h"

namespace s4r {
namespace {

constexpr double kInside = 1.0 - 1e-9;  // how far inside its limit a move that reached it ends
constexpr int kBisections = 50;
constexpr double kSamePlane = 1e-6;  // [m]

// Largest displacement of the origin of a body when the centre moves by `shift`.
double largest_shift(const Unit& unit, const Vec3& shift, const Quat& turn) {
  if (is_identity(turn)) return shift.norm();
  double largest = 0.0;
  for (const Vec3& arm : unit.arms) largest = std::max(largest, (shift + turn * arm - arm).norm());
  return largest;
}

}  // namespace

bool keep_limits(const Unit& unit, const MoveLimits& limits, Vec3& p, Quat& turn) {
  bool limited = false;
  if (limits.max_turn > 0.0 && angle_of(turn) > limits.max_turn) {
    turn = exp_map(log_map(turn).normalized() * (limits.max_turn * kInside));
    limited = true;
  }
  const Vec3 shift = p - unit.centre;
  if (limits.max_shift <= 0.0 || largest_shift(unit, shift, turn) <= limits.max_shift) return limited;
  if (is_identity(turn)) {
    p = unit.centre + shift * (limits.max_shift * kInside / shift.norm());
    return true;
  }
  keep_limits(unit, limits, unit.centre, Quat::Identity(), p, turn);
  return true;
}

bool keep_limits(const Unit& unit, const MoveLimits& limits, const Vec3& start_p, const Quat& start_turn, Vec3& p,
                 Quat& turn) {
  const auto keeps = [&](const Vec3& at, const Quat& turned) {
    return (limits.max_turn <= 0.0 || angle_of(turned) <= limits.max_turn) &&
           (limits.max_shift <= 0.0 || largest_shift(unit, at - unit.centre, turned) <= limits.max_shift);
  };
  if (keeps(p, turn)) return false;
  const Vec3 shift = p - start_p, rotation = log_map(turn * start_turn.conjugate());
  double inside = 0.0, outside = 1.0;
  for (int k = 0; k < kBisections; ++k) {
    const double middle = 0.5 * (inside + outside);
    (keeps(start_p + middle * shift, exp_map(middle * rotation) * start_turn) ? inside : outside) = middle;
  }
  p = start_p + inside * shift;
  turn = exp_map(inside * rotation) * start_turn;
  return true;
}

Quat standing_turn(const Unit& unit, const Vec3& up, double zeta, double yaw) {
  return exp_map(yaw * up) * exp_map((zeta - 1.0) * unit.motion.tilt);
}

double lowest_point(const Model& model, const Unit& unit, const Quat& turn) {
  const Vec3 down = -model.scene.up;
  double deepest = -1e300;
  for (const int id : unit.geoms) {
    const ModelGeom& g = model.geoms[id];
    deepest = std::max(deepest, support(model.shape(g), {turn * g.offset, turn * g.q}, down));
  }
  return unit.geoms.empty() ? 0.0 : -deepest;
}

double room_at_edge(const Unit& unit, const Motion::Edge& edge, const Vec3& p, const Quat& turn) {
  return edge.offset - kEdgeMargin - edge.n.dot(p + turn * unit.motion.carried);
}

bool beneath(const Model& model, int a, int b) {
  if (model.tops.empty()) return false;
  const bool a_fixed = model.geoms[a].unit < 0;
  const int unit = model.geoms[a_fixed ? b : a].unit;
  if (unit < 0 || !model.units[unit].motion.stands) return false;
  return model.tops[a_fixed ? a : b] - model.units[unit].motion.height <= kSamePlane / model.unit_length;
}

}  // namespace s4r
