// The caller's limits on what a unit moves, and the height of one that stands.
#pragma once

#include "continuation/model.h"

namespace s4r {

// Height above its plane at which a unit stands [m]. At gaps of 1e-10 to 1e-9 m MuJoCo 3.14 finds cylinders on boxes
// deep in one another, and throws them; from 1e-8 m on it does not.
inline constexpr double kStandingClearance = 1e-7;
// And how far inside an edge of its support it keeps what it carries: on the edge it would tip. Internal units.
inline constexpr double kEdgeMargin = 0.005;

struct MoveLimits {
  double max_shift = 0.0;  // of the origin of every body, internal units; 0: none
  double max_turn = 0.0;   // [rad]; 0: none
};

// Pulls a move of the unit (its centre to p, turned by `turn`) back towards the input until it keeps the limits.
// True if it had to.
bool keep_limits(const Unit& unit, const MoveLimits& limits, Vec3& p, Quat& turn);

// The same for a unit that begins elsewhere, as one that stands does: back towards that, which may itself not keep
// them.
bool keep_limits(const Unit& unit, const MoveLimits& limits, const Vec3& start_p, const Quat& start_turn, Vec3& p,
                 Quat& turn);

// Of a unit that stands: its turn from the input with the share `zeta` of its tilt left (1: the input, 0: upright) and
// turned by `yaw` [rad] about `up` (App. A.11).
Quat standing_turn(const Unit& unit, const Vec3& up, double zeta, double yaw);

// Height of the unit's lowest point above its centre (not positive as a rule), at full scale.
double lowest_point(const Model& model, const Unit& unit, const Quat& turn);

// How far inside the edge of its support the carried point of a standing unit is, beyond the margin.
double room_at_edge(const Unit& unit, const Motion::Edge& edge, const Vec3& p, const Quat& turn);

// Whether one geom is of a standing unit and the other an obstacle that lies wholly under its plane, to 1e-6 m: the two
// cannot meet, and touch at most.
bool beneath(const Model& model, int geom_a, int geom_b);

}  // namespace s4r
