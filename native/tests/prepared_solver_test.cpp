// One prepared solver, many states: every answer is the one a solver made for that state gives, bit for bit.
#include <gtest/gtest.h>

#include <thread>

#include "shape_samples.h"

namespace s4r::testing {
namespace {

constexpr int kStates = 6;

// Shapes of every kind over a floor, a table and a height field, and an arm of two links that move as one.
Scene mixed_scene(std::mt19937_64& rng) {
  Scene scene;
  add_body(scene, halfspace(), {Vec3(0, 0, -0.15), Quat::Identity()}, false);
  add_body(scene, mesh_shape(box_mesh({0.1, 0.1, 0.02})), {}, false);
  add_body(scene, random_height_field(rng, 0.1, 0.05), {}, false);
  const int arm = add_body(scene, box(0.05, 0.02, 0.02), {});
  scene.bodies[add_body(scene, mesh_shape(l_profile(0.04, 0.02, 0.02)), {})].unit = arm;
  for (int k = 0; k < 24; ++k) {
    ShapeKind kind = kAllKinds[k % kAllKinds.size()];
    if (kind == ShapeKind::kHalfspace || kind == ShapeKind::kHeightField) kind = ShapeKind::kMesh;
    add_body(scene, random_shape(kind, rng), {});
  }
  return scene;
}

// Everything is drawn anew, what cannot be moved by the solver and the pose of one link to the other too.
std::vector<Pose> draw_poses(const Scene& scene, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> U(-0.14, 0.14);
  std::vector<Pose> poses;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    poses.push_back({Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)});
  poses[0] = {Vec3(0, 0, -0.15 + 0.1 * U(rng)), Quat::Identity()};
  return poses;
}

Scene at(Scene scene, const std::vector<Pose>& poses) {
  for (std::size_t b = 0; b < poses.size(); ++b) scene.bodies[b].X_WB = poses[b];
  return scene;
}

void expect_same(const Solution& a, const Solution& b, const std::string& what) {
  EXPECT_EQ(a.status, b.status) << what;
  EXPECT_EQ(a.reason, b.reason) << what;
  EXPECT_EQ(a.initial_overlaps, b.initial_overlaps) << what;
  EXPECT_EQ(a.stats.steps, b.stats.steps) << what;
  EXPECT_EQ(a.stats.queries, b.stats.queries) << what;
  ASSERT_EQ(a.shifts.size(), b.shifts.size()) << what;
  for (std::size_t k = 0; k < a.shifts.size(); ++k) EXPECT_TRUE(a.shifts[k] == b.shifts[k]) << what << ", body " << k;
}

struct Prepared {
  std::mt19937_64 rng{77};
  Scene scene = mixed_scene(rng);
  std::vector<std::vector<Pose>> states;
  std::vector<Solution> expected;
  DefaultOptions options;

  Prepared() {
    options.threads = 1;
    scene = at(scene, draw_poses(scene, rng));
    for (int k = 0; k < kStates; ++k) {
      states.push_back(draw_poses(scene, rng));
      expected.push_back(solve_default(at(scene, states.back()), options));
    }
  }
};

TEST(PreparedSolver, GivesTheBitsOfASolverMadeForTheState) {
  const Prepared p;
  const PreparedSolver solver(p.scene, p.options);
  for (const int round : {0, 1}) {
    for (int k = 0; k < kStates; ++k) {
      const Solution s = solver.solve(p.states[k]);
      EXPECT_EQ(s.status, SolveStatus::kSolved) << k;
      EXPECT_GT(s.initial_overlaps, 5) << k;
      EXPECT_EQ(repairable(evaluate(p.scene, moved_poses(at(p.scene, p.states[k]), s), {})), 0) << k;
      expect_same(s, p.expected[k], "round " + std::to_string(round) + ", state " + std::to_string(k));
      EXPECT_TRUE(s.shifts[3] == s.shifts[4]) << "the links move as one";
    }
  }
}

TEST(PreparedSolver, ServesFourThreadsAtOnce) {
  const Prepared p;
  const PreparedSolver solver(p.scene, p.options);
  std::vector<std::vector<Solution>> found(4, std::vector<Solution>(kStates));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < kStates; ++k) found[t][(k + t) % kStates] = solver.solve(p.states[(k + t) % kStates]);
    });
  for (std::thread& t : threads) t.join();
  for (int t = 0; t < 4; ++t)
    for (int k = 0; k < kStates; ++k) expect_same(found[t][k], p.expected[k], "thread " + std::to_string(t));
}

TEST(PreparedSolver, TakesObstaclesFromTheState) {
  Scene scene;
  const int table = add_body(scene, mesh_shape(box_mesh({0.3, 0.3, 0.02})), {}, false);
  const int cup = add_body(scene, mesh_shape(torus(0.035, 0.015)), {Vec3(0, 0, 0.04), Quat::Identity()});
  const PreparedSolver solver(scene, {});
  std::vector<Pose> poses = poses_of(scene);
  const auto lift = [&](double height) {
    poses[table].p.z() = height;
    const Solution s = solver.solve(poses);
    EXPECT_EQ(s.status, SolveStatus::kSolved);
    EXPECT_TRUE(s.shifts[table] == Vec3(Vec3::Zero()));
    return s.shifts[cup].z();
  };
  EXPECT_EQ(lift(0.0), 0.0);
  EXPECT_NEAR(lift(0.01), 0.005, 5e-4);
  EXPECT_NEAR(lift(0.02), 0.015, 5e-4);
  EXPECT_EQ(lift(-1.0), 0.0);
}

}  // namespace
}  // namespace s4r::testing
