// The unknowns of the continuation: positions of the unit centres, their turns, and the common scale.
#pragma once

#include "continuation/model.h"

namespace s4r {

// Where a geom lies from its unit's centre at full scale, in world axes, at the unit's present turn.
struct PlacedGeom {
  Vec3 offset = Vec3::Zero();
  Quat q = Quat::Identity();
  Box3 box;
};

struct State {
  std::vector<Vec3> p;      // internal units
  std::vector<char> moved;  // unit has left its input pose
  std::vector<char>
      given_up;            // unit for which there is no room, or that may do nothing: it stays and the others avoid it
  std::vector<Quat> turn;  // from the input pose, in world axes; empty where no unit turns
  std::vector<char> turned;  // unit's turn has changed since the flag was last cleared; empty as well
  std::vector<double> yaw;   // of units that stand: about `up` [rad]
  std::vector<PlacedGeom> geoms;
  double s = 1.0;

  bool fixed(int unit) const { return unit < 0 || given_up[unit] != 0; }
  bool turns() const { return !turn.empty(); }
  void set_turn(const Model& model, int unit, const Quat& q);
  // Farthest point of the geom along the direction, from its unit's centre at full scale.
  Vec3 farthest(const Model& model, int geom, const Vec3& direction) const {
    const PlacedGeom& X = geoms[geom];
    return X.offset + X.q * support_point(model.shape(model.geoms[geom]), X.q.conjugate() * direction);
  }
  // Reach of the geom from its unit's centre along the unit vector n, at full scale (may be negative).
  double reach(const Model& model, int geom, const Vec3& n) const {
    return support(model.shape(model.geoms[geom]), {geoms[geom].offset, geoms[geom].q}, n);
  }
};

// Every unit where the scene has it, at full scale.
State initial_state(const Model& model);

}  // namespace s4r
