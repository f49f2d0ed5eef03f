// Piles: many bodies in one place, which only come apart shrunk and grown back together.
#include <gtest/gtest.h>

#include "geometry/support.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kBall = 20;
#else
constexpr int kBall = 80;
#endif
constexpr int kWalled = 30;

// A concave mesh, its largest extent 0.1.
Shape concave_mesh(std::mt19937_64& rng, int k) {
  TriangleMesh mesh;
  switch (k % 5) {
    case 0: mesh = torus(0.035, 0.015, 10, 6); break;
    case 1: mesh = u_profile(0.05, 0.02, 0.015); break;
    case 2: mesh = l_profile(0.05, 0.025, 0.02); break;
    case 3: mesh = random_star(rng, 4, 0.02, 0.06); break;
    default: mesh = joined(torus(0.03, 0.01, 8, 5), box_mesh({0.01, 0.01, 0.02}), {0.05, 0, 0});
  }
  const Shape shape = mesh_shape(std::move(mesh));
  const Box3 box = bounds(shape, {});
  return scaled(shape, 0.1 / (box.hi - box.lo).maxCoeff());
}

// Centres uniform in a ball of radius 0.1 (n / 100)^(1/3).
Scene ball(int count, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  Scene scene;
  while (static_cast<int>(scene.bodies.size()) < count) {
    const Vec3 p(U(rng), U(rng), U(rng));
    if (p.norm() > 1.0) continue;
    const Shape shape = concave_mesh(rng, static_cast<int>(scene.bodies.size()));
    add_body(scene, shape, {0.1 * std::cbrt(count / 100.0) * p, random_rotation(rng)});
  }
  return scene;
}

double volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const auto& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6.0;
  return sum;
}

// A closed cube of six half-spaces, `phi` of it filled; every body inside. The walls come first.
Scene walled(int count, double phi, std::uint64_t seed, double& half) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(0, 1);
  std::vector<Shape> shapes;
  double filled = 0.0;
  for (int k = 0; k < count; ++k) {
    shapes.push_back(concave_mesh(rng, k));
    filled += volume(*shapes.back().mesh);
  }
  half = 0.5 * std::cbrt(filled / phi);
  Scene scene;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      add_body(scene, halfspace(),
               {side * half * Vec3::Unit(axis), Quat::FromTwoVectors(Vec3::UnitZ(), -side * Vec3::Unit(axis))}, false);
  for (const Shape& shape : shapes) {
    const Quat q = random_rotation(rng);
    const Box3 box = bounds(shape, {Vec3::Zero(), q});
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = -half - box.lo[axis] + U(rng) * (2.0 * half - box.hi[axis] + box.lo[axis]);
    add_body(scene, shape, {p, q});
  }
  return scene;
}

TEST(Pile, ABallOfConcaveMeshesComesApart) {
  const Scene scene = ball(kBall, 21);
  const Evaluation before = evaluate(scene, poses_of(scene), {});
  ASSERT_GT(repairable(before), 4 * kBall);
  const Solution s = solve_default(scene, {});
  EXPECT_EQ(s.status, SolveStatus::kSolved) << s.reason;
  EXPECT_EQ(s.initial_overlaps, repairable(before));
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
  Vec3 sum = Vec3::Zero();
  double farthest = 0.0;
  for (const Vec3& shift : s.shifts) {
    sum += shift;
    farthest = std::max(farthest, shift.norm());
  }
  EXPECT_LT(sum.norm() / kBall, 0.01) << "nothing holds the pile: it stays where it is";
  EXPECT_LT(farthest, 1.0) << "and does not explode";
}

TEST(Pile, WithoutThePileStageTheStatusIsHonest) {
  for (const std::uint64_t seed : {22, 23}) {
    const Scene scene = ball(kBall / 2, seed);
    DefaultOptions options;
    options.parts.pile = false;
    const Solution s = solve_default(scene, options);
    const int left = repairable(evaluate(scene, moved_poses(scene, s), {}));
    if (s.status == SolveStatus::kSolved) {
      EXPECT_EQ(left, 0);
    } else {
      EXPECT_EQ(s.status, SolveStatus::kStagnation);
      EXPECT_FALSE(s.reason.empty());
    }
    for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift.allFinite());
  }
}

TEST(Pile, NothingLeavesAClosedCube) {
  double half = 0.0;
  const Scene scene = walled(kWalled, 0.2, 24, half);
  ASSERT_GT(repairable(evaluate(scene, poses_of(scene), {})), kWalled);
  const Solution s = solve_default(scene, {});
  EXPECT_EQ(s.status, SolveStatus::kSolved) << s.reason;
  const std::vector<Pose> poses = moved_poses(scene, s);
  EXPECT_EQ(repairable(evaluate(scene, poses, {})), 0);
  for (const Geom& g : scene.geoms) {
    if (!scene.bodies[g.body].movable) continue;
    const Box3 box = bounds(scene.shapes[g.shape], poses[g.body]);
    EXPECT_LE(box.hi.maxCoeff(), half + 1e-12);
    EXPECT_GE(box.lo.minCoeff(), -half - 1e-12);
  }
}

TEST(Pile, AnyNumberOfThreadsGivesTheSameBits) {
  const Scene scene = ball(kBall / 2, 25);
  DefaultOptions options;
  options.threads = 1;
  const Solution one = solve_default(scene, options);
  ASSERT_EQ(one.status, SolveStatus::kSolved);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const Solution s = solve_default(scene, options);
    EXPECT_EQ(s.stats.steps, one.stats.steps);
    for (std::size_t b = 0; b < s.shifts.size(); ++b) EXPECT_TRUE(s.shifts[b] == one.shifts[b]) << threads;
  }
}

}  // namespace
}  // namespace s4r::testing
