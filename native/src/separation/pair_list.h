// Pairs that may meet while no body moves more than the slack, with what is known about each.
#pragma once

#include "continuation/model.h"
#include "separation/pair_geometry.h"
#include "separation/unit_pose.h"

namespace s4r {

struct SeparationPair {
  int geom_a = 0, geom_b = 0;    // geom_a < geom_b
  int unit_a = -1, unit_b = -1;  // -1: obstacle
  bool halfspace = false;
  bool fresh = true;           // never looked at
  bool measured = false;       // has been measured for rows
  bool bad = false;            // not known to be separated at its scale
  bool overlap = false;        // found overlapping by the last measurement: it needs a repair
  bool contained = false;      // and in such a way that no surfaces cross
  bool conflict = false;       // overlapped when it was first seen
  double initial_gap = 1e300;  // of a pair that did not
  int failures = 0;
  // The two units are seen shrunk to `scale` about their centres, and will be at `target` after the next step. All that
  // is measured depends on u = (p_b - p_a) / scale alone.
  double scale = 1.0;
  double target = 1.0;
  double stride = 0.3;
  // The last measurement was at u_q and the turns: at any u the gap is at least distance - |u - u_q|, less what points
  // can have travelled by turning since, and every triangle pair closer than `range` there is covered by a row.
  Vec3 u_q = Vec3::Zero();
  Quat turn_a_q = Quat::Identity(), turn_b_q = Quat::Identity();
  double distance = 0.0;
  double range = 0.0;
  std::vector<PlaneRow> rows;
  std::vector<double> lambda;
  PairCache cache;

  bool grown() const { return scale == 1.0; }
  bool finished() const { return !bad && grown(); }
};

// Box of the geom from the centre of its unit, or from the model's origin.
Box3 box_at(const Model& model, const ModelGeom& geom, const Quat& turn);

// The geoms of a model: those with boxes, around them with units at `poses` and padded, and the half-spaces.
struct GeomBoxes {
  std::vector<int> ids, planes;
  std::vector<Box3> boxes;  // of `ids`
};
GeomBoxes geom_boxes(const Model& model, const std::vector<UnitPose>& poses, double pad);

// A pair of geoms of which nothing is known yet; a < b.
SeparationPair new_pair(const Model& model, int a, int b);

// At another scale, with nothing known of it but what it was in the input.
void restart(SeparationPair& pair, double scale, double stride);

// It counts as bad until it is measured anew.
void distrust(SeparationPair& pair);

// Rebuilds the list for units at `poses`, keeping what is known about pairs that stay. New pairs get `scale` and
// `stride`.
void rebuild_pairs(const Model& model, const std::vector<UnitPose>& poses, double pad, double scale, double stride,
                   int threads, std::vector<SeparationPair>& pairs);

}  // namespace s4r
