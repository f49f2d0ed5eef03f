// Arms, hands and grippers, shared by the tests of scenes with joints.
#pragma once

#include "geometry/rotation.h"
#include "s4r/articulation.h"
#include "scenes.h"

namespace s4r::testing {

inline Joint hinge(const Vec3& axis, const Vec3& anchor, std::vector<int> bodies, double lower = -1e3,
                   double upper = 1e3) {
  Joint joint;
  joint.axis = axis;
  joint.anchor = anchor;
  joint.bodies = std::move(bodies);
  joint.lower = lower;
  joint.upper = upper;
  return joint;
}

inline Joint slide(const Vec3& axis, std::vector<int> bodies, double lower = -1e3, double upper = 1e3) {
  Joint joint = hinge(axis, Vec3::Zero(), std::move(bodies), lower, upper);
  joint.hinge = false;
  return joint;
}

// A fixed base with two links of 0.3 along x that turn about z at x = 0 and x = 0.3.
struct Arm {
  Scene scene;
  int base = -1, upper = -1, fore = -1;
};

inline Arm two_link_arm() {
  Arm arm;
  arm.base = add_body(arm.scene, sphere(0.03), {}, false);
  arm.upper = add_body(arm.scene, box(0.12, 0.02, 0.02), {{0.15, 0, 0}, Quat::Identity()}, false);
  arm.fore = add_body(arm.scene, box(0.12, 0.02, 0.02), {{0.45, 0, 0}, Quat::Identity()}, false);
  arm.scene.joints = {hinge(Vec3::UnitZ(), Vec3::Zero(), {arm.upper, arm.fore}),
                      hinge(Vec3::UnitZ(), {0.3, 0, 0}, {arm.fore})};
  return arm;
}

inline Solution solve_joints(const Scene& scene, DefaultOptions options = {}) {
  options.threads = 1;
  return solve_articulated(scene, options);
}

// Where the joints' displacements put the bodies of a scene whose units do not move, by the formula itself.
inline std::vector<Pose> poses_by_joints(const Scene& scene, const std::vector<double>& displacement) {
  std::vector<Pose> poses = poses_of(scene);
  for (int j = static_cast<int>(scene.joints.size()) - 1; j >= 0; --j) {
    const Joint& joint = scene.joints[j];
    for (const int b : joint.bodies) {
      if (!joint.hinge) {
        poses[b].p += displacement[j] * joint.axis;
        continue;
      }
      const Quat turn = exp_map(displacement[j] * joint.axis);
      poses[b] = {joint.anchor + turn * (poses[b].p - joint.anchor), turn * poses[b].q};
    }
  }
  return poses;
}

}  // namespace s4r::testing
