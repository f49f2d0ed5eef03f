// Units that stand on a plane (App. A.11): the scale prescribes their tilt and height; what is left to them is the
// plane and, if they may turn, the turn about `up`.
#pragma once

#include "continuation/limits.h"
#include "continuation/state.h"

namespace s4r {

class Standing {
 public:
  // The tilt is that of the input at `first_scale` and gone at full scale.
  Standing(const Model& model, double first_scale);

  bool any() const { return any_; }
  bool stands(int unit) const { return unit >= 0 && stands_[unit] != 0; }
  // From now on the unit is one like any other.
  void release(int unit) { stands_[unit] = 0; }

  // Puts every unit that stands onto its plane, turned as the state's scale and its yaw want it.
  void settle(State& state) const;
  // Where the unit ends if it moves no more: at full scale, upright, on its plane.
  Pose final_pose(const State& state, int unit) const;
  // Motion that the step to scale s + ds prescribes: displacement of the centre and rotation vector. By unit; empty if
  // none stands.
  struct Step {
    Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
  };
  std::vector<Step> ahead(const State& state, double ds) const;

  // Pulls displacement and yaw of the unit back towards the input until its final pose keeps the limits; false if even
  // the unit just set upright does not.
  bool keep_limits(const MoveLimits& limits, int unit, State& state) const;
  // Has the unit, at full scale, gone nowhere from an input in which it stood on its plane?
  bool stood_so(const State& state, int unit) const;

 private:
  Quat turn_at(int unit, double s, double yaw) const;
  double height_at(int unit, double s, const Quat& turn) const;  // of the centre along `up`
  Vec3 at_height(const Vec3& p, double height) const;

  const Model& model_;
  double first_scale_;
  std::vector<char> stands_;
  bool any_ = false;
};

}  // namespace s4r
