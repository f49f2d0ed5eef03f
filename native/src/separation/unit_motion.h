// How single units move: where they begin, the way back there, and a step of what they may do.
#pragma once

#include "separation/projection.h"
#include "separation/settings.h"
#include "separation/unit_pose.h"

namespace s4r {

// Where the unit begins: where the input has it, or upright on its plane under its middle.
UnitPose start_of(const Model& model, const Unit& unit);

// Inverse weights of the objective: beta of App. A.10 is the square of the unit's radius.
RigidFreedom freedom_of(const Unit& unit);

// The step from `pose` back to `start`, displacement and angle each no larger than allowed.
RigidStep way_back(const Unit& unit, const UnitPose& start, const UnitPose& pose, double longest, double widest);

// The pose after a step. `angle`: of a unit that turns about one axis, since the start [rad].
void advance(const Unit& unit, const UnitPose& start, const RigidStep& step, double largest_turn, double& angle,
             UnitPose& pose);

// The row of edge k of what a standing unit stands on; the unit is body j.
ProjectionRow edge_row(const Unit& unit, std::size_t k, const UnitPose& pose);

// How far points of the unit can have travelled between two poses.
double travelled(const Unit& unit, const UnitPose& from, const UnitPose& to);

// Square of the displacement as the objective weighs it, without the weight.
double squared_move(const Unit& unit, const UnitPose& start, const UnitPose& pose);

}  // namespace s4r
