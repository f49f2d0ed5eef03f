#include "placement/rest.h"

#include <algorithm>
#include <tuple>

#include "broadphase/box_pairs.h"
#include "geometry/directions.h"
#include "separation/pair_list.h"
#include "util/parallel.h"

namespace s4r {
namespace {

constexpr int kSides = 8;
constexpr int kOutline = 16;

// Horizontal unit vectors all around.
std::vector<Vec3> sides(const Vec3& up, int count) {
  const Vec3 x = up.unitOrthogonal();
  return directions_around(x, up.cross(x), count);
}

// Do they overlap once the unit went along there as far as a gap may be?
bool closes(const Layout& layout, const GeomPair& pair, const Vec3& along, double tolerance) {
  const double margin = layout.model().rule.margin(pair.first, pair.second) / layout.metres();
  return layout.overlap(pair, (tolerance + margin) * along);
}

bool carried(const Layout& layout, const std::vector<GeomPair>& closing, const std::vector<GeomPair>& all, double t) {
  if (layout.any_overlap(all, t * layout.up())) return false;
  for (const Vec3& side : sides(layout.up(), kSides)) {
    const Vec3 along = side - layout.up();
    if (std::none_of(closing.begin(), closing.end(),
                     [&](const GeomPair& pair) { return closes(layout, pair, along, t); }))
      return false;
  }
  return true;
}

// A unit near something it might rest on.
struct Meeting {
  int unit, on_unit, on_body;
  std::vector<GeomPair> pairs;

  auto key() const { return std::tie(unit, on_unit, on_body); }
};

std::vector<Meeting> meetings(const Layout& layout, double tolerance, int threads) {
  const Model& model = layout.model();
  const double reach = tolerance + model.rule.largest_margin() / layout.metres();
  std::vector<UnitPose> poses;
  for (int u = 0; u < static_cast<int>(model.units.size()); ++u) poses.push_back({layout.centre(u)});
  const auto [bounded, planes, boxes] = geom_boxes(model, poses, reach);
  std::vector<Meeting> found;
  const auto add = [&](int own, int other) {
    if (layout.unit_of(own) < 0 || layout.unit_of(own) == layout.unit_of(other) || !model.rule.allowed(own, other))
      return;
    const int on_unit = layout.unit_of(other);
    const int on_body = on_unit >= 0 ? model.units[on_unit].root_body : model.scene.geoms[other].body;
    found.push_back({layout.unit_of(own), on_unit, on_body, {{own, other}}});
  };
  for (const auto& [i, j] : overlapping_pairs(boxes, threads)) {
    add(bounded[i], bounded[j]);
    add(bounded[j], bounded[i]);
  }
  for (const int plane : planes)
    for (const int own : bounded) add(own, plane);
  std::sort(found.begin(), found.end(), [](const Meeting& a, const Meeting& b) {
    return std::tuple_cat(a.key(), std::tie(a.pairs[0])) < std::tuple_cat(b.key(), std::tie(b.pairs[0]));
  });
  std::vector<Meeting> merged;
  for (Meeting& m : found) {
    if (merged.empty() || merged.back().key() != m.key())
      merged.push_back(std::move(m));
    else
      merged.back().pairs.push_back(m.pairs[0]);
  }
  return merged;
}

}  // namespace

std::vector<GeomPair> carrying(const Layout& layout, const std::vector<GeomPair>& pairs, double tolerance) {
  std::vector<GeomPair> closing, alone;
  for (const GeomPair& pair : pairs)
    if (closes(layout, pair, -layout.up(), tolerance)) closing.push_back(pair);
  for (const GeomPair& pair : closing)
    if (carried(layout, {pair}, {pair}, tolerance)) alone.push_back(pair);
  if (!alone.empty() || closing.size() < 2) return alone;
  return carried(layout, closing, pairs, tolerance) ? closing : alone;
}

std::vector<Rest> find_rests(const Layout& layout, double tolerance, int threads, const Interrupt& interrupt) {
  const std::vector<Meeting> near = meetings(layout, tolerance, threads);
  std::vector<std::vector<GeomPair>> contacts(near.size());
  parallel_for(near.size(), threads, [&](std::size_t k) {
    if (interrupt.check() == Interrupt::Reason::kNone) contacts[k] = carrying(layout, near[k].pairs, tolerance);
  });
  std::vector<Rest> rests;
  for (std::size_t k = 0; k < near.size(); ++k)
    if (!contacts[k].empty()) rests.push_back({near[k].unit, near[k].on_unit, near[k].on_body, contacts[k]});
  return rests;
}

std::vector<GeomPair> pairs_with(const Layout& layout, int unit, int on_unit, int on_body, double tolerance) {
  const Vec3 reach = Vec3::Constant(tolerance + layout.model().rule.largest_margin() / layout.metres());
  return layout.neighbours(unit, -reach, reach,
                           on_unit >= 0 ? layout.model().units[on_unit].geoms : layout.geoms_of(on_body));
}

bool balanced(const Layout& layout, int unit, const std::vector<GeomPair>& contacts) {
  for (const GeomPair& pair : contacts)
    if (layout.model().geoms[pair.second].halfspace) return true;
  for (const Vec3& side : sides(layout.up(), kOutline)) {
    double farthest = -1e300;
    for (const GeomPair& pair : contacts) farthest = std::max(farthest, layout.extent(pair.second, side));
    if (side.dot(layout.centre(unit)) > farthest) return false;
  }
  return true;
}

}  // namespace s4r
