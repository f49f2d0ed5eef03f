// Bodies that stand upright on a plane (default profile; the edges of supports in both).
#include <gtest/gtest.h>

#include "continuation/limits.h"
#include "geometry/rotation.h"
#include "motion_scenes.h"
#include "separation/unit_motion.h"

namespace s4r::testing {
namespace {

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
