// A TreePair made ready for the kernels, and what the queries of tree_query.h share.
#pragma once

#include "narrowphase/tree_query.h"
#include "narrowphase/triangle_pair.h"

namespace s4r {

// A triangle pair and a lower bound of its distance, but for the slack.
struct Candidate {
  float lower;
  TrianglePair id;
};

TreeSearch tree_search(const TreePair& pair, double limit);

// Turns the frame of the search so that its first direction is the unit n (A's frame).
void set_frame(TreeSearch& search, const TreePair& pair, const Vec3& n);

// Axis k: unit n from A to B, in A's frame; see TreeSearch::separation.
void set_axis(TreeSearch& search, const TreePair& pair, int k, const Vec3& n);

inline const TreeKernels& kernels_of(const TreePair& pair) {
  return pair.kernels != nullptr ? *pair.kernels : tree_kernels();
}

// A triangle pair that crosses, decided in double.
inline bool crosses(const TreePair& pair, const TrianglePair& id) {
  Vec3 ta[3], tb[3];
  pair.triangles(id.a, id.b, ta, tb);
  return triangles_cross(ta, tb);
}

inline TriangleGap gap_of(const TreePair& pair, const TrianglePair& id) {
  Vec3 ta[3], tb[3];
  pair.triangles(id.a, id.b, ta, tb);
  return triangle_gap(ta, tb);
}

}  // namespace s4r
