#include "continuation/contact_rows.h"

#include <algorithm>

#include "geometry/directions.h"
#include "geometry/rotation.h"

namespace s4r {
namespace {

constexpr double kLimitWatch = 0.3;  // share of a limit from which it becomes a row
constexpr double kEdgeWatch = 0.1;   // units from the edge of the support at which it becomes a row
constexpr double kDetour = 0.03;     // units; longest step along a direction that is not the normal

double longest_extent(const Model& model, const Unit& unit) {
  Box3 box;
  for (const int id : unit.geoms) box.extend(model.geoms[id].box);
  return unit.geoms.empty() ? 0.0 : (box.hi - box.lo).maxCoeff();
}

}  // namespace

double prescribed_gain(const Contact& c, const std::vector<Standing::Step>& ahead) {
  double gain = 0.0;
  if (c.unit_b >= 0) gain += c.n.dot(ahead[c.unit_b].shift) + c.arm_b.cross(c.n).dot(ahead[c.unit_b].turn);
  if (c.unit_a >= 0) gain -= c.n.dot(ahead[c.unit_a].shift) + c.arm_a.cross(c.n).dot(ahead[c.unit_a].turn);
  return gain;
}

ContactRows::ContactRows(const Model& model, const Standing& standing) : model_(model), standing_(standing) {
  double r_max = 0.0;
  for (const Unit& u : model.units) r_max = std::max(r_max, u.radius);
  for (const Unit& u : model.units) {
    const double arc = u.motion.stands ? longest_extent(model, u) : r_max;
    const Quat& frame = model.scene.bodies[u.root_body].X_WB.q;
    units_.push_back({Freedom(u.translations, frame), Freedom(u.turns, frame), arc > 0.0 ? arc : 1.0});
  }
}

Blocks ContactRows::blocks(const std::vector<int>& bodies, QpProblem& problem) const {
  Blocks blocks{std::vector<int>(units_.size(), -1), std::vector<int>(units_.size(), -1), {}};
  const auto add = [&](int id, int size, double weight) {
    if (size == 0) return -1;
    blocks.ids.push_back(id);
    problem.sizes.push_back(size);
    problem.weights.push_back(weight);
    return static_cast<int>(problem.weights.size()) - 1;
  };
  for (const int unit : bodies) {
    blocks.move[unit] = add(move_block(unit), units_[unit].move.size, model_.units[unit].weight);
    blocks.turn[unit] = add(turn_block(unit), units_[unit].turn.size, model_.units[unit].weight);
  }
  return blocks;
}

// force . dp + torque . w of the unit, in the slots from `slot` on.
void ContactRows::add_terms(int unit, const Vec3& force, const Vec3& torque, const Blocks& blocks, int slot,
                            QpRow& row) const {
  if (const int k = blocks.move[unit]; k >= 0) row.terms[slot] = {k, units_[unit].move.coordinates(force)};
  if (const int k = blocks.turn[unit]; k >= 0)
    row.terms[slot + 1] = {k, units_[unit].turn.coordinates(torque) / units_[unit].arc};
}

std::optional<QpRow> ContactRows::contact(const Contact& c, double need, const State& state,
                                          const Blocks& blocks) const {
  const bool a = !state.fixed(c.unit_a), b = !state.fixed(c.unit_b);
  QpRow row;
  row.b = need;
  if (a) add_terms(c.unit_a, -c.n, -c.arm_a.cross(c.n), blocks, 0, row);
  if (b) add_terms(c.unit_b, c.n, c.arm_b.cross(c.n), blocks, 2, row);
  if ((!a || units_[c.unit_a].move.full()) && (!b || units_[c.unit_b].move.full())) return row;

  double follows = 0.0;
  for (const QpTerm& term : row.terms) follows = std::max(follows, term.a.norm());
  if (follows >= kFollows) return row;
  if (need <= 0.0) return std::nullopt;
  const std::optional<Vec3> way = detour(c, state);
  if (!way) {
    // Above or below fixed scenery the plane decides, not the QP. Elsewhere the row says that there is no way.
    const bool vertical = standing_.stands(c.unit_a) || standing_.stands(c.unit_b);
    return vertical ? std::nullopt : std::optional<QpRow>(row);
  }
  row = {};
  row.b = std::min(need, kDetour);
  if (a) add_terms(c.unit_a, -*way, Vec3::Zero(), blocks, 0, row);
  if (b) add_terms(c.unit_b, *way, Vec3::Zero(), blocks, 2, row);
  return row;
}

// Two units that cannot follow their normal pass each other along what is left of the line of their centres.
std::optional<Vec3> ContactRows::detour(const Contact& c, const State& state) const {
  if (c.unit_a < 0 || c.unit_b < 0) return std::nullopt;
  const Vec3 between = state.p[c.unit_b] - state.p[c.unit_a];
  for (const int unit : {c.unit_a, c.unit_b}) {
    if (state.fixed(unit) || units_[unit].move.size == 0) continue;
    for (const Vec3& direction : {between, spread_direction(c.unit_a)}) {
      const Vec3 way = units_[unit].move.project(direction);
      if (way.norm() > 1e-6) return way.normalized();
    }
  }
  return std::nullopt;
}

void ContactRows::add_limits(int unit, const State& state, const MoveLimits& limits, const Blocks& blocks,
                             QpProblem& problem) const {
  const Unit& u = model_.units[unit];
  const bool stands = standing_.stands(unit);
  const bool turns = state.turns() && (stands || u.may_turn());
  const bool ends = stands && !u.motion.edges.empty();
  if (limits.max_shift <= 0.0 && (limits.max_turn <= 0.0 || !turns) && !ends) return;
  const Pose X = stands ? standing_.final_pose(state, unit) : Pose{state.p[unit], Quat::Identity()};
  const Quat turn = stands ? X.q : turns ? state.turn[unit] : Quat::Identity();
  const auto add = [&](const Vec3& force, const Vec3& torque, double room) {
    QpRow row;
    row.b = -room;
    add_terms(unit, force, torque, blocks, 0, row);
    problem.rows.push_back(row);
  };
  for (std::size_t k = 0; ends && k < u.motion.edges.size(); ++k) {
    const Vec3 inwards = -u.motion.edges[k].n;
    const double room = room_at_edge(u, u.motion.edges[k], X.p, X.q);
    if (room < kEdgeWatch) add(inwards, (X.q * u.motion.carried).cross(inwards), room);
  }
  if (limits.max_shift > 0.0) {
    // The body of the unit that is displaced farthest.
    Vec3 shift = X.p - u.centre, arm = Vec3::Zero();
    if (turns)
      for (const Vec3& input : u.arms) {
        const Vec3 turned = turn * input, there = X.p - u.centre + turned - input;
        if (there.norm() < shift.norm() && !arm.isZero(0.0)) continue;
        shift = there;
        arm = turned;
      }
    const double length = shift.norm();
    if (length >= kLimitWatch * limits.max_shift) {
      const Vec3 back = -shift / length;
      add(back, arm.cross(back), limits.max_shift - length);
    }
  }
  if (!turns || limits.max_turn <= 0.0) return;
  const Vec3 rotation = log_map(turn);
  const double angle = rotation.norm();
  if (angle >= kLimitWatch * limits.max_turn) add(Vec3::Zero(), -rotation / angle, limits.max_turn - angle);
}

void ContactRows::bound_turn(int unit, double bound, const Blocks& blocks, QpProblem& problem) const {
  if (blocks.turn[unit] < 0) return;
  for (int axis = 0; axis < units_[unit].turn.size; ++axis) {
    QpRow row;
    row.terms[0] = {blocks.turn[unit], Vec3::Unit(axis)};
    row.top = bound * units_[unit].arc;
    row.b = -row.top;
    problem.rows.push_back(row);
  }
}

}  // namespace s4r
