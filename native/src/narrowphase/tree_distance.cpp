#include <algorithm>
#include <cmath>

#include "narrowphase/tree_search.h"

namespace s4r {
namespace {

constexpr double kNoDirection = 1e-12;  // closer points give no direction

struct Nearest {
  const TreePair& pair;
  TreeSearch search;
  TreeDistance result;
  std::vector<Candidate>& near;  // not measured in double yet

  Nearest(const TreePair& p, double dmax, std::vector<Candidate>& scratch)
      : pair(p), search(tree_search(p, dmax)), near(scratch) {
    near.clear();
    result.distance = dmax;
    search.context = this;
    search.report = [](TreeSearch& s, const int* a, const int* b, int near_lanes, int maybe, const float* lower) {
      static_cast<Nearest*>(s.context)->report(a, b, near_lanes, maybe, lower);
    };
  }

  bool cross(const TrianglePair& id) {
    if (!crosses(pair, id)) return false;
    result = {};
    result.found = result.crossing = search.done = true;
    result.witness = id;
    return true;
  }

  // Among equals the first pair by index stands, whatever the order of the search.
  void measure(const TrianglePair& id) {
    const TriangleGap gap = gap_of(pair, id);
    const bool tie = result.found && gap.distance == result.distance &&
                     std::pair(id.a, id.b) < std::pair(result.witness.a, result.witness.b);
    if (!(gap.distance < result.distance) && !tie) return;
    result.found = true;
    result.distance = gap.distance;
    result.witness = id;
    result.on_a = gap.on_a;
    result.on_b = gap.on_b;
    search.limit = static_cast<float>(gap.distance);
    search.seeded = true;
    // Any frame may prune; one along the closest points so far does best.
    if (gap.distance > kNoDirection) set_frame(search, pair, (gap.on_b - gap.on_a) / gap.distance);
  }

  void report(const int* a, const int* b, int near_lanes, int maybe, const float* lower) {
    for (; maybe != 0; maybe &= maybe - 1) {
      const int lane = __builtin_ctz(maybe);
      if (cross({a[lane], b[lane]})) return;
    }
    int nearest = -1;
    for (int rest = near_lanes; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      if (nearest < 0 || lower[lane] < lower[nearest]) nearest = lane;
    }
    if (nearest < 0) return;
    if (std::sqrt(lower[nearest]) < search.limit) {
      measure({a[nearest], b[nearest]});
      near_lanes &= ~(1 << nearest);
    }
    for (; near_lanes != 0; near_lanes &= near_lanes - 1) {
      const int lane = __builtin_ctz(near_lanes);
      if (const float d = std::sqrt(lower[lane]); d <= search.limit + search.slack)
        near.push_back({d, {a[lane], b[lane]}});
    }
  }
};

}  // namespace

TreeDistance tree_distance(const TreePair& pair, double dmax, const TrianglePair* cached) {
  thread_local std::vector<Candidate> scratch;
  Nearest nearest(pair, dmax, scratch);
  if (cached != nullptr && cached->a >= 0) {
    if (nearest.cross(*cached)) return nearest.result;
    nearest.measure(*cached);
  }
  kernels_of(pair).find_nearest(nearest.search);
  TreeDistance& result = nearest.result;
  if (result.crossing) return result;
  // Bounds err by the slack: every near tie is measured in double.
  for (const Candidate& c : scratch)
    if (c.lower <= nearest.search.limit + nearest.search.slack) nearest.measure(c.id);
  if (result.found && result.distance > 0.0) result.n = (result.on_b - result.on_a) / result.distance;
  return result;
}

}  // namespace s4r
