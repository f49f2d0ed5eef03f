// Depth-first descent over pairs of boxes, nearest first, on the lane type F of the including file. One copy per
// instruction set, so that everything below a query's entry is inlined.
#pragma once

#include "narrowphase/kernel_boxes.h"
#include "narrowphase/kernel_gaps.h"
#include "narrowphase/kernel_triangles.h"

namespace s4r {
namespace {

enum class Goal { kCrossing, kNearest, kNear };

template <typename F, Goal goal>
class Descent {
 public:
  explicit Descent(TreeSearch& search) : s_(search) {}

  void run() {
    push({0, 0, 0.0f});
    while (count_ > 0 && !s_.done) {
      const Entry e = stack_[--count_];
      if (e.bound > squared(s_.limit + s_.slack)) continue;
      const int child_a = child(s_.a, e.box_a), child_b = child(s_.b, e.box_b);
      if (child_a < 0 && child_b < 0) {
        leaves(s_.a.leaves[~child_a], s_.b.leaves[~child_b]);
        continue;
      }
      const PackedBox& box_a = box(s_.a, e.box_a);
      const PackedBox& box_b = box(s_.b, e.box_b);
      if (child_a < 0 || (child_b >= 0 && s_.to_a.k * box_b.c[3] >= box_a.c[3]))
        expand<true>(e, box_a, child_b);
      else
        expand<false>(e, box_b, child_a);
    }
    while (waiting_ > 0 && !s_.done) flush();
  }

 private:
  struct Entry {
    unsigned box_a, box_b;  // node * kLanes + lane
    float bound;            // of the squared distance
  };

  static constexpr int kAll = (1 << F::width) - 1;

  static float squared(float x) { return x * x; }
  static int child(const TreeView& tree, unsigned box) { return tree.nodes[box / kLanes].child[box % kLanes]; }
  static const PackedBox& box(const TreeView& tree, unsigned box) { return tree.nodes[box / kLanes].box[box % kLanes]; }
  void push(const Entry& e) { stack_[count_++] = e; }

  // Replaces the box of B (else A) by its children. `own`: the other box, in its own frame.
  template <bool open_b>
  void expand(const Entry& e, const PackedBox& own, int id) {
    const TreeNode& node = (open_b ? s_.b : s_.a).nodes[id];
    const Similarity& X = open_b ? s_.to_b : s_.to_a;
    const float unit = open_b ? s_.to_a.k : 1.0f;
    const F limit(squared(s_.limit + s_.slack)), unit2(squared(unit));
    PackedBox single;
    move_centre(own, X, single);
    bool axes_moved = false;
    alignas(32) float bound[kLanes], key[kLanes];
    int kept = 0;
    for (int first = 0; first < kLanes; first += F::width) {
      const Lanes<F> lanes(single, node, first);
      // The cheap tests first: they rule out most.
      F dropped = lanes.empty(), lower(0.0f);
      if (goal == Goal::kNearest && s_.aimed) {
        const F gap = F(unit) * separation<open_b>(lanes, own, X.k, s_.frame_in_a[0], s_.frame_in_b[0]);
        lower = gap * max(gap, F(0.0f));
        dropped = either(dropped, less(limit, lower));
      }
      if constexpr (goal == Goal::kNear)
        for (int x = 0; x < s_.axis_count; ++x) {
          const F gap = F(unit) * separation<open_b>(lanes, own, X.k, s_.axis_in_a[x], s_.axis_in_b[x]);
          dropped = either(dropped, less(F(s_.separation[x]), gap));
        }
      if (bits(dropped) == kAll) continue;
      if (!axes_moved) move_axes(own, X, single);
      axes_moved = true;
      lower = max(lower, unit2 * lanes.bound_squared(single));
      dropped = either(dropped, less(limit, lower));
      lower.store(bound + first);
      (lower + unit2 * F(kCentreWeight) * lanes.centre_squared()).store(key + first);
      kept |= (~bits(dropped) & kAll) << first;
    }
    // Farthest first: the nearest is popped next.
    int order[kLanes], count = 0;
    for (; kept != 0; kept &= kept - 1) {
      const int lane = __builtin_ctz(kept);
      int at = count++;
      for (; at > 0 && key[order[at - 1]] < key[lane]; --at) order[at] = order[at - 1];
      order[at] = lane;
    }
    for (int k = 0; k < count; ++k) {
      const unsigned child = static_cast<unsigned>(id * kLanes + order[k]);
      push({open_b ? e.box_a : child, open_b ? child : e.box_b, bound[order[k]]});
    }
  }

  // Gap along n, which points from A to B, in the node's units; `k`: from the single box's units to those.
  template <bool open_b>
  static F separation(const Lanes<F>& lanes, const PackedBox& own, float k, const float* in_a, const float* in_b) {
    const float *in_own = open_b ? in_a : in_b, *n = open_b ? in_b : in_a;
    const float reach = k * reach_along(own, {in_own[0], in_own[1], in_own[2]}), sign = open_b ? 1.0f : -1.0f;
    return lanes.separation({sign * n[0], sign * n[1], sign * n[2]}, reach);
  }

  // Lanes of B by triangle of A that no axis rules out; false if there are none.
  bool cull_by_axes(const TreeLeaf& la, const TreeLeaf& lb, int (&alive)[kLanes]) const {
    for (int i = 0; i < la.count; ++i) alive[i] = (1 << lb.count) - 1;
    for (int x = 0; x < s_.axis_count; ++x) {
      alignas(32) float top[kLanes], bottom[kLanes];
      const float* n = s_.axis_in_b[x];
      for (int first = 0; first < kLanes; first += F::width) {
        const F k(s_.to_a.k);
        F up(-1e30f), down(1e30f);
        for (int v = 0; v < 3; ++v) {
          up = max(up, along(s_.axis_in_a[x], la, v, first));
          down = min(down, along(n, lb, v, first));
        }
        up.store(top + first);
        (k * down).store(bottom + first);
      }
      float offset = 0.0f;
      for (int d = 0; d < 3; ++d) offset += s_.axis_in_a[x][d] * s_.to_a.t[d];
      const float free = s_.separation[x] - offset;
      int any = 0;
      for (int i = 0; i < la.count; ++i) {
        const F reach(top[i] + free);
        int near = 0;
        for (int first = 0; first < kLanes; first += F::width)
          near |= (~bits(less(reach, F::load(bottom + first))) & kAll) << first;
        any |= alive[i] &= near;
      }
      if (any == 0) return false;
    }
    return true;
  }

  static F along(const float* n, const TreeLeaf& l, int v, int first) {
    return F(n[0]) * F::load(l.v[v][0] + first) + F(n[1]) * F::load(l.v[v][1] + first) +
           F(n[2]) * F::load(l.v[v][2] + first);
  }

  // Boxes of triangles along the directions of the search's frame.
  struct LeafBoxes {
    alignas(32) float lo[3][kLanes], hi[3][kLanes];
  };

  // `offset`: of the leaf's origin.
  static void enclose(const TreeLeaf& l, const float (&frame)[3][4], float k, const float (&offset)[3],
                      LeafBoxes& boxes) {
    for (int x = 0; x < 3; ++x) {
      const float* n = frame[x];
      for (int first = 0; first < kLanes; first += F::width) {
        const F p0 = along(n, l, 0, first), p1 = along(n, l, 1, first), p2 = along(n, l, 2, first);
        (F(k) * min(min(p0, p1), p2) + F(offset[x])).store(boxes.lo[x] + first);
        (F(k) * max(max(p0, p1), p2) + F(offset[x])).store(boxes.hi[x] + first);
      }
    }
  }

  // Lanes of B whose boxes are within the limit of that of A's triangle i.
  int near_boxes(const LeafBoxes& a, const LeafBoxes& b, int i) const {
    const F reach(squared(s_.limit + s_.slack));
    int near = 0;
    for (int first = 0; first < kLanes; first += F::width) {
      F sum(0.0f);
      for (int x = 0; x < 3; ++x) {
        const F gap =
            max(max(F::load(b.lo[x] + first) - F(a.hi[x][i]), F(a.lo[x][i]) - F::load(b.hi[x] + first)), F(0.0f));
        sum = sum + gap * gap;
      }
      near |= (~bits(less(reach, sum)) & kAll) << first;
    }
    return near;
  }

  struct Placed {
    alignas(32) float v[9][kLanes];
  };

  // B's triangles in A's frame.
  void place(const TreeLeaf& l, Placed& placed) const {
    const F k(s_.to_a.k);
    for (int first = 0; first < kLanes; first += F::width)
      for (int v = 0; v < 3; ++v) {
        const F x = F::load(l.v[v][0] + first), y = F::load(l.v[v][1] + first), z = F::load(l.v[v][2] + first);
        for (int d = 0; d < 3; ++d)
          (k * (F(s_.to_a.column[0][d]) * x + F(s_.to_a.column[1][d]) * y + F(s_.to_a.column[2][d]) * z) +
           F(s_.to_a.t[d]))
              .store(placed.v[3 * v + d] + first);
      }
  }

  void enclose_both(const TreeLeaf& la, const TreeLeaf& lb, LeafBoxes& a, LeafBoxes& b) const {
    float offset[3] = {};
    enclose(la, s_.frame_in_a, 1.0f, offset, a);
    for (int x = 0; x < 3; ++x)
      for (int d = 0; d < 3; ++d) offset[x] += s_.frame_in_a[x][d] * s_.to_a.t[d];
    enclose(lb, s_.frame_in_b, s_.to_a.k, offset, b);
  }

  void leaves(const TreeLeaf& la, const TreeLeaf& lb) {
    int alive[kLanes];
    if (!cull_by_axes(la, lb, alive)) return;
    LeafBoxes a, b;
    enclose_both(la, lb, a, b);
    if (goal == Goal::kNearest && !s_.seeded) {
      seed(la, lb, a, b);
      if (s_.done) return;
      enclose_both(la, lb, a, b);
    }
    int any = 0;
    for (int i = 0; i < la.count; ++i) any |= alive[i] &= near_boxes(a, b, i);
    if (any == 0) return;
    const float culled = s_.limit;
    Placed placed;
    place(lb, placed);
    for (int i = 0; i < la.count; ++i) {
      if (goal == Goal::kNearest && alive[i] != 0 && s_.limit < culled) alive[i] &= near_boxes(a, b, i);
      if (alive[i] == 0) continue;
      add(la, lb, placed, i, alive[i]);
      if (waiting_ >= kLanes) flush();
      if (s_.done) return;
    }
  }

  // The first pair a search meets, that of the closest box centres, gives it its first limit and frame.
  void seed(const TreeLeaf& la, const TreeLeaf& lb, const LeafBoxes& boxes_a, const LeafBoxes& boxes_b) const {
    float best = 1e30f;
    int a = 0, b = 0;
    for (int i = 0; i < la.count; ++i)
      for (int j = 0; j < lb.count; ++j) {
        float sum = 0.0f;
        for (int x = 0; x < 3; ++x)
          sum += squared(boxes_a.lo[x][i] + boxes_a.hi[x][i] - boxes_b.lo[x][j] - boxes_b.hi[x][j]);
        if (sum < best) {
          best = sum;
          a = i;
          b = j;
        }
      }
    const float lower = 0.0f;
    s_.report(s_, &la.triangle[a], &lb.triangle[b], 1, 1, &lower);
  }

  // Pairs of A's triangle i with the chosen lanes of B wait for a full kernel.
  void add(const TreeLeaf& la, const TreeLeaf& lb, const Placed& placed, int i, int chosen) {
    for (int v = 0; v < 3; ++v)
      for (int d = 0; d < 3; ++d)
        for (int first = 0; first < kLanes; first += F::width) F(la.v[v][d][i]).store(a_[3 * v + d] + waiting_ + first);
    int to = waiting_;
    for (int first = 0; first < kLanes; first += F::width) {
      const int here = chosen >> first & kAll;
      if (here == 0) continue;
      for (int k = 0; k < 9; ++k) pack(F(), placed.v[k] + first, here, b_[k] + to);
      to += __builtin_popcount(static_cast<unsigned>(here));
    }
    for (; chosen != 0; chosen &= chosen - 1) {
      id_a_[waiting_] = la.triangle[i];
      id_b_[waiting_++] = lb.triangle[__builtin_ctz(chosen)];
    }
  }

  void flush() {
    const int count = waiting_ < kLanes ? waiting_ : kLanes;
    alignas(32) float lower[kLanes];
    int near = 0, maybe = 0;
    const F reach(squared(s_.limit + s_.slack));
    for (int first = 0; first < count; first += F::width) {
      const Triangles<F> a(a_, first), b(b_, first);
      if constexpr (goal != Goal::kNear) maybe |= maybe_crossing(a, b, s_.slack) << first;
      if constexpr (goal != Goal::kCrossing) {
        const F d = distance_squared(a, b, s_.slack);
        d.store(lower + first);
        near |= (~bits(less(reach, d)) & kAll) << first;
      }
    }
    const int present = (1 << count) - 1;
    near &= present;
    maybe &= present;
    if ((near | maybe) != 0) s_.report(s_, id_a_, id_b_, near, maybe, lower);
    waiting_ -= count;
    if (waiting_ == 0) return;
    for (int k = 0; k < 9; ++k)
      for (int first = 0; first < kLanes; first += F::width) {
        F::load(a_[k] + kLanes + first).store(a_[k] + first);
        F::load(b_[k] + kLanes + first).store(b_[k] + first);
      }
    for (int k = 0; k < waiting_; ++k) {
      id_a_[k] = id_a_[kLanes + k];
      id_b_[k] = id_b_[kLanes + k];
    }
  }

  TreeSearch& s_;
  Entry stack_[(kLanes - 1) * kMaxDepths + kLanes];
  int count_ = 0;
  // Waiting for a full kernel; fewer than kLanes between calls, and room for a store past the last.
  alignas(32) float a_[9][2 * kLanes] = {}, b_[9][2 * kLanes] = {};
  int id_a_[2 * kLanes], id_b_[2 * kLanes];
  int waiting_ = 0;
};

template <typename F, Goal goal>
void descend(TreeSearch& search) {
  Descent<F, goal>(search).run();
}

template <typename F, typename D>
constexpr TreeKernels kernels_on(const char* name) {
  return {name, descend<F, Goal::kCrossing>, descend<F, Goal::kNearest>, descend<F, Goal::kNear>, exact_gaps<D>};
}

}  // namespace
}  // namespace s4r
