#include "continuation/detector.h"

#include <algorithm>

#include "broadphase/box_pairs.h"
#include "continuation/limits.h"
#include "util/parallel.h"

namespace s4r {
namespace {

// Box of the geom at scale s.
Box3 scaled_box(const ModelGeom& g, const Box3& box, const std::vector<Vec3>& p, double s) {
  if (g.unit < 0) return box;
  return {p[g.unit] + s * box.lo, p[g.unit] + s * box.hi};
}

bool touches(int unit, const std::vector<char>& units) { return unit >= 0 && units[unit] != 0; }

}  // namespace

std::vector<Contact> Detector::detect(const State& state, const DetectRequest& request) {
  ++detections;
  const auto pairs = candidates(state, request);
  prepare_obstacles(pairs, state.s);
  std::vector<Contact> contacts(pairs.size());
  parallel_for(pairs.size(), threads_,
               [&](std::size_t k) { contacts[k] = measure(pairs[k].first, pairs[k].second, state); });
  queries += static_cast<long>(pairs.size());
  return contacts;
}

std::vector<std::pair<int, int>> Detector::candidates(const State& state, const DetectRequest& request) const {
  std::vector<int> ids;
  std::vector<Box3> boxes;
  for (int g = 0; g < static_cast<int>(model_.geoms.size()); ++g) {
    const ModelGeom& geom = model_.geoms[g];
    if (geom.halfspace) continue;
    ids.push_back(g);
    if (request.literal_pad) {
      boxes.push_back(
          scaled_box(geom, state.geoms[g].box, state.p, state.s).padded(0.2 * request.ds * 0.1 / geom.raw_extent));
    } else {
      boxes.push_back(scaled_box(geom, state.geoms[g].box, state.p, state.s + request.ds).padded(0.5 * request.pad));
    }
  }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [i, j] : overlapping_pairs(boxes)) {
    const int a = ids[i], b = ids[j];
    const int unit_a = model_.geoms[a].unit, unit_b = model_.geoms[b].unit;
    if (unit_a == unit_b || !model_.rule.allowed(a, b)) continue;  // two obstacles share -1
    if (request.touching != nullptr && !touches(unit_a, *request.touching) && !touches(unit_b, *request.touching))
      continue;
    if (beneath(model_, a, b) || (!request.all_pairs && !policy_.relevant(a, b, state))) continue;
    if (request.event_cull && state.s + request.ds < 0.9 * event_scale(a, b, state.p)) continue;
    pairs.emplace_back(a, b);
  }
  return pairs;
}

void Detector::prepare_obstacles(const std::vector<std::pair<int, int>>& pairs, double s) {
  if (s == 1.0) return;
  if (obstacle_scale_ != s) {
    obstacles_.clear();
    obstacles_.resize(model_.collidables.size());
    obstacle_scale_ = s;
  }
  for (const auto& [a, b] : pairs)
    for (const int id : {a, b}) {
      const ModelGeom& g = model_.geoms[id];
      if (g.unit < 0 && !obstacles_[g.shape])
        obstacles_[g.shape] = std::make_unique<Collidable>(*model_.collidables[g.shape], 1.0 / s);
    }
}

// Sizes stay as they are and centres are divided by s; the distance is s times the one measured so. Scaling vertices
// down instead would run into FCL's absolute thresholds (triangles below 1e-15 of squared normal).
Contact Detector::measure(int a, int b, const State& state) const {
  const ModelGeom& ga = model_.geoms[a];
  const ModelGeom& gb = model_.geoms[b];
  const double s = state.s;
  const auto collidable = [&](const ModelGeom& g) -> const Collidable& {
    return g.unit < 0 && s != 1.0 ? *obstacles_[g.shape] : *model_.collidables[g.shape];
  };
  // Positions relative to A's centre, so that large world coordinates cost no digits.
  const auto anchor = [&](const ModelGeom& g) { return g.unit >= 0 ? state.p[g.unit] : g.offset; };
  const auto inner = [&](int id) { return model_.geoms[id].unit >= 0 ? state.geoms[id].offset : Vec3(Vec3::Zero()); };
  const Vec3 between = (anchor(gb) - anchor(ga)) / s;
  const Score score =
      score_pair(collidable(ga), {inner(a), state.geoms[a].q}, collidable(gb), {between + inner(b), state.geoms[b].q});

  Contact c;
  c.geom_a = a;
  c.geom_b = b;
  c.unit_a = ga.unit;
  c.unit_b = gb.unit;
  c.distance = s * score.distance;
  c.n = score.normal;
  c.valid = score.has_normal();
  c.contained = score.contained;
  c.exact = ga.convex && gb.convex;
  c.margin = policy_.margin(a, b);
  if (c.valid) {
    // Convex pairs: n separates the whole solids, so the plain supports make the row exact. Others: clamped
    // (Sec. 3.3.1).
    const double floor = c.exact ? -1e300 : 0.0;
    if (ga.unit >= 0) c.closure += std::max(floor, state.reach(model_, a, c.n));
    if (gb.unit >= 0) c.closure += std::max(floor, state.reach(model_, b, -c.n));
    if (state.turns()) add_arms(c, score.point, between, state);
  }
  return c;
}

// Witnesses in the frame of `measure`. Where convex solids overlap, their distance along n is that of their farthest
// points, so these are the witnesses.
void Detector::add_arms(Contact& c, const Vec3& point, const Vec3& between, const State& state) const {
  const bool supports = c.exact && c.distance < 0.0;
  const auto arm = [&](int id, const Vec3& n, const Vec3& witness) -> Vec3 {
    return state.s * (supports ? state.farthest(model_, id, n) : witness);
  };
  if (c.unit_a >= 0) c.arm_a = arm(c.geom_a, c.n, point);
  if (c.unit_b >= 0) c.arm_b = arm(c.geom_b, -c.n, point - between);
}

double Detector::event_scale(int a, int b, const std::vector<Vec3>& p) const {
  const ModelGeom& ga = model_.geoms[a];
  const ModelGeom& gb = model_.geoms[b];
  // A ball around an obstacle does not grow.
  const auto centre = [&](const ModelGeom& g) {
    return g.unit >= 0 ? p[g.unit] : Vec3(g.offset + g.q * model_.collidables[g.shape]->box().centre());
  };
  const auto growing = [](const ModelGeom& g) { return g.unit >= 0 ? g.radius : 0.0; };
  const auto constant = [](const ModelGeom& g) { return g.unit >= 0 ? 0.0 : g.radius; };
  const double gap = (centre(gb) - centre(ga)).norm() - policy_.reach() - constant(ga) - constant(gb);
  return gap / std::max(1e-300, growing(ga) + growing(gb));
}

}  // namespace s4r
