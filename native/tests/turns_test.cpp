// The reference profile with bodies that turn (App. A.10) or whose axes are limited.
#include <gtest/gtest.h>

#include "geometry/rotation.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

Shape ring() { return mesh_shape(torus(0.035, 0.015)); }
Shape brick() { return mesh_shape(box_mesh({0.05, 0.03, 0.02})); }

Scene spawn(int count, std::uint64_t seed, double spread) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-spread, spread);
  const Shape shapes[] = {ring(), brick(), sphere(0.04), box(0.06, 0.02, 0.03)};
  Scene scene;
  for (int k = 0; k < count; ++k) add_body(scene, shapes[k % 4], {Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)});
  return scene;
}

void let_turn(Scene& scene) {
  for (Body& b : scene.bodies) b.motion.turn = Motion::Turn::kAll;
}

double rms(const Solution& s) {
  double sum = 0.0;
  for (const Vec3& shift : s.shifts) sum += shift.squaredNorm();
  return std::sqrt(sum / static_cast<double>(s.shifts.size()));
}

void expect_solved(const Scene& scene, const Solution& s) {
  EXPECT_EQ(to_string(s.status), std::string("solved")) << s.reason;
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
}

// A stick that leans across another one by a hair's breadth: a small turn frees it, and moves it less than shifting it.
TEST(Turns, LessDisplacementWhereATurnHelps) {
  for (const double angle : {0.1, 0.2, 0.3}) {
    Scene scene;
    add_body(scene, box(0.2, 0.02, 0.02), {}, false);
    add_body(scene, box(0.2, 0.02, 0.02), {Vec3(0, 0, 0.045), Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()))});
    const Solution shifted = solve_reference(scene, {});
    expect_solved(scene, shifted);
    let_turn(scene);
    const Solution turned = solve_reference(scene, {});
    expect_solved(scene, turned);
    EXPECT_LT(rms(turned), 0.8 * rms(shifted)) << angle;
    EXPECT_GT(angle_of(turned.turns[1]), 0.01) << angle;
    EXPECT_TRUE(is_identity(shifted.turns[1]));
  }
}

// Between two walls there is no room for a stick that lies across: only a turn lets it in.
TEST(Turns, ASolutionThatNeedsATurn) {
  Scene scene;
  add_body(scene, halfspace(), {Vec3(-0.05, 0, 0), Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())}, false);
  add_body(scene, halfspace(), {Vec3(0.05, 0, 0), Quat::FromTwoVectors(Vec3::UnitZ(), -Vec3::UnitX())}, false);
  add_body(scene, box(0.07, 0.01, 0.01), {Vec3::Zero(), Quat(Eigen::AngleAxisd(0.4, Vec3::UnitZ()))});
  EXPECT_EQ(to_string(solve_reference(scene, {}).status), std::string("container-infeasible"));
  let_turn(scene);
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  EXPECT_GT(angle_of(s.turns[2]), 0.3);
  // About its axis as well as about all: the same way out.
  scene.bodies[2].motion.turn = Motion::Turn::kAbout;
  scene.bodies[2].motion.turn_axis = Vec3::UnitZ();
  expect_solved(scene, solve_reference(scene, {}));
}

TEST(Turns, DenseScenesAreSolvedWithLessDisplacement) {
  double shifted = 0.0, turned = 0.0;
  for (const std::uint64_t seed : {42, 123, 456}) {
    Scene scene = spawn(40, seed, 0.12);
    const Solution without = solve_reference(scene, {});
    expect_solved(scene, without);
    let_turn(scene);
    const Solution with = solve_reference(scene, {});
    expect_solved(scene, with);
    shifted += rms(without);
    turned += rms(with);
  }
  EXPECT_LT(turned, 0.95 * shifted);
}

TEST(Turns, UntouchedBodiesKeepTheirPose) {
  Scene scene = spawn(20, 3, 0.08);
  const int first = static_cast<int>(scene.bodies.size());
  for (int k = 0; k < 50; ++k) add_body(scene, brick(), {Vec3(2.0 + 0.15 * k, 0, 0), Quat::Identity()});
  let_turn(scene);
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  for (std::size_t b = first; b < scene.bodies.size(); ++b)
    EXPECT_TRUE(s.shifts[b].isZero(0.0) && is_identity(s.turns[b])) << b;
}

TEST(Turns, ABodyOnAPlaneDoesNotRockIntoIt) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, box(0.05, 0.04, 0.02), {Vec3(0, 0, 0.015), Quat::Identity()});
  let_turn(scene);
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  EXPECT_NEAR(s.shifts[1].z(), 0.005, 0.0005);
  EXPECT_LT(angle_of(s.turns[1]), 0.01);
}

TEST(Turns, ThreadCountDoesNotChangeABit) {
  Scene scene = spawn(60, 7, 0.12);
  let_turn(scene);
  ReferenceOptions options;
  options.threads = 1;
  const Solution one = solve_reference(scene, options);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const Solution many = solve_reference(scene, options);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      EXPECT_TRUE(one.shifts[b] == many.shifts[b]) << b;
      EXPECT_TRUE(one.turns[b].coeffs() == many.turns[b].coeffs()) << b;
    }
  }
}

TEST(Turns, LimitsOnAxesAreKeptToRounding) {
  std::mt19937_64 rng(11);
  int solved = 0;
  for (int seed = 0; seed < 12; ++seed) {
    Scene scene = spawn(16, seed, 0.08);
    for (Body& b : scene.bodies) {
      b.motion.translate = static_cast<Motion::Translate>(1 + rng() % 3);
      b.motion.turn = static_cast<Motion::Turn>(rng() % 3);
      b.motion.translate_axis = random_rotation(rng) * Vec3::UnitZ();
      b.motion.turn_axis = random_rotation(rng) * Vec3::UnitZ();
    }
    scene.bodies[0].motion.translate = Motion::Translate::kNone;
    scene.bodies[0].motion.turn = Motion::Turn::kNone;
    const Solution s = solve_reference(scene, {});
    const int left = repairable(evaluate(scene, moved_poses(scene, s), {}));
    if (s.status == SolveStatus::kSolved) {
      ++solved;
      EXPECT_EQ(left, 0) << seed;
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const Motion& m = scene.bodies[b].motion;
      // The origin is the centre of these shapes, so that a turn does not shift it.
      const Vec3 shift = s.shifts[b], turn = log_map(s.turns[b]);
      if (m.translate == Motion::Translate::kNone) {
        EXPECT_TRUE(shift.isZero(0.0));
      }
      if (m.translate == Motion::Translate::kAlong) {
        EXPECT_LT(shift.cross(m.translate_axis).norm(), 1e-12);
      }
      if (m.translate == Motion::Translate::kAcross) {
        EXPECT_LT(std::abs(shift.dot(m.translate_axis)), 1e-12);
      }
      if (m.turn == Motion::Turn::kNone) {
        EXPECT_TRUE(is_identity(s.turns[b]));
      }
      if (m.turn == Motion::Turn::kAbout) {
        EXPECT_LT(turn.cross(m.turn_axis).norm(), 1e-12);
      }
    }
  }
  EXPECT_GE(solved, 8);
}

TEST(Turns, MaxTurnAndMaxShiftAreNeverExceeded) {
  constexpr double kTurn = 0.08, kShift = 0.06;
  double most_turned = 0.0, most_shifted = 0.0;
  for (int seed = 0; seed < 4; ++seed) {
    Scene scene = spawn(16, 100 + seed, 0.1);
    // Bodies in twos on one unit: the limit holds for the origins of both.
    for (std::size_t b = 1; b < scene.bodies.size(); b += 6) scene.bodies[b].unit = static_cast<int>(b) - 1;
    let_turn(scene);
    ReferenceOptions options;
    options.max_turn = kTurn;
    options.max_shift = kShift;
    const Solution s = solve_reference(scene, options);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      EXPECT_LE(angle_of(s.turns[b]), kTurn * (1.0 + 1e-12)) << seed;
      EXPECT_LE(s.shifts[b].norm(), kShift * (1.0 + 1e-12)) << seed;
      most_turned = std::max(most_turned, angle_of(s.turns[b]));
      most_shifted = std::max(most_shifted, s.shifts[b].norm());
    }
  }
  EXPECT_GT(most_turned, 0.99 * kTurn) << "the limit is not tried";
  EXPECT_GT(most_shifted, 0.9 * kShift) << "the limit is not tried";
}

// Boxes in a row that slide along it alone, each into its neighbour.
TEST(Turns, BodiesOnARailPartAlongIt) {
  Scene scene;
  for (int k = 0; k < 5; ++k) {
    add_body(scene, box(0.05, 0.05, 0.05), {Vec3(0.08 * k, 0.01 * k, 0), Quat::Identity()});
    scene.bodies[k].motion.translate = Motion::Translate::kAlong;
    scene.bodies[k].motion.translate_axis = Vec3::UnitX();
  }
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift.y() == 0.0 && shift.z() == 0.0);
}

// Side by side, and free to rise only: no normal of theirs says so.
TEST(Turns, LiftsPassEachOther) {
  Scene scene;
  for (int k = 0; k < 2; ++k) {
    add_body(scene, box(0.05, 0.05, 0.03), {Vec3(0.04 * k, 0.02, 0.01 * k), Quat::Identity()});
    scene.bodies[k].motion.translate = Motion::Translate::kAlong;
  }
  const Solution s = solve_reference(scene, {});
  expect_solved(scene, s);
  for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift.x() == 0.0 && shift.y() == 0.0);
}

TEST(Turns, CleanupPushesAlongWhatIsAllowed) {
  Scene scene;
  add_body(scene, sphere(0.05), {});
  add_body(scene, sphere(0.05), {Vec3(0.06, 0.04, 0), Quat::Identity()});
  for (Body& b : scene.bodies) {
    b.motion.translate = Motion::Translate::kAlong;
    b.motion.translate_axis = Vec3::UnitX();
  }
  ReferenceOptions options;
  options.progressive_scaling = false;
  options.tail_max_iterations = 1;
  options.tail_stagnation = 1;
  options.margin = 1e-6;
  options.cleanup_iterations = 200;
  const Solution s = solve_reference(scene, options);
  expect_solved(scene, s);
  EXPECT_EQ(s.stats.tail_left, 1);
  EXPECT_EQ(s.stats.cleanup_left, 0);
  EXPECT_GT(s.stats.ms_cleanup, 0.0);
  for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift.y() == 0.0 && shift.z() == 0.0);
  EXPECT_NEAR(s.shifts[0].x() + s.shifts[1].x(), 0.0, 1e-9);
}

}  // namespace
}  // namespace s4r::testing
