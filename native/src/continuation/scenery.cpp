#include "continuation/scenery.h"

#include <algorithm>

#include "continuation/freedom.h"
#include "continuation/limits.h"
#include "geometry/directions.h"
#include "geometry/separating_plane.h"
#include "geometry/solid.h"

namespace s4r {
namespace {

constexpr double kBeyond = 1e-6;  // how far past a surface counts as outside, relative to the whole way out

Pose obstacle_pose(const ModelGeom& g) { return {g.offset, g.q}; }

// Is the point inside this bounded obstacle?
bool inside(const Model& model, const ModelGeom& g, const Vec3& p) {
  const Vec3 local = g.q.conjugate() * (p - g.offset);
  const Collidable& collidable = *model.collidables[g.shape];
  return collidable.shape().mesh ? collidable.encloses(local) : primitive_contains(collidable.shape(), local);
}

// Obstacles that may touch some geom of the unit.
std::vector<int> obstacles_of(const Model& model, const Unit& unit) {
  std::vector<int> list;
  for (int o = 0; o < static_cast<int>(model.geoms.size()); ++o) {
    const ModelGeom& g = model.geoms[o];
    if (g.unit < 0 && !g.halfspace &&
        std::any_of(
            unit.geoms.begin(), unit.geoms.end(),
            [&](int id) { return model.rule.allowed(o, id) && !beneath(model, o, id); }))
      list.push_back(o);
  }
  return list;
}

// Travel along n from p to the far surface of the obstacle: to the supporting plane of a convex one, else to where the
// line leaves the mesh.
double exit_travel(const Model& model, const ModelGeom& g, const Vec3& p, const Vec3& n) {
  const double to_plane = support(model.shape(g), obstacle_pose(g), n) - n.dot(p);
  if (g.convex) return to_plane;
  const Quat to_mesh = g.q.conjugate();
  for (const double t : line_crossings(*model.shape(g).mesh, to_mesh * (p - g.offset), to_mesh * n)) {
    const double beyond = t + kBeyond * to_plane;
    if (!inside(model, g, p + beyond * n)) return beyond;
  }
  return to_plane;
}

// The directions as far as the unit may go along them.
void keep_allowed(const Unit& unit, std::vector<Vec3>& directions) {
  if (unit.translations.isIdentity(0.0)) return;
  for (Vec3& n : directions) n = unit.translations * n;
  std::erase_if(directions, [](const Vec3& n) { return n.norm() < kFollows; });
  for (Vec3& n : directions) n.normalize();
}

// Price of a unit of travel along n.
double effort(const Vec3& n, const Vec3& up) { return 1.5 - 0.5 * n.dot(up); }

struct Exit {
  Vec3 n;
  double travel;
  double cost;
  bool free;
};

}  // namespace

void leave_scenery(const Model& model, const PairPolicy& policy, double initial_scale, State& state) {
  const Vec3 up = model.scene.up;
  for (std::size_t u = 0; u < model.units.size(); ++u) {
    const Unit& unit = model.units[u];
    if (state.fixed(static_cast<int>(u)) || (!policy.scope_all() && policy.conflict_units()[u] == 0)) continue;
    const std::vector<int> obstacles = obstacles_of(model, unit);
    const auto blocked = [&](const Vec3& p) {
      return std::find_if(obstacles.begin(), obstacles.end(), [&](int o) { return inside(model, model.geoms[o], p); });
    };
    // A second round helps where the only exits lead through a neighbouring obstacle.
    for (int round = 0; round < 4; ++round) {
      const auto hit = blocked(state.p[u]);
      if (hit == obstacles.end()) break;
      const ModelGeom& g = model.geoms[*hit];
      std::vector<Vec3> directions = face_directions({&model.shape(g), obstacle_pose(g)});
      directions.push_back(up);
      // Away from the middle and from the axis: the cheapest exits of round obstacles.
      const Vec3 outward = g.q.conjugate() * (state.p[u] - g.offset) - model.collidables[g.shape]->box().centre();
      for (const Vec3& radial : {outward, Vec3(outward.x(), outward.y(), 0.0)})
        if (radial.norm() > 1e-9) directions.push_back(g.q * radial.normalized());
      for (std::size_t k = 0; k < 26; ++k) directions.push_back(spread_direction(k));
      keep_allowed(unit, directions);
      if (directions.empty()) break;
      std::vector<Exit> exits;
      for (const Vec3& n : directions) {
        double behind = 0.0;  // how far the full-size unit reaches back along n
        for (const int id : unit.geoms) behind = std::max(behind, state.reach(model, id, -n));
        const double travel = exit_travel(model, g, state.p[u], n) + policy.clearance() + initial_scale * unit.radius;
        exits.push_back(
            {n, travel, (travel + behind) * effort(n, up), blocked(state.p[u] + travel * n) == obstacles.end()});
      }
      const auto best = std::min_element(exits.begin(), exits.end(), [](const Exit& x, const Exit& y) {
        return x.free != y.free ? x.free : x.cost < y.cost;
      });
      state.p[u] += best->travel * best->n;
      state.moved[u] = 1;
    }
  }
}

namespace {

// Gap between the full-size unit at X and the obstacle; negative when they overlap.
double gap_to(const Model& model, const Unit& unit, const Pose& X, int obstacle) {
  const ModelGeom& o = model.geoms[obstacle];
  double gap = 1e300;
  for (const int id : unit.geoms) {
    const ModelGeom& g = model.geoms[id];
    if (!model.rule.allowed(obstacle, id) || beneath(model, obstacle, id)) continue;
    const Pose X_geom{X.p + X.q * g.offset, X.q * g.q};
    const Score score =
        o.halfspace ? score_halfspace(obstacle_pose(o), model.shape(g), X_geom)
                    : score_pair(*model.collidables[o.shape], obstacle_pose(o), *model.collidables[g.shape], X_geom);
    gap = std::min(gap, score.distance);
  }
  return gap;
}

}  // namespace

bool escape_scenery(const Model& model, const PairPolicy& policy, const Standing& standing, int unit_index,
                    double max_shift, State& state) {
  constexpr int kDirections = 26, kSteps = 32, kBisections = 8;
  const Unit& unit = model.units[unit_index];
  const Vec3 up = model.scene.up;
  const double range = max_shift > 0.0 ? (1.0 - 1e-9) * max_shift : 8.0 * std::max(unit.radius, policy.clearance());
  std::vector<int> obstacles;
  for (int o = 0; o < static_cast<int>(model.geoms.size()); ++o)
    if (model.geoms[o].unit < 0) obstacles.push_back(o);
  Vec3 from = unit.centre;
  Quat turn = state.turns() ? state.turn[unit_index] : Quat::Identity();
  if (standing.stands(unit_index)) {
    // In the plane from where it was, but at the height it is to have.
    const Pose upright = standing.final_pose(state, unit_index);
    from += up.dot(upright.p - from) * up;
    turn = upright.q;
  }
  const auto clear = [&](const Vec3& p) {
    return std::all_of(obstacles.begin(), obstacles.end(), [&](int o) {
      const ModelGeom& g = model.geoms[o];
      if (!g.halfspace && !Box3{p, p}.padded(unit.radius).overlaps(g.box)) return true;
      return gap_to(model, unit, {p, turn}, o) > 0.0;
    });
  };
  std::vector<Vec3> directions{up};
  for (std::size_t k = 0; k < kDirections; ++k) directions.push_back(spread_direction(k));
  keep_allowed(unit, directions);
  double best_cost = 1e300;
  Vec3 best = Vec3::Zero();
  for (const Vec3& n : directions) {
    double out = 0.0;
    for (int step = 1; step <= kSteps && out == 0.0 && range * step / kSteps * effort(n, up) < best_cost; ++step)
      if (clear(from + range * step / kSteps * n)) out = range * step / kSteps;
    if (out == 0.0) continue;
    double in = out - range / kSteps;
    for (int k = 0; k < kBisections; ++k) {
      const double middle = 0.5 * (in + out);
      (clear(from + middle * n) ? out : in) = middle;
    }
    if (out * effort(n, up) < best_cost) {
      best_cost = out * effort(n, up);
      best = from + out * n;
    }
  }
  if (best_cost == 1e300) return false;
  state.p[unit_index] = best;
  state.moved[unit_index] = 1;
  return true;
}

}  // namespace s4r
