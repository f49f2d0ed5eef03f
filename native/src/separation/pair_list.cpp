#include "separation/pair_list.h"

#include <algorithm>

#include "broadphase/box_pairs.h"
#include "continuation/limits.h"

namespace s4r {
namespace {

std::vector<std::pair<int, int>> near_pairs(const Model& model, const std::vector<UnitPose>& poses, double pad,
                                            int threads) {
  const auto [ids, planes, boxes] = geom_boxes(model, poses, 0.5 * pad);
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [i, j] : overlapping_pairs(boxes, threads)) {
    const int a = ids[i], b = ids[j];
    if (model.geoms[a].unit != model.geoms[b].unit && model.rule.allowed(a, b) && !beneath(model, a, b))
      pairs.emplace_back(a, b);
  }
  for (const int h : planes) {
    const Vec3 n = model.geoms[h].q * Vec3::UnitZ();
    for (const int g : ids) {
      const ModelGeom& geom = model.geoms[g];
      if (geom.unit < 0 || !model.rule.allowed(h, g) || beneath(model, h, g)) continue;
      const UnitPose& at = poses[geom.unit];
      const double reach = support(model.shape(geom), {at.turn * geom.offset, at.turn * geom.q}, -n);
      if (n.dot(at.p - model.geoms[h].offset) - reach < pad) pairs.push_back(std::minmax(h, g));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

Box3 box_at(const Model& model, const ModelGeom& geom, const Quat& turn) {
  if (is_identity(turn)) return geom.box;
  return bounds(model.shape(geom), {turn * geom.offset, turn * geom.q});
}

GeomBoxes geom_boxes(const Model& model, const std::vector<UnitPose>& poses, double pad) {
  GeomBoxes found;
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const ModelGeom& geom = model.geoms[g];
    if (geom.halfspace) {
      found.planes.push_back(g);
      continue;
    }
    found.ids.push_back(g);
    const UnitPose at = geom.unit >= 0 ? poses[geom.unit] : UnitPose{};
    const Box3 box = box_at(model, geom, at.turn);
    found.boxes.push_back(Box3{at.p + box.lo, at.p + box.hi}.padded(pad));
  }
  return found;
}

SeparationPair new_pair(const Model& model, int a, int b) {
  SeparationPair pair;
  pair.geom_a = a;
  pair.geom_b = b;
  pair.unit_a = model.geoms[a].unit;
  pair.unit_b = model.geoms[b].unit;
  pair.halfspace = model.geoms[a].halfspace || model.geoms[b].halfspace;
  return pair;
}

void restart(SeparationPair& pair, double scale, double stride) {
  pair.scale = scale;
  pair.stride = stride;
  pair.failures = 0;
  pair.bad = pair.overlap = pair.measured = false;
  pair.distance = pair.range = 0.0;
  pair.rows.clear();
  pair.lambda.clear();
}

void distrust(SeparationPair& pair) {
  pair.bad = true;
  pair.distance = pair.range = -1e300;
}

void rebuild_pairs(const Model& model, const std::vector<UnitPose>& poses, double pad, double scale, double stride,
                   int threads, std::vector<SeparationPair>& pairs) {
  std::vector<SeparationPair> old = std::move(pairs);
  pairs.clear();
  std::size_t k = 0;
  for (const auto& [a, b] : near_pairs(model, poses, pad, threads)) {
    while (k < old.size() && std::pair(old[k].geom_a, old[k].geom_b) < std::pair(a, b)) ++k;
    if (k < old.size() && old[k].geom_a == a && old[k].geom_b == b) {
      pairs.push_back(std::move(old[k++]));
      continue;
    }
    SeparationPair pair = new_pair(model, a, b);
    if (pair.unit_a >= 0 && pair.unit_b >= 0) pair.scale = scale;  // obstacles keep their size, and so what meets them
    pair.stride = stride;
    pairs.push_back(std::move(pair));
  }
}

}  // namespace s4r
