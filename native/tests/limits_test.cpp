// What the continuation must respect: limits, scenery, containers, cancellation, switches.
#include <gtest/gtest.h>

#include "scenes.h"

namespace s4r::testing {
namespace {

std::string status_of(const Solution& s) { return to_string(s.status); }

Scene pile(int count, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  for (int k = 0; k < count; ++k)
    add_body(scene, k % 2 ? sphere(0.04) : box(0.05, 0.04, 0.03),
             {0.1 * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)});
  return scene;
}

TEST(Limits, MaxShiftIsNeverExceeded) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Scene scene = pile(30, seed);
    ReferenceOptions options;
    options.max_shift = 0.03;
    const Solution s = solve_reference(scene, options);
    for (const Vec3& shift : s.shifts) EXPECT_LE(shift.norm(), 0.03);
  }
}

TEST(Limits, EnoughMaxShiftStillSolves) {
  Scene scene;
  add_body(scene, sphere(0.05), {});
  add_body(scene, sphere(0.05), {Vec3(0.06, 0, 0), Quat::Identity()});
  ReferenceOptions options;
  options.max_shift = 0.025;
  const Solution s = solve_reference(scene, options);
  EXPECT_EQ(status_of(s), "solved") << s.reason;
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
  options.max_shift = 0.015;  // the pair needs 20 mm each
  EXPECT_NE(status_of(solve_reference(scene, options)), "solved");
}

TEST(Limits, HeavyBodiesMoveLess) {
  Scene scene;
  add_body(scene, sphere(0.05), {});
  add_body(scene, sphere(0.05), {Vec3(0.06, 0, 0), Quat::Identity()});
  scene.bodies[0].weight = 9.0;
  const Solution s = solve_reference(scene, {});
  EXPECT_NEAR(s.shifts[1].norm() / s.shifts[0].norm(), 9.0, 0.05);
}

TEST(Limits, FloatingTreeMovesAsOne) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  const int root = add_body(scene, box(0.1, 0.1, 0.1), {Vec3(0, 0, 0.3), Quat::Identity()});
  const int foot = add_body(scene, sphere(0.05), {Vec3(0.2, 0, 0.02), Quat::Identity()});
  scene.bodies[foot].unit = root;
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(status_of(s), "solved");
  EXPECT_TRUE(s.shifts[root] == s.shifts[foot]);
  EXPECT_NEAR(s.shifts[root].z(), 0.03, 0.001);
}

TEST(Limits, TooNarrowASlotIsInfeasibleAndNamesTheWalls) {
  Scene scene;
  Pose left{Vec3(-0.04, 0, 0), Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())};
  Pose right{Vec3(0.04, 0, 0), Quat::FromTwoVectors(Vec3::UnitZ(), -Vec3::UnitX())};
  add_body(scene, halfspace(), left, false);
  add_body(scene, halfspace(), right, false);
  add_body(scene, sphere(0.05), {});
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(status_of(s), "container-infeasible");
  EXPECT_NE(s.reason.find("{geom:0}"), std::string::npos) << s.reason;
  EXPECT_NE(s.reason.find("{geom:1}"), std::string::npos) << s.reason;
}

TEST(Limits, BoxOfWallsKeepsItsContent) {
  Scene scene;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      add_body(scene, halfspace(),
               {side * 0.2 * Vec3::Unit(axis), Quat::FromTwoVectors(Vec3::UnitZ(), -side * Vec3::Unit(axis))}, false);
  std::mt19937_64 rng(4);
  std::uniform_real_distribution<double> U(-0.15, 0.15);
  for (int k = 0; k < 20; ++k) add_body(scene, sphere(0.05), {Vec3(U(rng), U(rng), U(rng)), Quat::Identity()});
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(status_of(s), "solved") << s.reason;
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
}

TEST(Limits, MeshSceneryKeepsItsSizeAndPushesOut) {
  Scene scene;
  add_body(scene, mesh_shape(torus(0.3, 0.1, 32, 16)), {}, false);
  add_body(scene, box(0.03, 0.03, 0.03), {Vec3(0.3, 0, 0.04), Quat::Identity()});  // centre inside the tube
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(status_of(s), "solved") << s.reason;
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
  EXPECT_GT(s.shifts[1].z(), 0.08);
  EXPECT_LT(s.shifts[1].norm(), 0.15);
}

TEST(Limits, ManyBodiesAtOnePointComeApart) {
  Scene scene;
  for (int k = 0; k < 40; ++k) add_body(scene, box(0.05, 0.04, 0.03), {});
  const Solution s = solve_reference(scene, {});
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0) << status_of(s) << ": " << s.reason;
}

TEST(Limits, CancellationAndDeadlineStopTheSolve) {
  const Scene scene = pile(60, 9);
  std::atomic<bool> cancelled{false};
  int calls = 0;
  Interrupt interrupt;
  interrupt.cancelled = &cancelled;
  interrupt.on_progress = [&](Stage, double fraction, int) {
    EXPECT_GE(fraction, 0.0);
    EXPECT_LE(fraction, 1.0);
    if (++calls == 3) cancelled = true;
  };
  EXPECT_EQ(status_of(solve_reference(scene, {}, interrupt)), "cancelled");
  EXPECT_EQ(calls, 3);
  Interrupt expired;
  expired.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(status_of(solve_reference(scene, {}, expired)), "time-limit");
}

// Every switch of the ablations changes what it should and still ends free of overlap.
TEST(Switches, EachAcceleratorCanBeSwitchedOff) {
  const Scene scene = pile(40, 5);
  const auto run = [&](auto&& edit) {
    ReferenceOptions options;
    edit(options);
    const Solution s = solve_reference(scene, options);
    EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0) << status_of(s) << ": " << s.reason;
    return s.stats;
  };
  const SolveStats standard = run([](ReferenceOptions&) {});
  EXPECT_GT(run([](ReferenceOptions& o) { o.refresh_interval = 1; }).detections, standard.detections);
  EXPECT_GT(run([](ReferenceOptions& o) { o.stride = 0.01; }).steps, 2 * standard.steps);
  EXPECT_GE(run([](ReferenceOptions& o) { o.event_jumps = o.adaptive_skip = false; }).steps, standard.steps);
  EXPECT_EQ(run([](ReferenceOptions& o) { o.event_jumps = o.adaptive_skip = false; }).steps, 20);
  EXPECT_EQ(run([](ReferenceOptions& o) { o.sparse_qp = false; }).qp_variables_max, 3 * 40);
  EXPECT_LE(standard.qp_variables_max, 3 * 40);
  run([](ReferenceOptions& o) { o.warm_start = false; });
  run([](ReferenceOptions& o) { o.literal_pad = true; });
  run([](ReferenceOptions& o) { o.scope_all = true; });
  run([](ReferenceOptions& o) { o.margin = 0.002; });
  const SolveStats direct = run([](ReferenceOptions& o) {
    o.progressive_scaling = false;
    o.tail_max_iterations = 200;
  });
  EXPECT_EQ(direct.steps, 0);
  EXPECT_GT(direct.tail_iterations, 0);
}

TEST(Switches, PenaltyCleanupAloneSeparatesTwoBodies) {
  Scene scene;
  add_body(scene, sphere(0.05), {});
  add_body(scene, sphere(0.05), {Vec3(0.08, 0, 0), Quat::Identity()});
  ReferenceOptions options;
  options.progressive_scaling = false;
  options.tail_max_iterations = 1;
  options.tail_stagnation = 1;
  options.margin = 1e-6;  // the tail moves at most the margin per iteration
  options.cleanup_iterations = 200;
  const Solution s = solve_reference(scene, options);
  EXPECT_EQ(status_of(s), "solved") << s.reason;
  EXPECT_GT(s.stats.cleanup_iterations, 0);
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
}

}  // namespace
}  // namespace s4r::testing
