// Coordinates of trees: where they put links, how fast they move them, and what rows between links become in them.
#include "articulation/mechanism.h"

#include <gtest/gtest.h>

#include "articulation/link_limits.h"
#include "articulation/row_map.h"
#include "articulation_scenes.h"
#include "separation/pair_update.h"
#include "separation/unit_motion.h"

namespace s4r::testing {
namespace {

// A floating root that may turn, with two branches of ellipsoids; a hinge that drives a slide, a slide, and hinges. A
// body on a fixed base next to it, and one that moves across an axis only.
Scene floating_tree() {
  std::mt19937_64 rng(3);
  const Shape ellipsoid{ShapeKind::kEllipsoid, {0.05, 0.03, 0.02}, nullptr, nullptr};
  Scene scene;
  for (int k = 0; k < 5; ++k) {
    add_body(scene, ellipsoid, {{0.12 * k, 0.03 * (k % 2), 0.02 * k}, random_rotation(rng)});
    scene.bodies[k].unit = 0;
    scene.bodies[k].motion.turn = Motion::Turn::kAll;
  }
  const int arm = add_body(scene, ellipsoid, {{0, 0.3, 0.1}, random_rotation(rng)}, false);
  const int plate = add_body(scene, ellipsoid, {{0.3, 0.3, 0}, random_rotation(rng)});
  scene.bodies[plate].motion.translate = Motion::Translate::kAcross;
  scene.bodies[plate].motion.turn = Motion::Turn::kAbout;
  const auto axis = [&] { return Vec3(random_rotation(rng) * Vec3::UnitX()); };
  scene.joints = {hinge(axis(), {0.06, 0, 0}, {1, 2, 3, 4}, -0.5, 0.7), slide(axis(), {2, 3}, -0.02, 0.05),
                  hinge(axis(), {0.3, 0, 0.05}, {3}), slide(axis(), {4}), hinge(axis(), {0, 0.25, 0}, {arm})};
  scene.joints[3].leader = 0;
  scene.joints[3].ratio = 0.05;
  return scene;
}

// Some way off the input.
Configuration somewhere(const Mechanism& mechanism, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform(-0.03, 0.03);
  Configuration at = mechanism.input();
  for (int k = 0; k < 3; ++k) {
    std::vector<double> step;
    for (std::size_t c = 0; c < mechanism.coordinates().size(); ++c) step.push_back(uniform(rng));
    at = mechanism.after(at, step);
  }
  return at;
}

std::vector<double> one(const Mechanism& mechanism, std::size_t k, double value) {
  std::vector<double> step(mechanism.coordinates().size(), 0.0);
  step[k] = value;
  return step;
}

TEST(Mechanism, CountsWhatMayMove) {
  const Scene scene = floating_tree();
  const Mechanism mechanism(scene);
  // 3 + 3 of the root, 2 + 1 of the plate, and 4 joints that nothing drives.
  EXPECT_EQ(mechanism.coordinates().size(), 13u);
  EXPECT_EQ(mechanism.links().units.size(), 7u);
  EXPECT_EQ(mechanism.group_of(0), mechanism.group_of(4));
  EXPECT_NE(mechanism.group_of(0), mechanism.group_of(5));
}

TEST(Mechanism, JacobianIsTheDerivativeOfPoses) {
  const Scene scene = floating_tree();
  const Mechanism mechanism(scene);
  constexpr double h = 1e-6;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Configuration at = somewhere(mechanism, seed);
    const Jacobian jacobian = mechanism.jacobian(at);
    for (std::size_t k = 0; k < mechanism.coordinates().size(); ++k) {
      const auto back = mechanism.poses(mechanism.after(at, one(mechanism, k, -h)));
      const auto forth = mechanism.poses(mechanism.after(at, one(mechanism, k, h)));
      std::vector<LinkVelocity> velocity(back.size());
      for (const LinkVelocity& v : jacobian[k]) velocity[v.link] = v;
      for (std::size_t l = 0; l < back.size(); ++l) {
        EXPECT_LT(((forth[l].p - back[l].p) / (2 * h) - velocity[l].v).norm(), 1e-8);
        EXPECT_LT((log_map(forth[l].turn * back[l].turn.conjugate()) / (2 * h) - velocity[l].w).norm(), 1e-7);
      }
    }
  }
}

TEST(Mechanism, RowsPredictTheGapOfLinksOfOneTree) {
  const Scene scene = floating_tree();
  const Mechanism mechanism(scene);
  const Model& links = mechanism.links();
  const SeparationAssets assets(links);
  const SeparationSettings settings;
  const PairUpdate update(links, assets, settings);
  constexpr double h = 1e-5;
  for (const auto& [a, b] : {std::pair(0, 1), {1, 3}, {2, 4}, {0, 5}, {3, 6}}) {
    const Configuration at = somewhere(mechanism, 7);
    const auto gap_at = [&](const Configuration& where, SeparationPair& pair) {
      const std::vector<UnitPose> poses = mechanism.poses(where);
      const PairGeometry geometry(links, assets, a, b, poses[pair.unit_a].turn, poses[pair.unit_b].turn);
      PairCache cache;
      return geometry.measure(poses[pair.unit_b].p - poses[pair.unit_a].p, 1e3, 0.0, 1, cache).distance;
    };
    SeparationPair pair = new_pair(links, a, b);
    const std::vector<UnitPose> poses = mechanism.poses(at);
    const Relative between = relative(poses[pair.unit_a], poses[pair.unit_b]);
    ASSERT_GT(gap_at(at, pair), 0.0);
    const PairGeometry geometry(links, assets, a, b, between.turn_a, between.turn_b);
    PairCache cache;
    pair.rows = geometry.measure(between.offset, 1e3, 0.0, 1, cache).rows;
    pair.lambda = {0.0};
    pair.u_q = between.offset;
    pair.turn_a_q = between.turn_a;
    pair.turn_b_q = between.turn_b;
    RowMap map(mechanism.jacobian(at), links.units.size());
    const BoundedRow row = map.row(update.row_at(pair, 0, between));
    for (std::size_t k = 0; k < mechanism.coordinates().size(); ++k) {
      double coefficient = 0.0;
      for (const auto& [c, value] : row.terms)
        if (c == static_cast<int>(k)) coefficient = value;
      const double change = gap_at(mechanism.after(at, one(mechanism, k, h)), pair) -
                            gap_at(mechanism.after(at, one(mechanism, k, -h)), pair);
      EXPECT_NEAR(change / (2 * h), coefficient, 2e-4) << "pair " << a << " " << b << ", coordinate " << k;
    }
  }
}

TEST(Mechanism, LimitsFollowersAndWaysBackAreExact) {
  const Scene scene = floating_tree();
  const Mechanism mechanism(scene);
  const Configuration far = mechanism.after(mechanism.input(), std::vector<double>(13, 100.0));
  Solution solution;
  mechanism.write(far, solution);
  EXPECT_EQ(solution.joints[0], 0.7);
  EXPECT_DOUBLE_EQ(solution.joints[1], 0.05);
  EXPECT_DOUBLE_EQ(solution.joints[3], 0.05 * 0.7);
  Configuration at = somewhere(mechanism, 9);
  for (const Coordinate& c : mechanism.coordinates()) at = mechanism.without(at, c);
  const std::vector<UnitPose> start = mechanism.poses(mechanism.input()), back = mechanism.poses(at);
  for (std::size_t l = 0; l < start.size(); ++l) {
    EXPECT_EQ(back[l].p, start[l].p);
    EXPECT_TRUE(is_identity(back[l].turn));
  }
}

// What both links owe to a joint cancels but for rounding, which must not be taken for a way to part them.
TEST(Mechanism, RowsKnowOnlyJointsBetweenTheTwo) {
  Scene scene;
  std::mt19937_64 rng(4);
  constexpr int kLinks = 12;
  for (int l = 0; l < kLinks; ++l) {
    add_body(scene, sphere(0.03), {{0.1 * l, 0.01 * (l % 3), 0.0}, random_rotation(rng)}, false);
    for (Joint& joint : scene.joints) joint.bodies.push_back(l);
    scene.joints.push_back(hinge(random_rotation(rng) * Vec3::UnitX(), {0.1 * l - 0.05, 0.02, 0.01}, {l}));
  }
  const Mechanism mechanism(scene);
  const Configuration at = somewhere(mechanism, 2);
  const std::vector<UnitPose> poses = mechanism.poses(at);
  RowMap map(mechanism.jacobian(at), kLinks);
  for (int a = 0; a < kLinks; ++a)
    for (int b = a + 1; b < kLinks; ++b) {
      const Vec3 n = random_rotation(rng) * Vec3::UnitX(), point = 0.5 * (poses[a].p + poses[b].p);
      ProjectionRow row{a, b, n, 1e-16};
      row.lever_i = (point - poses[a].p).cross(n);
      row.lever_j = (point - poses[b].p).cross(n);
      for (const auto& [k, value] : map.row(row).terms) {
        EXPECT_GT(k, a);
        EXPECT_LE(k, b);
      }
    }
}

// The change of units does not take what is at its limit beyond it.
TEST(Mechanism, LimitsOfSlidesHoldToTheBit) {
  std::mt19937_64 rng(8);
  std::uniform_real_distribution<double> uniform(0.001, 0.1);
  for (int trial = 0; trial < 200; ++trial) {
    Scene scene;
    const int body = add_body(scene, sphere(uniform(rng)), {}, false);
    scene.joints = {slide(Vec3::UnitX(), {body}, -uniform(rng), uniform(rng))};
    const Mechanism mechanism(scene);
    for (const double step : {-1e3, 1e3}) {
      Solution solution;
      mechanism.write(mechanism.after(mechanism.input(), {step}), solution);
      EXPECT_GE(solution.joints[0], scene.joints[0].lower);
      EXPECT_LE(solution.joints[0], scene.joints[0].upper);
    }
  }
}

// What moves the same points as far costs the same.
TEST(Mechanism, CoordinatesAreLengths) {
  const Arm arm = two_link_arm();
  const Mechanism mechanism(arm.scene);
  const double tip = std::hypot(0.45 + 0.12, 0.02, 0.0) / mechanism.links().unit_length;
  const double reach = mechanism.coordinates()[0].reach;
  EXPECT_GE(reach, tip);
  EXPECT_LT(reach, 1.01 * tip);
}

// Of two arms one would turn too far: it turns as far as it may, and the other all the way.
TEST(LinkLimits, ShortenOnlyWhatBreaksThem) {
  Scene scene;
  for (int k = 0; k < 2; ++k) {
    const int link = add_body(scene, box(0.1, 0.02, 0.02), {{0.1, 1.0 * k, 0}, Quat::Identity()}, false);
    scene.joints.push_back(hinge(Vec3::UnitZ(), {0, 1.0 * k, 0}, {link}));
  }
  const Mechanism mechanism(scene);
  MoveLimits given;
  given.max_turn = 0.2;
  const LinkLimits limits(mechanism, given);
  const std::vector<Coordinate>& coordinates = mechanism.coordinates();
  const std::vector<double> step{0.1 * coordinates[0].reach, 0.5 * coordinates[1].reach};
  const Configuration after = limits.within(mechanism.input(), step);
  EXPECT_DOUBLE_EQ(after.joints[0], 0.1);
  EXPECT_LE(after.joints[1], 0.2);
  EXPECT_NEAR(after.joints[1], 0.2, 1e-9);
  EXPECT_TRUE(limits.keep(mechanism.poses(after)));
  EXPECT_FALSE(limits.keep(mechanism.poses(mechanism.after(mechanism.input(), step))));
}

}  // namespace
}  // namespace s4r::testing
