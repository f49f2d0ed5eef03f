// Generalised coordinates of a scene with joints: what they are, where they put every link, and how fast they move it.
#pragma once

#include "continuation/model.h"
#include "s4r/solve.h"
#include "separation/unit_pose.h"

namespace s4r {

// One direction in which something may move. Its value is a length in internal units, so that coordinates compare: a
// turn counts as the arc of the point that it moves farthest.
struct Coordinate {
  enum class Kind { kTranslation, kTurn, kJoint };
  Kind kind = Kind::kTranslation;
  int owner = 0;              // unit, or joint of the scene; a joint with its followers is one coordinate
  Vec3 axis = Vec3::UnitZ();  // of a unit: the direction, or what it turns about
  double reach = 1.0;         // length per unit of displacement or turn
  double radian = 1e300;      // length at which what it turns most has turned by 1 rad; 1e300: it turns nothing
  double weight = 1.0;        // of its square in the objective
  double lower = -1e300, upper = 1e300;  // of its value; only joints have limits
  double size = 0.1;                     // of the largest geom that it moves, at least the typical 0.1
  int group = 0;                         // links of different groups have no coordinate in common
};

// Where everything is, from the input on.
struct Configuration {
  std::vector<Vec3> shift;    // of each unit's centre
  std::vector<Quat> turn;     // of each unit about its centre
  std::vector<double> angle;  // of units that turn about one axis only [rad]
  std::vector<double>
      joints;  // displacement [rad], [internal units]; those of followers are ratio times their leader's
};

// Velocity of a link's centre, and its rotation, for a coordinate that changes by 1.
struct LinkVelocity {
  int link = 0;
  Vec3 v = Vec3::Zero();
  Vec3 w = Vec3::Zero();
};
using Jacobian = std::vector<std::vector<LinkVelocity>>;  // by coordinate

class Mechanism {
 public:
  explicit Mechanism(const Scene& scene);
  Mechanism(const Mechanism&) = delete;  // the models keep references

  // Its units are the links, in the input.
  const Model& links() const { return links_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  int group_of(int link) const { return group_[link]; }
  // Whether a link moves by its unit's coordinates alone, any of which it has.
  bool plain(int link) const { return chain_[link].empty() && unit_[link] >= 0 && free_unit(unit_[link]); }

  Configuration input() const;
  // Links in the frame of `links()`.
  std::vector<UnitPose> poses(const Configuration& at) const;
  Jacobian jacobian(const Configuration& at) const;
  // By coordinate: the steps that lead back to the input, to first order.
  std::vector<double> way_back(const Configuration& at) const;
  // The configuration after a step, by coordinate; joints keep their limits exactly.
  Configuration after(const Configuration& at, const std::vector<double>& step) const;
  // The same as `at`, but what the owner of the coordinate moves by itself is where the input has it.
  Configuration without(const Configuration& at, const Coordinate& coordinate) const;
  bool moved(const Configuration& at, const Coordinate& coordinate) const;
  // Of all displacements, as the objective weighs them.
  double squared_move(const Configuration& at) const;
  // Displacement and turn of every body, displacement of every joint [m], [rad].
  void write(const Configuration& at, Solution& solution) const;

 private:
  bool free_unit(int unit) const;
  void add_unit(int unit);
  void add_joint(int joint);
  void connect();
  // [m] or [rad] in one internal unit of the joint's displacement.
  double unit_of(const Joint& joint) const { return joint.hinge ? 1.0 : links_.unit_length; }
  // Displacement of a follower for 1 of its leader's, in internal units.
  double rate_of(const Joint& follower) const {
    return follower.ratio * (unit_of(scene_.joints[follower.leader]) / unit_of(follower));
  }
  int first_link(int joint) const;
  double reach_of(int joint) const;
  Pose base(const Configuration& at, int unit) const;
  // The joint's screw motion in the input state.
  Pose motion(int joint, double displacement) const;
  // All joints before the first one that is not in front of `joint`, on top of their unit; all if it is -1.
  Pose transform(const Configuration& at, int link, int joint = -1) const;

  const Scene& scene_;
  Model bodies_;  // with the units of the scene, for their centres
  Scene link_scene_;
  Model links_;
  std::vector<Vec3> centre_;               // of each unit, in the frame of `links()`
  std::vector<Vec3> anchor_;               // of each joint, likewise
  std::vector<int> unit_, group_;          // of each link; its unit is -1 if it hangs on what is fixed
  std::vector<std::vector<int>> chain_;    // joints that displace the link, from the root on
  std::vector<std::vector<int>> moved_;    // links that the joint displaces
  std::vector<std::vector<int>> carried_;  // links of each unit
  std::vector<Coordinate> coordinates_;
};

}  // namespace s4r
