// What the evaluator and the default profile say of one pair, in metres, and what the oracle says.
#pragma once

#include "narrowphase/narrowphase.h"
#include "oracle.h"
#include "scenes.h"
#include "separation/pair_geometry.h"

namespace s4r::testing {

// One pair of bounded shapes with fixed orientations; B may be put anywhere.
class AccuracyProbe {
 public:
  AccuracyProbe(const Shape& a, const Pose& X_a, const Shape& b, const Pose& X_b)
      : X_a_(X_a),
        X_b_(X_b),
        scene_(pair_of(a, X_a, b, X_b)),
        model_(scene_),
        assets_(model_),
        geometry_(model_, assets_, 0, 1),
        oracle_a_(a, X_a),
        oracle_b_(b, X_b),
        solid_a_(a),
        solid_b_(b) {}

  const Pose& pose_b() const { return X_b_; }
  bool convex() const { return geometry_.convex(); }
  double unit() const { return model_.unit_length; }
  // Size of the smaller one, which tolerances of rows are relative to [m].
  double radius() const { return unit() * std::min(model_.geoms[0].radius, model_.geoms[1].radius); }

  OracleGap truth(const Vec3& p) const { return oracle_gap(oracle_a_, at(p)); }
  bool clearly_overlaps(const Vec3& p, double depth) const { return overlap_deeper_than(oracle_a_, at(p), depth); }

  Score evaluator(const Vec3& p) const { return score_pair(solid_a_, X_a_, solid_b_, {p, X_b_.q}); }

  // Distances and reaches in metres; n . p_b >= reach is the row.
  PairGap solver(const Vec3& p, double range) const {
    PairCache cache;
    PairGap gap = geometry_.measure(offset(p), range / unit(), 1e300, 8, cache);
    gap.distance *= unit();
    gap.range = std::min(1e300, gap.range * unit());
    for (PlaneRow& row : gap.rows) row = in_metres(row, p);
    return gap;
  }
  bool solver_overlaps(const Vec3& p) const {
    PairCache cache;
    return geometry_.overlaps(offset(p), cache);
  }
  PlaneRow hull_row(const Vec3& p) const { return in_metres(geometry_.hull_row(offset(p)), p); }

 private:
  static Scene pair_of(const Shape& a, const Pose& X_a, const Shape& b, const Pose& X_b) {
    Scene scene;
    add_body(scene, a, X_a);
    add_body(scene, b, X_b);
    return scene;
  }
  OracleSolid at(const Vec3& p) const { return moved(oracle_b_, (p - X_b_.p).cast<long double>()); }
  Vec3 offset(const Vec3& p) const { return model_.units[1].centre - model_.units[0].centre + (p - X_b_.p) / unit(); }
  PlaneRow in_metres(const PlaneRow& row, const Vec3& p) const {
    return {row.n, (row.reach - row.n.dot(offset(p))) * unit() + row.n.dot(p)};
  }

  Pose X_a_, X_b_;
  Scene scene_;
  Model model_;
  SeparationAssets assets_;
  PairGeometry geometry_;
  OracleSolid oracle_a_, oracle_b_;
  Collidable solid_a_, solid_b_;
};

}  // namespace s4r::testing
