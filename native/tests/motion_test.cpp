// What units may do besides being displaced anywhere: turn, move along some axes only, stand on a plane (default
// profile).
#include <gtest/gtest.h>

#include "continuation/limits.h"
#include "geometry/rotation.h"
#include "mesh_families.h"
#include "separation/pair_update.h"
#include "separation/projection.h"
#include "separation/unit_motion.h"

namespace s4r::testing {
namespace {

Motion turning(Motion::Turn turn = Motion::Turn::kAll) {
  Motion motion;
  motion.turn = turn;
  return motion;
}

void give_all(Scene& scene, const Motion& motion) {
  for (Body& body : scene.bodies) body.motion = motion;
}

// Meshes, boxes and curved solids thrown into a cube of half edge `half`.
Scene thrown(int count, double half, unsigned seed, bool flat_faces = true) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> coordinate(-half, half);
  const Shape shapes[] = {box(0.05, 0.02, 0.03),
                          mesh_shape(torus(0.04, 0.012, 12, 6)),
                          {ShapeKind::kCapsule, {0.015, 0.035, 0}, nullptr, nullptr},
                          mesh_shape(box_mesh({0.015, 0.05, 0.02})),
                          {ShapeKind::kEllipsoid, {0.05, 0.03, 0.02}, nullptr, nullptr}};
  Scene scene;
  for (int k = 0; k < count; ++k)
    add_body(scene, shapes[flat_faces ? k % 5 : 4 - k % 2],
             {{coordinate(rng), coordinate(rng), coordinate(rng)}, random_rotation(rng)});
  return scene;
}

Solution solve_alone(const Scene& scene, DefaultOptions options = {}) {
  options.threads = 1;
  return solve_default(scene, options);
}

double rms(const std::vector<Vec3>& shifts) {
  double sum = 0.0;
  for (const Vec3& s : shifts) sum += s.squaredNorm();
  return std::sqrt(sum / static_cast<double>(shifts.size()));
}

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

// Tilted objects that reach into the floor and into each other.
Scene tilted(int count, unsigned seed, const Quat& world, bool on_table, bool flat_faces = true) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Scene scene = thrown(count, 0.1, seed, flat_faces);
  const Vec3 up = Vec3::UnitZ();
  const double half = 0.06 * std::sqrt(count);
  scene.up = world * up;
  for (Body& body : scene.bodies) {
    const double angle = 0.5 + 0.2 * unit(rng), direction = 3.0 * unit(rng);
    const Vec3 tilt = angle * Vec3(std::cos(direction), std::sin(direction), 0);
    const Quat upright = exp_map(3.0 * unit(rng) * up);
    body.X_WB = {world * Vec3(half * unit(rng), half * unit(rng), 0.3 + 0.03 * unit(rng)),
                 world * exp_map(tilt) * upright};
    Motion& m = body.motion;
    m.translate = Motion::Translate::kAcross;
    m.turn = Motion::Turn::kAbout;
    m.translate_axis = m.turn_axis = scene.up;
    m.stands = true;
    m.tilt = world * tilt;
    m.height = 0.3;
  }
  const Vec3 floor(0, 0, on_table ? 0.28 : 0.3);
  add_body(scene, on_table ? box(5, 5, 0.02) : halfspace(), {world * floor, world}, false);
  return scene;
}

void expect_standing(const Scene& scene, const Solution& s, const std::string& what) {
  const std::vector<Pose> poses = moved_poses(scene, s);
  EXPECT_EQ(repairable(evaluate(scene, poses, {})), 0) << what;
  for (std::size_t b = 0; b + 1 < scene.bodies.size(); ++b) {
    const Motion& m = scene.bodies[b].motion;
    const Quat upright = exp_map(-m.tilt) * scene.bodies[b].X_WB.q;
    const Quat turned = poses[b].q * upright.conjugate();
    EXPECT_LT(turned.vec().cross(scene.up).norm(), 5e-7) << what << ", body " << b;
    const Geom& g = scene.geoms[b];
    const double low =
        -support(scene.shapes[g.shape], {poses[b].p + poses[b].q * g.X_BG.p, poses[b].q * g.X_BG.q}, -scene.up);
    EXPECT_NEAR(low, m.height, 1e-6) << what << ", body " << b;
  }
}

TEST(Upright, ObjectsStandOnTheirPlaneAndApart) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const bool on_table : {false, true}) {
      const Scene scene = tilted(10 + 3 * seed, seed, Quat::Identity(), on_table);
      ASSERT_GT(repairable(evaluate(scene, poses_of(scene), {})), 8);
      const Solution s = solve_alone(scene);
      EXPECT_EQ(s.status, SolveStatus::kSolved) << seed << ": " << s.reason;
      expect_standing(scene, s, std::to_string(seed));
    }
}

// Smooth solids to the accuracy of their normals; where flat faces meet, which of their points do is chance.
TEST(Upright, TurnsWithTheScene) {
  const Quat about_up = exp_map(Vec3(0, 0, 0.7));
  for (const bool flat_faces : {false, true}) {
    const Solution a = solve_alone(tilted(15, 4, Quat::Identity(), true, flat_faces));
    const Solution b = solve_alone(tilted(15, 4, about_up, true, flat_faces));
    ASSERT_EQ(a.status, SolveStatus::kSolved);
    ASSERT_EQ(b.status, SolveStatus::kSolved);
    EXPECT_NEAR(rms(b.shifts) / rms(a.shifts), 1.0, flat_faces ? 0.1 : 1e-3);
    if (flat_faces) continue;
    for (std::size_t k = 0; k < a.shifts.size(); ++k)
      EXPECT_LT((about_up * a.shifts[k] - b.shifts[k]).norm(), 1e-3) << k;
  }
}

TEST(Upright, EdgeRowsPredictTheirRoomToFirstOrder) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  constexpr double kSmall = 1e-5;
  Scene scene = tilted(4, 3, Quat::Identity(), true);
  for (std::size_t b = 0; b < 4; ++b) {
    Motion& m = scene.bodies[b].motion;
    m.carried = scene.bodies[b].X_WB.p + Vec3(0.02, 0.01, -0.03);
    m.edges = {{Vec3(std::cos(1.0 * static_cast<double>(b)), std::sin(1.0 * static_cast<double>(b)), 0), 0.4}};
  }
  const Model model(scene, Centres::kFeet);
  for (int k = 0; k < 40; ++k) {
    const Unit& u = model.units[k % 4];
    const Motion::Edge& edge = u.motion.edges[0];
    const Vec3 p = u.centre + 0.1 * Vec3(unit(rng), unit(rng), 0);
    const Quat turn = standing_turn(u, scene.up, 0.0, 3.0 * unit(rng));
    const Vec3 step = kSmall * Vec3(unit(rng), unit(rng), 0), w = kSmall * unit(rng) * scene.up;
    const ProjectionRow row = edge_row(u, 0, {p, turn});
    EXPECT_NEAR(row.b, -room_at_edge(u, edge, p, turn), 1e-15);
    const double change = room_at_edge(u, edge, p + step, exp_map(w) * turn) - room_at_edge(u, edge, p, turn);
    EXPECT_NEAR(change, row.n.dot(step) + row.lever_j.dot(w), 10 * kSmall * kSmall) << k;
    EXPECT_GT(std::abs(row.lever_j.dot(w)) + std::abs(row.n.dot(step)), 0.0) << k;
  }
}

// Near the corner of a small table every way off it is shorter than the way along it.
TEST(Upright, NobodyLeavesTheSupport) {
  int would_leave = 0;
  for (const bool reference : {false, true})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      Scene scene = tilted(6, seed, Quat::Identity(), true);
      std::mt19937_64 rng(seed);
      std::uniform_real_distribution<double> near_edge(0.16, 0.199);
      scene.shapes.back() = box(0.2, 0.2, 0.02);
      for (std::size_t b = 0; b < 6; ++b) {
        Body& body = scene.bodies[b];
        body.X_WB.p.head<2>() = Eigen::Vector2d(near_edge(rng), near_edge(rng));
        body.motion.carried = body.X_WB.p;
      }
      const auto run = [&] {
        if (!reference) return solve_alone(scene);
        ReferenceOptions options;
        options.threads = 1;
        return solve_reference(scene, options);
      };
      const auto outside = [&](const Solution& s) {
        double farthest = 0.0;
        const std::vector<Pose> poses = moved_poses(scene, s);
        for (std::size_t b = 0; b < 6; ++b) farthest = std::max({farthest, poses[b].p.x() - 0.2, poses[b].p.y() - 0.2});
        return farthest;
      };
      would_leave += outside(run()) > 1e-3 ? 1 : 0;
      for (std::size_t b = 0; b < 6; ++b)
        for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
          scene.bodies[b].motion.edges.push_back({n, 0.2});
      const Solution s = run();
      EXPECT_EQ(s.status, SolveStatus::kSolved) << seed << ": " << s.reason;
      expect_standing(scene, s, std::to_string(seed));
      EXPECT_LT(outside(s), 1e-5) << seed;
    }
  EXPECT_GE(would_leave, 6);
}

TEST(Upright, WhatStandsAlreadyKeepsItsBits) {
  Scene scene = tilted(12, 2, Quat::Identity(), true);
  for (std::size_t b = 0; b < 12; ++b) {
    Body& body = scene.bodies[b];
    body.X_WB.q = exp_map(-body.motion.tilt) * body.X_WB.q;
    body.motion.tilt = Vec3::Zero();
    const Geom& g = scene.geoms[b];
    body.X_WB.p = Vec3(0.3 * static_cast<double>(b), 0, 0);
    body.X_WB.p.z() = 0.3 + support(scene.shapes[g.shape], {Vec3::Zero(), body.X_WB.q}, -Vec3::UnitZ());
  }
  const Solution s = solve_alone(scene);
  EXPECT_EQ(s.status, SolveStatus::kSolved);
  for (std::size_t b = 0; b < 12; ++b) {
    EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << b;
    EXPECT_TRUE(is_identity(s.turns[b])) << b;
  }
}

}  // namespace
}  // namespace s4r::testing
