// Depth-first descent over two triangle trees, shared by the queries of
// tree_query.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "narrowphase/tree_query.h"
#include "narrowphase/triangle_pair.h"

namespace s4r {

inline Similarity similarity(const Mat3& R, const Vec3& t, double k) {
  Similarity s;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s.R[i][j] = static_cast<float>(R(i, j));
    s.t[i] = static_cast<float>(t[i]);
  }
  s.k = static_cast<float>(k);
  return s;
}

inline float size_of(const OneBox& b) { return b.h[0] + b.h[1] + b.h[2]; }

inline OneBox lane_box(const TreeNode& n, int lane) {
  OneBox b;
  for (int d = 0; d < 3; ++d) {
    b.c[d] = n.c[d][lane];
    b.h[d] = n.h[d][lane];
    for (int k = 0; k < 3; ++k) b.axis[k][d] = n.axis[k][d][lane];
  }
  return b;
}

inline OneBox transformed(const OneBox& b, const Similarity& X) {
  OneBox r;
  for (int i = 0; i < 3; ++i) {
    r.c[i] = X.k * (X.R[i][0] * b.c[0] + X.R[i][1] * b.c[1] + X.R[i][2] * b.c[2]) + X.t[i];
    r.h[i] = X.k * b.h[i];
    for (int k = 0; k < 3; ++k)
      r.axis[k][i] = X.R[i][0] * b.axis[k][0] + X.R[i][1] * b.axis[k][1] + X.R[i][2] * b.axis[k][2];
  }
  return r;
}

// Depth-first descent over pairs of boxes, nearest first. `Visitor` holds the
// limit, the axes and what to do with triangles.
template <typename Visitor>
class Descent {
 public:
  Descent(const TreePair& pair, Visitor& visitor, const TreeKernels& kernels = tree_kernels())
      : a_(*pair.a),
        b_(*pair.b),
        to_a_(similarity(pair.R, pair.t, pair.k)),
        to_b_(similarity(pair.R.transpose(), -(pair.R.transpose() * pair.t) / pair.k, 1.0 / pair.k)),
        visitor_(visitor),
        kernels_(kernels) {
    slack = static_cast<float>(1e-6 * (a_.radius() + pair.k * b_.radius() + pair.t.norm()));
  }

  float slack;  // bound of all rounding in the float stage, in A's units

  void run() {
    stack_.clear();
    stack_.push_back({0, 0, 0, 0, 0.0f});
    while (!stack_.empty() && !visitor_.done) {
      const Entry e = stack_.back();
      stack_.pop_back();
      if (e.bound > visitor_.limit + slack) continue;
      const int child_a = a_.nodes()[e.node_a].child[e.lane_a], child_b = b_.nodes()[e.node_b].child[e.lane_b];
      if (child_a < 0 && child_b < 0) {
        leaves(a_.leaves()[~child_a], b_.leaves()[~child_b]);
        continue;
      }
      const OneBox box_a = lane_box(a_.nodes()[e.node_a], e.lane_a), box_b = lane_box(b_.nodes()[e.node_b], e.lane_b);
      const bool open_b = child_a < 0 || (child_b >= 0 && to_a_.k * size_of(box_b) >= size_of(box_a));
      if (open_b)
        expand(e, transformed(box_a, to_b_), b_.nodes()[child_b], child_b, true);
      else
        expand(e, transformed(box_b, to_a_), a_.nodes()[child_a], child_a, false);
    }
    if (!visitor_.done) flush();
  }

 private:
  struct Entry {
    int node_a, lane_a, node_b, lane_b;
    float bound;
  };

  // The visitor's axes as seen from the single box towards the node, in the
  // node's frame and units.
  Axes axes_in(bool node_is_b) const {
    Axes axes;
    axes.count = visitor_.axis_count;
    for (int x = 0; x < axes.count; ++x) {
      const float(&n)[3] = visitor_.axis[x];
      for (int i = 0; i < 3; ++i)
        axes.n[x][i] = node_is_b ? to_a_.R[0][i] * n[0] + to_a_.R[1][i] * n[1] + to_a_.R[2][i] * n[2] : -n[i];
      axes.separation[x] = (visitor_.axis_limit(x) + slack) / (node_is_b ? to_a_.k : 1.0f);
    }
    return axes;
  }

  void expand(const Entry& e, const OneBox& single, const TreeNode& node, int node_id, bool node_is_b) {
    alignas(32) float bound[kLanes];
    const int drop = kernels_.lower_bounds(single, node, axes_in(node_is_b), bound);
    const float unit = node_is_b ? to_a_.k : 1.0f;
    Entry found[kLanes];
    int count = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((drop >> lane & 1) != 0 || bound[lane] * unit > visitor_.limit + slack) continue;
      Entry child = e;
      (node_is_b ? child.node_b : child.node_a) = node_id;
      (node_is_b ? child.lane_b : child.lane_a) = lane;
      child.bound = bound[lane] * unit;
      int at = count++;
      for (; at > 0 && found[at - 1].bound < child.bound; --at) found[at] = found[at - 1];
      found[at] = child;
    }
    stack_.insert(stack_.end(), found,
                  found + count);  // farthest first: the nearest is popped next
  }

  void leaves(const TreeLeaf& la, const TreeLeaf& lb) {
    Axes axes;
    axes.count = visitor_.axis_count;
    for (int x = 0; x < axes.count; ++x) {
      std::copy(visitor_.axis[x], visitor_.axis[x] + 3, axes.n[x]);
      axes.separation[x] = visitor_.axis_limit(x) + slack;
    }
    LeafPairs pairs;
    kernels_.leaf_pairs(la, lb, to_a_, axes, visitor_.limit + slack, &pairs);
    for (int i = 0; i < la.count; ++i)
      for (int alive = pairs.alive[i], lane = 0; alive != 0; alive >>= 1, ++lane) {
        if ((alive & 1) == 0) continue;
        for (int v = 0; v < 3; ++v)
          for (int d = 0; d < 3; ++d) {
            batch_.a[v][d][waiting_] = la.v[v][d][i];
            batch_.b[v][d][waiting_] = pairs.b[v][d][lane];
          }
        id_[waiting_++] = {la.triangle[i], lb.triangle[lane]};
        if (waiting_ == kLanes) flush();
        if (visitor_.done) return;
      }
  }

  void flush() {
    if (waiting_ == 0) return;
    for (int lane = waiting_; lane < kLanes; ++lane)
      for (int v = 0; v < 3; ++v)
        for (int d = 0; d < 3; ++d) {
          batch_.a[v][d][lane] = batch_.a[v][d][0];
          batch_.b[v][d][lane] = batch_.b[v][d][0];
        }
    alignas(32) float squared[kLanes];
    const int maybe = kernels_.triangle_pairs(batch_, slack, squared);
    const int count = waiting_;
    waiting_ = 0;
    visitor_.triangles(id_, count, maybe, squared, slack);
  }

  const MeshTree& a_;
  const MeshTree& b_;
  Similarity to_a_, to_b_;
  Visitor& visitor_;
  std::vector<Entry> stack_;
  Batch batch_;  // waiting for a full kernel
  TrianglePair id_[kLanes];
  int waiting_ = 0;
  const TreeKernels& kernels_;
};

// Is a triangle pair that crosses, decided in double.
inline bool crosses(const TreePair& pair, const TrianglePair& id) {
  Vec3 ta[3], tb[3];
  pair.triangles(id.a, id.b, ta, tb);
  return triangles_cross(ta, tb);
}

// A triangle pair and its distance in float.
struct Candidate {
  float distance;
  TrianglePair id;
};

}  // namespace s4r
