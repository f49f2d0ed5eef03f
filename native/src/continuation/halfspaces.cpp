// Half-spaces against every movable geom: exact, one row for a geom that keeps its orientation.
#include <algorithm>

#include "continuation/detector.h"
#include "continuation/limits.h"

namespace s4r {
namespace {

constexpr double kWobble = 0.1;  // tangent of the tilt under which a turning geom's lowest points count

// The lowest point alone lets a body that turns about it sink in beside it: those of slightly tilted planes too.
std::vector<Vec3> lowest_points(const Model& model, const State& state, int geom, const Vec3& n) {
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  std::vector<Vec3> points;
  for (const Vec3& tilt : {Vec3(Vec3::Zero()), t1, Vec3(-t1), t2, Vec3(-t2)}) {
    const Vec3 point = state.farthest(model, geom, -n + kWobble * tilt);
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  }
  return points;
}

}  // namespace

std::vector<Contact> Detector::detect_halfspaces(const State& state, bool all_pairs) const {
  std::vector<Contact> contacts;
  for (int h = 0; h < static_cast<int>(model_.geoms.size()); ++h) {
    const ModelGeom& plane = model_.geoms[h];
    if (!plane.halfspace) continue;
    const Vec3 n = plane.q * Vec3::UnitZ();
    for (int g = 0; g < static_cast<int>(model_.geoms.size()); ++g) {
      const ModelGeom& geom = model_.geoms[g];
      if (geom.unit < 0 || !model_.rule.allowed(h, g) || (!all_pairs && !policy_.relevant(h, g, state))) continue;
      if (beneath(model_, h, g)) continue;
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
      for (const Vec3& point : lowest_points(model_, state, g, n)) {
        (h < g ? c.arm_b : c.arm_a) = state.s * point;
        add(-n.dot(point));
      }
    }
  }
  return contacts;
}

}  // namespace s4r
