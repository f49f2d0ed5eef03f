// Float kernels of the tree queries: plain data in, plain data out. No Eigen
// and no standard containers here: the wide copies are compiled for wider
// instructions, and an inline function shared with other files would leak them
// there.
#pragma once

namespace s4r {

constexpr int kLanes = 8;

// Eight child boxes, structure of arrays, float. Boxes are inflated so that
// rounding never cuts a triangle off.
struct alignas(32) TreeNode {
  float c[3][kLanes];        // centres
  float h[3][kLanes];        // half extents along the own axes; negative in empty lanes
  float axis[3][3][kLanes];  // [k][d]: component d of the k-th axis
  int child[kLanes];         // >= 0 node, < 0 leaf ~child
};

struct alignas(32) TreeLeaf {
  float v[3][3][kLanes];  // [vertex][component][triangle]; unused lanes repeat
                          // the last triangle
  int triangle[kLanes];
  int count = 0;
};

constexpr int kMaxAxes = 16;

// p' = k R p + t.
struct Similarity {
  float R[3][3];
  float t[3];
  float k;
};

struct OneBox {
  float c[3], h[3], axis[3][3];
};

// Directions along which triangle pairs are known to be apart: pairs separated
// by more than `separation` are of no interest.
struct Axes {
  int count = 0;
  float n[kMaxAxes][3];
  float separation[kMaxAxes];
};

// Triangle pairs of two leaves that may matter.
struct LeafPairs {
  unsigned char alive[kLanes];        // per triangle of A: lanes of B
  alignas(32) float b[3][3][kLanes];  // B's triangles in A's frame
};

// Eight triangle pairs.
struct Batch {
  alignas(32) float a[3][3][kLanes];
  alignas(32) float b[3][3][kLanes];
};

struct TreeKernels {
  const char* name;
  // Lower bounds of the distance between a box and the eight of a node, in the
  // node's frame; the axes point from the box to the node. Returns the lanes
  // that are empty or that an axis rules out.
  int (*lower_bounds)(const OneBox& box, const TreeNode& node, const Axes& axes, float* bound);
  // Culls by triangle boxes closer than `reach` and by the axes (from A to B,
  // A's frame).
  void (*leaf_pairs)(const TreeLeaf& a, const TreeLeaf& b, const Similarity& to_a, const Axes& axes, float reach,
                     LeafPairs* out);
  // Squared distances of triangles that do not cross. Returns the lanes that
  // neither triangle's plane separates by `slack`: those may cross.
  int (*triangle_pairs)(const Batch& batch, float slack, float* squared);
};

const TreeKernels& tree_kernels();                        // the fastest this machine runs, chosen once
const TreeKernels* tree_kernels_named(const char* name);  // "avx2", "generic"; null if not available

}  // namespace s4r
