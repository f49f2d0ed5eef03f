#include "separation/unit_motion.h"

#include "continuation/limits.h"

namespace s4r {
namespace {

constexpr double kStanding = 5e-7;  // a unit this upright [rad] and this close to its plane [m] stands already

}  // namespace

UnitPose start_of(const Model& model, const Unit& unit) {
  if (!unit.motion.stands) return {unit.centre};
  const Vec3 up = model.scene.up;
  const double gap = up.dot(unit.centre) + lowest_point(model, unit, Quat::Identity()) - unit.motion.height;
  const double above = kStanding / model.unit_length, touching = kStandingClearance / model.unit_length + kTouching;
  if (unit.motion.tilt.norm() <= kStanding && gap <= above && gap >= -touching) return {unit.centre};
  return {unit.box_centre + (unit.motion.height - up.dot(unit.box_centre)) * up, standing_turn(unit, up, 0.0, 0.0)};
}

RigidFreedom freedom_of(const Unit& unit) {
  const double turning = unit.weight * unit.radius * unit.radius;
  return {unit.translations / unit.weight, turning > 0.0 ? Mat3(unit.turns / turning) : Mat3(Mat3::Zero())};
}

RigidStep way_back(const Unit& unit, const UnitPose& start, const UnitPose& pose, double longest, double widest) {
  RigidStep step;
  step.p = start.p - pose.p;
  if (const double length = step.p.norm(); length > longest) step.p *= longest / length;
  if (!unit.may_turn()) return step;
  step.w = log_map(start.turn * pose.turn.conjugate());
  if (const double angle = step.w.norm(); angle > widest) step.w *= widest / angle;
  return step;
}

void advance(const Unit& unit, const UnitPose& start, const RigidStep& step, double largest_turn, double& angle,
             UnitPose& pose) {
  // Rows that contradict each other leave more rounding in a step than its length has digits for.
  const bool free = unit.motion.translate == Motion::Translate::kAll;
  pose.p += free ? step.p : Vec3(unit.translations * step.p);
  if (unit.motion.turn == Motion::Turn::kNone) return;
  const Vec3 w = step.w.cwiseMax(-largest_turn).cwiseMin(largest_turn);
  if (unit.motion.turn == Motion::Turn::kAll) {
    pose.turn = (exp_map(w) * pose.turn).normalized();
    return;
  }
  angle += w.dot(unit.motion.turn_axis);
  pose.turn = exp_map(angle * unit.motion.turn_axis) * start.turn;
}

ProjectionRow edge_row(const Unit& unit, std::size_t k, const UnitPose& pose) {
  const Motion::Edge& edge = unit.motion.edges[k];
  ProjectionRow row;
  row.n = -edge.n;
  row.b = -room_at_edge(unit, edge, pose.p, pose.turn);
  row.lever_j = (pose.turn * unit.motion.carried).cross(row.n);
  return row;
}

double travelled(const Unit& unit, const UnitPose& from, const UnitPose& to) {
  const double length = (to.p - from.p).norm();
  return unit.may_turn() ? length + chord(from.turn, to.turn) * unit.radius : length;
}

double squared_move(const Unit& unit, const UnitPose& start, const UnitPose& pose) {
  const double square = (pose.p - start.p).squaredNorm();
  if (!unit.may_turn()) return square;
  const double arc = unit.radius * angle_of(pose.turn * start.turn.conjugate());
  return square + arc * arc;
}

}  // namespace s4r
