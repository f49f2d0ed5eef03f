// Distance oracle of the accuracy tests: long double, and no code of the product's. Every answer carries its proof: a
// plane from below and a pair of points from above.
#pragma once

#include <vector>

#include "s4r/geometry.h"

namespace s4r::testing {

using LVec = Eigen::Matrix<long double, 3, 1>;
using LMat = Eigen::Matrix<long double, 3, 3>;

// A convex core with a radius around it, in the world.
struct OraclePiece {
  ShapeKind kind = ShapeKind::kConvex;  // kBox, kCylinder, kCone, kEllipsoid, or kConvex: the hull of `points`
  LVec size = LVec::Zero();
  std::vector<LVec> points;
  long double radius = 0.0L;
  LMat R = LMat::Identity();
  LVec p = LVec::Zero();
  LVec ball_centre = LVec::Zero();  // a ball around the piece
  long double ball_radius = 0.0L;

  LVec support(const LVec& n) const;  // of the core
};

// A placed shape as a union of convex pieces. Half-spaces have none.
struct OracleSolid {
  OracleSolid(const Shape& shape, const Pose& X);

  // Signed crossings of a ray: not zero inside a closed mesh.
  bool encloses(const LVec& point) const;

  std::vector<OraclePiece> pieces;
  std::vector<LVec> inner;  // points that lie in the solid or on the surface, one for each component
  bool surface = false;     // pieces are triangles of a mesh
  bool closed = false;
};

struct OracleGap {
  long double distance = 0.0L;     // 0 if they overlap
  long double uncertainty = 0.0L;  // upper minus lower bound of the distance
  LVec n = LVec::Zero();           // from A to B, if apart
  bool overlap = false;
};

OracleGap piece_gap(const OraclePiece& a, const OraclePiece& b);
OracleGap oracle_gap(const OracleSolid& a, const OracleSolid& b);

// Gap of a placed shape over the half-space z <= 0 of `plane`, negative inside: from the pieces' closed forms.
long double oracle_height(const Pose& plane, const OracleSolid& solid);

// They still overlap if B moves by `distance`, in each of 14 directions: the overlap is no touching.
bool overlap_deeper_than(const OracleSolid& a, const OracleSolid& b, long double distance);

OracleSolid moved(const OracleSolid& solid, const LVec& shift);

}  // namespace s4r::testing
