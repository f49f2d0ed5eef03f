// Scenes with joints: the arm, the hand, the gripper, and what they have to keep to.
#include <gtest/gtest.h>

#include "articulation_scenes.h"

namespace s4r::testing {
namespace {

Evaluation judged(const Scene& scene, const Solution& solution) {
  return evaluate(scene, moved_poses(scene, solution), {});
}

TEST(Articulation, ArmLeavesAWall) {
  Arm arm = two_link_arm();
  add_body(arm.scene, box(0.3, 0.1, 0.3), {{0.4, -0.105, 0}, Quat::Identity()}, false);  // 15 mm into both links
  const Evaluation before = evaluate(arm.scene, poses_of(arm.scene), {});
  ASSERT_EQ(repairable(before), 2);
  const Solution solution = solve_joints(arm.scene);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(judged(arm.scene, solution).overlaps.size(), 0u);
  EXPECT_GT(solution.joints[0], 0.0);
  EXPECT_LT(solution.joints[0], 0.3);
  EXPECT_TRUE(solution.shifts[arm.base].isZero(0.0));
  const std::vector<Pose> expected = poses_by_joints(arm.scene, solution.joints),
                          got = moved_poses(arm.scene, solution);
  for (std::size_t b = 0; b < got.size(); ++b) {
    EXPECT_LT((got[b].p - expected[b].p).norm(), 1e-12);
    EXPECT_LT(angle_of(got[b].q.conjugate() * expected[b].q), 1e-12);
  }
}

TEST(Articulation, WithoutItsJointsTheArmIsConstant) {
  Arm arm = two_link_arm();
  add_body(arm.scene, box(0.3, 0.1, 0.3), {{0.4, -0.105, 0}, Quat::Identity()}, false);
  arm.scene.joints.clear();
  EXPECT_EQ(repairable(evaluate(arm.scene, poses_of(arm.scene), {})), 0);
}

TEST(Articulation, LimitsHold) {
  Arm arm = two_link_arm();
  const int object = add_body(arm.scene, box(0.05, 0.05, 0.05), {{0.5, -0.05, 0}, Quat::Identity()});
  arm.scene.joints[0].upper = 0.01;
  arm.scene.joints[1].upper = 0.02;
  const Solution solution = solve_joints(arm.scene);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(judged(arm.scene, solution).overlaps.size(), 0u);
  EXPECT_LE(solution.joints[0], 0.01);
  EXPECT_LE(solution.joints[1], 0.02);
  EXPECT_LT(solution.shifts[object].norm(), 0.03);
}

// Two jaws, the second driven by the first with ratio -1, on a box 8 mm wider than their gap, which is fixed.
TEST(Articulation, FollowersKeepTheirRatio) {
  Scene scene;
  add_body(scene, box(0.05, 0.1, 0.01), {{0, 0, -0.1}, Quat::Identity()}, false);
  const int left = add_body(scene, box(0.01, 0.03, 0.05), {{-0.04, 0, 0}, Quat::Identity()}, false);
  const int right = add_body(scene, box(0.01, 0.03, 0.05), {{0.04, 0, 0}, Quat::Identity()}, false);
  add_body(scene, box(0.034, 0.02, 0.02), {{0.001, 0, 0}, Quat::Identity()}, false);
  scene.joints = {slide(-Vec3::UnitX(), {left}), slide(-Vec3::UnitX(), {right})};
  scene.joints[1].leader = 0;
  scene.joints[1].ratio = -1.0;
  const Solution solution = solve_joints(scene);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(judged(scene, solution).overlaps.size(), 0u);
  EXPECT_NEAR(solution.joints[0], 0.005, 2e-4);
  EXPECT_EQ(solution.joints[1], -solution.joints[0]);
}

// The way out that the wall itself would take is along the axis of the hinge, which cannot go there.
TEST(Articulation, TakesAWayItsJointsHave) {
  Arm arm = two_link_arm();
  arm.scene.joints = {hinge(Vec3::UnitZ(), Vec3::Zero(), {arm.upper, arm.fore})};
  add_body(arm.scene, box(0.05, 0.05, 0.1), {{0.5, -0.04, 0.115}, Quat::Identity()}, false);
  const Evaluation before = evaluate(arm.scene, poses_of(arm.scene), {});
  ASSERT_EQ(repairable(before), 1);
  EXPECT_NEAR(before.overlaps[0].depth, 0.005, 1e-9);
  const Solution solution = solve_joints(arm.scene);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(judged(arm.scene, solution).overlaps.size(), 0u);
  EXPECT_GT(solution.joints[0], 0.0);
  EXPECT_LT(solution.joints[0], 0.12);
}

// One pair cannot come apart, as its hinge has no room; the other does.
TEST(Articulation, WhatCannotBeCuredDoesNotKeepTheRestFromIt) {
  Arm arm = two_link_arm();
  arm.scene.joints[1].lower = arm.scene.joints[1].upper = 0.0;
  arm.scene.joints[0].lower = -0.001;
  arm.scene.joints[0].upper = 0.001;
  const int wall = add_body(arm.scene, box(0.05, 0.1, 0.3), {{0.5, -0.105, 0}, Quat::Identity()}, false);
  const int loose = add_body(arm.scene, box(0.05, 0.05, 0.05), {{0.2, 0.06, 0}, Quat::Identity()});
  const Solution solution = solve_joints(arm.scene);
  EXPECT_EQ(solution.status, SolveStatus::kStagnation);
  EXPECT_NE(solution.reason.find("{geom:2} and {geom:" + std::to_string(wall) + "}"), std::string::npos)
      << solution.reason;
  const Evaluation after = judged(arm.scene, solution);
  ASSERT_EQ(after.overlaps.size(), 1u);
  EXPECT_EQ(after.overlaps[0].geom_b, wall);
  EXPECT_GT(solution.shifts[loose].norm(), 0.005);
}

// Moved as one, a tree keeps the depth of what is inside it: rows of its links must not see that.
TEST(Articulation, LinksOfOneTreeAreNotPartedByTurningIt) {
  Arm arm = two_link_arm();
  for (const int b : {arm.base, arm.upper, arm.fore}) {
    arm.scene.bodies[b].movable = true;
    arm.scene.bodies[b].unit = arm.base;
    arm.scene.bodies[b].motion.turn = Motion::Turn::kAll;
  }
  const int tool = add_body(arm.scene, box(0.02, 0.05, 0.02), {{0.3, -0.05, 0}, Quat::Identity()});
  arm.scene.bodies[tool].unit = arm.base;
  arm.scene.joints = {slide(-Vec3::UnitY(), {tool})};
  arm.scene.bodies[arm.fore].X_WB.p.x() = 0.6;
  arm.scene.bodies[arm.upper].X_WB.p.x() = 0.2;  // it reaches to 0.32, and into the tool
  const Solution solution = solve_joints(arm.scene);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_GT(solution.joints[0], 0.019);
  EXPECT_TRUE(solution.shifts[arm.base].isZero(0.0));
  EXPECT_TRUE(is_identity(solution.turns[arm.base]));
}

TEST(Articulation, CancelledRunsSaySo) {
  Arm arm = two_link_arm();
  add_body(arm.scene, box(0.3, 0.1, 0.3), {{0.4, -0.105, 0}, Quat::Identity()}, false);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(solve_articulated(arm.scene, {}, {&cancelled, {}, {}}).status, SolveStatus::kCancelled);
}

TEST(Articulation, WhatIsApartKeepsItsBits) {
  Arm arm = two_link_arm();
  add_body(arm.scene, box(0.05, 0.05, 0.05), {{0.5, -0.2, 0}, Quat::Identity()});
  const Solution solution = solve_joints(arm.scene);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  for (const double q : solution.joints) EXPECT_EQ(q, 0.0);
  for (const Vec3& shift : solution.shifts) EXPECT_TRUE(shift.isZero(0.0));
}

}  // namespace
}  // namespace s4r::testing
