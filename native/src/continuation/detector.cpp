#include "continuation/detector.h"

#include <algorithm>

#include "broadphase/box_pairs.h"
#include "util/parallel.h"

namespace s4r {
namespace {

constexpr double kWobble = 0.1;  // tangent of the tilt under which a turning geom's lowest points count

// Box of the geom at scale s.
Box3 scaled_box(const ModelGeom& g, const Box3& box, const std::vector<Vec3>& p, double s) {
  if (g.unit < 0) return box;
  return {p[g.unit] + s * box.lo, p[g.unit] + s * box.hi};
}

// Farthest point of the geom along the direction, from its unit's centre at full scale.
Vec3 farthest(const Shape& shape, const PlacedGeom& X, const Vec3& direction) {
  return X.offset + X.q * support_point(shape, X.q.conjugate() * direction);
}

// The lowest point alone lets a body that turns about it sink in beside it: those of slightly tilted planes too.
std::vector<Vec3> lowest_points(const Shape& shape, const PlacedGeom& X, const Vec3& n) {
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  std::vector<Vec3> points;
  for (const Vec3& tilt : {Vec3(Vec3::Zero()), t1, Vec3(-t1), t2, Vec3(-t2)}) {
    const Vec3 point = farthest(shape, X, -n + kWobble * tilt);
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  }
  return points;
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
    if (policy_.stands_on(a, b) || (!request.all_pairs && !policy_.relevant(a, b, state))) continue;
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
    return state.s * (supports ? farthest(model_.shape(model_.geoms[id]), state.geoms[id], n) : witness);
  };
  if (c.unit_a >= 0) c.arm_a = arm(c.geom_a, c.n, point);
  if (c.unit_b >= 0) c.arm_b = arm(c.geom_b, -c.n, point - between);
}

std::vector<Contact> Detector::detect_halfspaces(const State& state, bool all_pairs) const {
  std::vector<Contact> contacts;
  for (int h = 0; h < static_cast<int>(model_.geoms.size()); ++h) {
    const ModelGeom& plane = model_.geoms[h];
    if (!plane.halfspace) continue;
    const Vec3 n = plane.q * Vec3::UnitZ();
    for (int g = 0; g < static_cast<int>(model_.geoms.size()); ++g) {
      const ModelGeom& geom = model_.geoms[g];
      if (geom.unit < 0 || !model_.rule.allowed(h, g) || (!all_pairs && !policy_.relevant(h, g, state))) continue;
      if (policy_.stands_on(h, g)) continue;
      Contact c;
      c.geom_a = std::min(h, g);
      c.geom_b = std::max(h, g);
      (h < g ? c.unit_b : c.unit_a) = geom.unit;
      c.n = h < g ? n : Vec3(-n);
      c.margin = policy_.margin(h, g);
      c.valid = c.exact = true;
      const auto add = [&](double reach) {
        c.distance = n.dot(state.p[geom.unit] - plane.offset) - state.s * reach;
        if (std::abs(c.distance) <= kTouching) c.distance = 0.0;
        c.closure = reach;
        contacts.push_back(c);
      };
      if (!model_.units[geom.unit].may_turn()) {
        add(state.reach(model_, g, -n));
        continue;
      }
      for (const Vec3& point : lowest_points(model_.shape(geom), state.geoms[g], n)) {
        (h < g ? c.arm_b : c.arm_a) = state.s * point;
        add(-n.dot(point));
      }
    }
  }
  return contacts;
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
