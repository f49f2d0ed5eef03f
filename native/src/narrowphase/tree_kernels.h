// Traversal of two triangle trees in float: plain data in, plain data out. No Eigen and no standard containers here:
// the wide copies are compiled for wider instructions, and an inline function shared with other files would leak them
// there.
#pragma once

namespace s4r {

constexpr int kLanes = 8;
constexpr int kMaxAxes = 16;

// Largest sum of the two trees' depths; bounds the stack of a traversal.
constexpr int kMaxDepths = 140;

// One box for reading whole. c[3]: sum of the half extents; axis[k][3]: half extent along axis k, negative if empty.
struct alignas(16) PackedBox {
  float c[4];
  float axis[3][4];
};

// Eight child boxes, structure of arrays and one by one. Inflated, so that rounding never cuts a triangle off.
struct alignas(32) TreeNode {
  float c[3][kLanes];        // centres
  float h[3][kLanes];        // half extents along the own axes; negative in empty lanes
  float axis[3][3][kLanes];  // [k][d]: component d of the k-th axis
  int child[kLanes];         // >= 0 node, < 0 leaf ~child
  PackedBox box[kLanes];
};

struct alignas(32) TreeLeaf {
  float v[3][3][kLanes];  // [vertex][component][triangle]; unused lanes repeat the last triangle
  int triangle[kLanes];
  int count;
};

struct TreeView {
  const TreeNode* nodes;  // node 0 holds the root box in its lane 0
  const TreeLeaf* leaves;
};

// p' = k R p + t; columns of R, the fourth component is 0.
struct alignas(16) Similarity {
  float column[3][4];
  float t[4];
  float k;
};

// A traversal: what it looks for, which the reports may narrow on the way. All lengths in A's units.
struct TreeSearch {
  TreeView a, b;
  Similarity to_a, to_b;  // from the other's frame
  float slack;            // bounds all rounding of positions and distances in float
  float limit;            // pairs farther apart are of no interest
  // An orthonormal frame, the first direction that of the closest points so far, in A's and in B's frame.
  float frame_in_a[3][4], frame_in_b[3][4];
  bool aimed;   // the first direction of the frame is worth a test
  bool seeded;  // the limit needs no triangle pair to come from
  // Directions from A to B, in A's and in B's frame. A pair separated along one by more than `separation` (slack
  // included) is of no interest.
  int axis_count;
  float axis_in_a[kMaxAxes][4], axis_in_b[kMaxAxes][4];
  float separation[kMaxAxes];
  bool done;
  // Triangle pairs a[k], b[k] of the lanes in `near` may be within the limit: `lower` bounds their squared distances
  // but for the slack. Those of the lanes in `maybe` may cross.
  void (*report)(TreeSearch& search, const int* a, const int* b, int near, int maybe, const float* lower);
  void* context;
};

struct TreeKernels {
  const char* name;
  void (*find_crossing)(TreeSearch& search);  // reports pairs that may cross; limit 0
  void (*find_nearest)(TreeSearch& search);   // pairs within the limit; no axes
  void (*find_near)(TreeSearch& search);      // pairs within the limit and not ruled out by an axis
  // Squared distances in double of `count` pairs of triangles that do not cross; a, b: [3 * corner + component][pair].
  // Reads and writes whole lanes.
  void (*exact_gaps)(const double (*a)[kLanes], const double (*b)[kLanes], int count, double* squared);
};

// The fastest this machine runs, chosen once. All give the same results to the last bit.
const TreeKernels& tree_kernels();
// "avx2", "sse2", "portable"; null if not available.
const TreeKernels* tree_kernels_named(const char* name);

}  // namespace s4r
