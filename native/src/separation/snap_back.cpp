#include "separation/snap_back.h"

#include <algorithm>

#include "broadphase/box_pairs.h"
#include "continuation/limits.h"

namespace s4r {
namespace {

// Per unit: pairs of its geoms, at the start, with whatever is near there now or was near there.
std::vector<std::vector<std::pair<int, int>>> neighbours(const Model& model, double margin,
                                                         const std::vector<UnitPose>& start,
                                                         const std::vector<UnitPose>& poses,
                                                         const std::vector<char>& moved) {
  std::vector<Box3> boxes;
  std::vector<int> geom;
  std::vector<char> at_start;
  const auto add = [&](int g, const UnitPose& at, bool back) {
    const Box3 box = box_at(model, model.geoms[g], at.turn);
    boxes.push_back(Box3{at.p + box.lo, at.p + box.hi}.padded(margin));
    geom.push_back(g);
    at_start.push_back(back ? 1 : 0);
  };
  std::vector<std::vector<std::pair<int, int>>> result(poses.size());
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const ModelGeom& m = model.geoms[g];
    if (m.halfspace) {
      for (std::size_t u = 0; u < poses.size(); ++u)
        if (moved[u] != 0)
          for (const int other : model.units[u].geoms)
            if (model.rule.allowed(g, other) && !beneath(model, g, other)) result[u].emplace_back(other, g);
      continue;
    }
    add(g, m.unit >= 0 ? poses[m.unit] : UnitPose{}, false);
    if (m.unit >= 0 && moved[m.unit] != 0) add(g, start[m.unit], true);
  }
  for (const auto& [i, j] : overlapping_pairs(boxes))
    for (const auto& [own, other] : {std::pair(i, j), std::pair(j, i)}) {
      const int unit = model.geoms[geom[own]].unit;
      if (at_start[own] == 0 || unit == model.geoms[geom[other]].unit) continue;
      if (beneath(model, geom[own], geom[other])) continue;
      if (model.rule.allowed(geom[own], geom[other])) result[unit].emplace_back(geom[own], geom[other]);
    }
  return result;
}

// How close the pair was, as the list knows it; a new pair if it does not.
SeparationPair known(const Model& model, const std::vector<SeparationPair>& pairs, int a, int b) {
  SeparationPair pair = new_pair(model, a, b);
  const auto at = std::lower_bound(
      pairs.begin(), pairs.end(), std::pair(a, b),
      [](const SeparationPair& listed, auto id) { return std::pair(listed.geom_a, listed.geom_b) < id; });
  if (at == pairs.end() || at->geom_a != a || at->geom_b != b) return pair;
  pair.fresh = at->fresh;
  pair.conflict = at->conflict;
  pair.initial_gap = at->initial_gap;
  return pair;
}

}  // namespace

int snap_back(const Model& model, const PairUpdate& update, const std::vector<SeparationPair>& pairs, double margin,
              const std::vector<UnitPose>& start, std::vector<UnitPose>& poses, std::vector<char>& moved) {
  const auto near = neighbours(model, margin, start, poses, moved);
  const auto at = [&](int g, const std::vector<UnitPose>& state, int back) -> UnitPose {
    const int unit = model.geoms[g].unit;
    return unit < 0 ? UnitPose{model.geoms[g].offset} : unit == back ? start[unit] : state[unit];
  };
  const auto between = [&](int a, int b, const std::vector<UnitPose>& state, int back) {
    return relative(at(a, state, back), at(b, state, back));
  };
  int count = 0;
  for (int u = 0; u < static_cast<int>(poses.size()); ++u) {
    if (moved[u] == 0 || model.units[u].motion.stands) continue;
    const bool free = std::all_of(near[u].begin(), near[u].end(), [&](const std::pair<int, int>& ids) {
      const auto [a, b] = std::minmax(ids.first, ids.second);
      const Relative back = between(a, b, poses, u);
      if (update.separated(known(model, pairs, a, b), back, margin)) return true;
      // The list forgets pairs that were far apart on the way.
      SeparationPair input = new_pair(model, a, b);
      update.look(input, between(a, b, start, u));
      return !input.conflict && update.separated(input, back, margin);
    });
    if (!free) continue;
    poses[u] = start[u];
    moved[u] = 0;
    ++count;
  }
  return count;
}

}  // namespace s4r
