// Where units are, and where the two of a pair are relative to each other.
#pragma once

#include "geometry/rotation.h"

namespace s4r {

// Centre, and the turn about it since the input.
struct UnitPose {
  Vec3 p = Vec3::Zero();
  Quat turn = Quat::Identity();
};

struct Relative {
  Vec3 offset = Vec3::Zero();  // from A's centre to B's
  Quat turn_a = Quat::Identity(), turn_b = Quat::Identity();
};

inline Relative relative(const UnitPose& a, const UnitPose& b) { return {b.p - a.p, a.turn, b.turn}; }

// Largest distance a point on the unit sphere travels from one turn to the other.
inline double chord(const Quat& from, const Quat& to) { return 2.0 * (from.conjugate() * to).vec().norm(); }

}  // namespace s4r
