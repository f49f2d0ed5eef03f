#include <algorithm>
#include <cmath>

#include "narrowphase/tree_search.h"

namespace s4r {
namespace {

constexpr double kNoDirection = 1e-12;  // closer points give no direction

struct Nearest {
  const TreePair& pair;
  const TreeKernels& kernels;
  TreeSearch search;
  TreeDistance result;
  double squared;  // of the closest pair so far, by exact_gaps; else of dmax

  Nearest(const TreePair& p, double dmax)
      : pair(p), kernels(kernels_of(p)), search(tree_search(p, dmax)), squared(dmax * dmax) {
    result.distance = dmax;
    search.context = this;
    search.report = [](TreeSearch& s, const int* a, const int* b, int near, int maybe, const float*) {
      static_cast<Nearest*>(s.context)->report(a, b, near, maybe);
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
  bool better(double d2, const TrianglePair& id) const {
    if (d2 != squared) return d2 < squared;
    return result.found && std::pair(id.a, id.b) < std::pair(result.witness.a, result.witness.b);
  }

  void measure(const int* a, const int* b, int lanes) {
    alignas(32) double ta[9][kLanes] = {}, tb[9][kLanes] = {}, gaps[kLanes];
    TrianglePair ids[kLanes];
    int count = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = __builtin_ctz(lanes);
      Vec3 corners_a[3], corners_b[3];
      pair.triangles(a[lane], b[lane], corners_a, corners_b);
      for (int k = 0; k < 9; ++k) {
        ta[k][count] = corners_a[k / 3][k % 3];
        tb[k][count] = corners_b[k / 3][k % 3];
      }
      ids[count++] = {a[lane], b[lane]};
    }
    kernels.exact_gaps(ta, tb, count, gaps);
    bool improved = false;
    for (int k = 0; k < count; ++k)
      if (better(gaps[k], ids[k])) {
        squared = gaps[k];
        result.witness = ids[k];
        result.found = improved = true;
      }
    if (!improved) return;
    search.limit = static_cast<float>(std::sqrt(squared));
    search.seeded = true;
    const TriangleGap gap = gap_of(pair, result.witness);
    result.distance = gap.distance;
    result.on_a = gap.on_a;
    result.on_b = gap.on_b;
    aim(gap);
  }

  // Any frame may prune; one along the closest points so far does best.
  void aim(const TriangleGap& gap) {
    if (!(gap.distance > kNoDirection)) return;
    set_frame(search, pair, (gap.on_b - gap.on_a) / gap.distance);
    search.aimed = true;
  }

  void report(const int* a, const int* b, int near, int maybe) {
    for (; maybe != 0; maybe &= maybe - 1) {
      const int lane = __builtin_ctz(maybe);
      if (cross({a[lane], b[lane]})) return;
    }
    if (near != 0) measure(a, b, near);
  }
};

}  // namespace

TreeDistance tree_distance(const TreePair& pair, double dmax, const TrianglePair* cached) {
  Nearest nearest(pair, dmax);
  if (cached != nullptr && cached->a >= 0) {
    if (nearest.cross(*cached)) return nearest.result;
    nearest.measure(&cached->a, &cached->b, 1);
    if (!nearest.result.found) {  // no limit, but a direction; and few pairs can be within dmax
      nearest.aim(gap_of(pair, *cached));
      nearest.search.seeded = true;
    }
  } else if (TrianglePair hit; trees_cross(pair, &hit)) {
    // The Boolean search goes straight for the deepest boxes: several times faster on overlaps, a few percent
    // elsewhere.
    nearest.cross(hit);
    return nearest.result;
  } else if (const double length = pair.t.norm(); length > kNoDirection) {
    set_frame(nearest.search, pair, pair.t / length);
    nearest.search.aimed = true;
  }
  nearest.kernels.find_nearest(nearest.search);
  TreeDistance& result = nearest.result;
  if (result.found && result.distance > 0.0) result.n = (result.on_b - result.on_a) / result.distance;
  return result;
}

}  // namespace s4r
