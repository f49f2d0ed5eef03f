// What units may do besides being displaced anywhere: turn, or move along some axes only (default profile).
#include <gtest/gtest.h>

#include "geometry/rotation.h"
#include "motion_scenes.h"
#include "separation/pair_update.h"
#include "separation/projection.h"

namespace s4r::testing {
namespace {

// Row k of the pair after a measurement at `measured`, against what it says at `at`, against a measurement there.
TEST(RotationRows, PredictTheGapToFirstOrder) {
  const Shape ellipsoid{ShapeKind::kEllipsoid, {0.05, 0.03, 0.02}, nullptr, nullptr};
  const Shape capsule{ShapeKind::kCapsule, {0.02, 0.03, 0}, nullptr, nullptr};
  const Shape ring = mesh_shape(torus(0.04, 0.012, 12, 6));
  const std::pair<Shape, Shape> pairs[] = {{ellipsoid, ellipsoid},  {ellipsoid, capsule}, {ring, ellipsoid},
                                           {capsule, ring},         {ring, ring},         {halfspace(), ellipsoid},
                                           {ellipsoid, halfspace()}};
  constexpr double kSmall = 1e-5;
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto small = [&] { return Vec3(kSmall * Vec3(unit(rng), unit(rng), unit(rng))); };
  for (const auto& [a, b] : pairs)
    for (int k = 0; k < 20; ++k) {
      Scene scene;
      const Vec3 apart = random_rotation(rng) * Vec3(0.3, 0, 0);
      add_body(scene, a, {Vec3::Zero(), random_rotation(rng)}, a.kind != ShapeKind::kHalfspace);
      add_body(scene, b, {apart, random_rotation(rng)}, b.kind != ShapeKind::kHalfspace);
      give_all(scene, turning());
      const Model model(scene);
      const SeparationAssets assets(model);
      const SeparationSettings settings;
      const PairUpdate update(model, assets, settings);
      SeparationPair pair = new_pair(model, 0, 1);
      const auto place = [&](int geom) {
        const int u = model.geoms[geom].unit;
        return UnitPose{u < 0 ? model.geoms[geom].offset : model.units[u].centre};
      };
      UnitPose at_a = place(0), at_b = place(1);
      const auto gap_at = [&] {
        SeparationPair fresh = new_pair(model, 0, 1);
        update.refresh(fresh, relative(at_a, at_b));
        double gap = 1e300;
        for (std::size_t r = 0; r < fresh.rows.size(); ++r)
          gap = std::min(gap, update.margin(fresh) - update.row_at(fresh, r, relative(at_a, at_b)).b);
        return gap;
      };
      // Close enough for rows: along the line of the centres, or out of the half-space.
      const Vec3 inwards =
          pair.halfspace ? Vec3(scene.bodies[pair.unit_a < 0 ? 0 : 1].X_WB.q * -Vec3::UnitZ()) : -apart;
      UnitPose& moving = pair.unit_b >= 0 ? at_b : at_a;
      double low = -3.0, high = 3.0;
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        const UnitPose kept = moving;
        moving.p += middle * inwards;
        SeparationPair probe = new_pair(model, 0, 1);
        update.look(probe, relative(at_a, at_b));
        (probe.conflict || (!pair.halfspace && middle > 1.0) ? high : low) = middle;
        moving = kept;
      }
      moving.p += (low - 2e-3 / inwards.norm()) * inwards;
      update.refresh(pair, relative(at_a, at_b));
      ASSERT_FALSE(pair.rows.empty());
      const Relative before = relative(at_a, at_b);
      const ProjectionRow row = update.row_at(pair, 0, before);  // the closest
      const RigidStep step_a = pair.unit_a < 0 ? RigidStep{} : RigidStep{small(), small()};
      const RigidStep step_b = pair.unit_b < 0 ? RigidStep{} : RigidStep{small(), small()};
      const double gap = gap_at();
      EXPECT_NEAR(gap, update.margin(pair) - row.b, 1e-9);
      at_a = {at_a.p + step_a.p, exp_map(step_a.w)};
      at_b = {at_b.p + step_b.p, exp_map(step_b.w)};
      const double linear = row.n.dot(step_b.p - step_a.p) + row.lever_j.dot(step_b.w) - row.lever_i.dot(step_a.w);
      const double kept = row.b - update.row_at(pair, 0, relative(at_a, at_b)).b;
      EXPECT_NEAR(kept, linear, 10 * kSmall * kSmall) << "the row's own points";
      const double change = gap_at() - gap;
      EXPECT_LT(change, linear + 0.02 * kSmall) << "the closest points there are";
      const bool smooth = !model.geoms[0].halfspace && model.geoms[0].convex && model.geoms[1].convex;
      if (smooth) {
        EXPECT_GT(change, linear - 0.02 * kSmall);  // meshes may come closer elsewhere
      }
    }
}

TEST(Rotation, NothingOverlapsAndBodiesAreDisplacedLess) {
  double with = 0.0, without = 0.0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Scene scene = thrown(30, 0.11, seed);
    const Solution fixed = solve_alone(scene);
    give_all(scene, turning());
    const Solution free = solve_alone(scene);
    ASSERT_EQ(free.status, SolveStatus::kSolved) << seed;
    EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, free), {})), 0) << seed;
    with += rms(free.shifts);
    without += rms(fixed.shifts);
  }
  EXPECT_LT(with, 0.95 * without);
}

TEST(Rotation, SameBitsForAnyThreadCount) {
  Scene scene = thrown(40, 0.12, 5);
  give_all(scene, turning());
  const Solution one = solve_alone(scene);
  for (const int threads : {2, 4}) {
    DefaultOptions options;
    options.threads = threads;
    const Solution s = solve_default(scene, options);
    for (std::size_t b = 0; b < s.shifts.size(); ++b) {
      EXPECT_TRUE(s.shifts[b] == one.shifts[b]) << threads;
      EXPECT_TRUE(s.turns[b].coeffs() == one.turns[b].coeffs()) << threads;
    }
  }
}

// Two long bars crossed at a small angle over most of their length: a turn is far shorter than any displacement.
TEST(Rotation, ATurnReplacesALongWay) {
  Scene scene;
  const Shape bar = box(0.5, 0.01, 0.2);
  add_body(scene, bar, {Vec3::Zero(), Quat::Identity()});
  add_body(scene, bar, {Vec3(0, 0.0195, 0), exp_map(Vec3(0, 0, 0.04))});
  const Solution fixed = solve_alone(scene);
  give_all(scene, turning());
  const Solution free = solve_alone(scene);
  ASSERT_EQ(free.status, SolveStatus::kSolved);
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, free), {})), 0);
  EXPECT_LT(rms(free.shifts), 0.6 * rms(fixed.shifts));
}

TEST(Rotation, BystandersKeepTheirBits) {
  Scene scene = thrown(12, 0.06, 3);
  for (int k = 0; k < 6; ++k) add_body(scene, box(0.02, 0.02, 0.02), {Vec3(1.0 + 0.1 * k, 0, 0), Quat::Identity()});
  give_all(scene, turning());
  const Solution s = solve_alone(scene);
  for (std::size_t b = 12; b < scene.bodies.size(); ++b) {
    EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero()));
    EXPECT_TRUE(is_identity(s.turns[b]));
  }
}

TEST(MotionLimits, NeitherShiftNorTurnIsEverExceeded) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    Scene scene = thrown(20, 0.08, seed);
    for (Body& body : scene.bodies) {  // origins away from the centres
      body.X_WB.p += body.X_WB.q * Vec3(0.03, 0, 0.01);
      body.motion = turning();
    }
    for (Geom& geom : scene.geoms) geom.X_BG.p = Vec3(-0.03, 0, -0.01);
    DefaultOptions options;
    options.max_shift = 0.012;
    options.max_turn = 0.1;
    const Solution s = solve_alone(scene, options);
    double largest = 0.0, widest = 0.0;
    for (std::size_t b = 0; b < s.shifts.size(); ++b) {
      largest = std::max(largest, s.shifts[b].norm());
      widest = std::max(widest, angle_of(s.turns[b]));
    }
    EXPECT_LE(largest, 0.012 * (1 + 1e-12)) << seed;
    EXPECT_LE(widest, 0.1 * (1 + 1e-12)) << seed;
    EXPECT_GT(largest + widest, 0.02) << "the limits mattered, " << seed;
  }
}

TEST(MotionLimits, AxesAreKept) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Scene scene = thrown(16, 0.12, seed);
    std::mt19937_64 rng(seed);
    const Vec3 axis = random_rotation(rng) * Vec3::UnitZ();
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      Motion& m = scene.bodies[b].motion;
      m.translate_axis = m.turn_axis = axis;
      if (b % 4 == 0) m.translate = Motion::Translate::kAlong;
      if (b % 4 == 1) m.translate = Motion::Translate::kAcross;
      if (b % 4 == 2) m.turn = Motion::Turn::kAbout;
      if (b % 4 == 3) m.translate = Motion::Translate::kNone;
    }
    const Solution s = solve_alone(scene);
    EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})) == 0, s.status == SolveStatus::kSolved) << seed;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const Vec3 shift = s.shifts[b];
      const double along = shift.dot(axis);
      if (b % 4 == 0) {
        EXPECT_LT((shift - along * axis).norm(), 1e-12) << seed;
      }
      if (b % 4 == 1) {
        EXPECT_LT(std::abs(along), 1e-12) << seed;
      }
      if (b % 4 == 2) {
        EXPECT_LT(s.turns[b].vec().cross(axis).norm(), 1e-12) << seed;
      }
      if (b % 4 == 3) {
        EXPECT_TRUE(shift == Vec3(Vec3::Zero())) << seed;
      }
      if (b % 4 != 2) {
        EXPECT_TRUE(is_identity(s.turns[b])) << seed;
      }
    }
  }
}

TEST(MotionLimits, APlaneSceneIsSolvedInItsPlane) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Scene scene = thrown(20, 0.15, seed);
    Motion in_plane;
    in_plane.translate = Motion::Translate::kAcross;
    in_plane.translate_axis = Vec3::UnitZ();
    give_all(scene, in_plane);
    const Solution s = solve_alone(scene);
    EXPECT_EQ(s.status, SolveStatus::kSolved) << seed << ": " << s.reason;
    EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0) << seed;
  }
}

}  // namespace
}  // namespace s4r::testing
