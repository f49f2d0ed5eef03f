// Queries between two mesh trees under a similarity transform: p_A = k R p_B +
// t. Everything is in A's frame and units. Boxes and triangles are culled in
// float with conservative slack; every verdict and every distance is decided in
// double.
#pragma once

#include <vector>

#include "narrowphase/mesh_tree.h"

namespace s4r {

struct TreePair {
  const MeshTree* a = nullptr;
  const MeshTree* b = nullptr;
  Mat3 R = Mat3::Identity();
  Vec3 t = Vec3::Zero();
  double k = 1.0;
  const TreeKernels* kernels = nullptr;  // null: the fastest; the results are the same

  void triangles(int ia, int ib, Vec3 (&ta)[3], Vec3 (&tb)[3]) const {
    a->triangle(ia, ta);
    b->triangle(ib, tb);
    for (Vec3& p : tb) p = k * (R * p) + t;
  }
};

struct TrianglePair {
  int a = -1;
  int b = -1;
};

struct TreeDistance {
  double distance = 0.0;  // exact if below dmax; else dmax, a lower bound
  bool found = false;     // distance is below dmax
  bool crossing = false;  // surfaces cross; distance is 0
  Vec3 n = Vec3::Zero();  // unit, from A to B (found only)
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
  TrianglePair witness;  // triangles of the closest points, or that cross
};

// A plane between the bodies: n . x_B - n . x_A >= separation for every covered
// triangle pair.
struct CoverRow {
  Vec3 n;
  double separation = 0.0;
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
};

struct Cover {
  std::vector<CoverRow> rows;  // ascending separation; the first is the closest pair
  double range = 0.0;          // every triangle pair closer than this is covered by a row
};

// Do the surfaces cross? `cached` is tried first and replaced.
bool trees_cross(const TreePair& pair, TrianglePair* cached);

// Distance up to dmax. `cached`: the last witness.
TreeDistance tree_distance(const TreePair& pair, double dmax, const TrianglePair* cached);

// Rows that cover all triangle pairs closer than `range` of separated surfaces,
// starting from the closest pair.
Cover cover_rows(const TreePair& pair, const TreeDistance& closest, double range, int max_rows);

// Every pair of crossing triangles, in ascending order.
void crossing_triangles(const TreePair& pair, std::vector<TrianglePair>& out);

// Direction to move B along to part surfaces that cross, of any length; zero if they do not. The vector area of their
// intersection contour, 1/2 sum x cross dx, is the gradient of the common volume of closed surfaces; the area-weighted
// normals of the crossing triangles tell its sign, and stand in for it where it has none.
Vec3 parting_direction(const TreePair& pair);

}  // namespace s4r
