// Every row of the step QP against the gap as the detector measures it after a small motion.
#include "continuation/contact_rows.h"

#include <gtest/gtest.h>

#include "continuation/detector.h"
#include "geometry/rotation.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

constexpr double kStep = 1e-5;
constexpr double kTolerance = 2e-3;  // of a rate of about 1: curvature times kStep, and the accuracy of a distance

// A scene with everything a row is made of. Its pair is geoms 0 and 1.
struct Bench {
  explicit Bench(const Scene& s)
      : scene(s),
        model(scene),
        policy(model, {}),
        detector(model, policy, 1),
        standing(model, 0.01),
        rows(model, standing),
        state(initial_state(model)) {}

  Contact measure() const {
    const std::vector<Contact> planes = detector.detect_halfspaces(state, true);
    return planes.empty() ? detector.measure(0, 1, state) : planes.front();
  }
  // Row of the contact over all units.
  QpRow row(const Contact& c, QpProblem& problem, Blocks& blocks) const {
    std::vector<int> units;
    for (std::size_t u = 0; u < model.units.size(); ++u) units.push_back(static_cast<int>(u));
    blocks = rows.blocks(units, problem);
    return rows.contact(c, 0.0, state, blocks).value();
  }
  // Moves the units by x, the blocks' coordinates.
  void move(const Blocks& blocks, const std::vector<Vec3>& x) {
    for (int u = 0; u < static_cast<int>(model.units.size()); ++u) {
      if (const int k = blocks.move[u]; k >= 0) state.p[u] += rows.of(u).move.vector(x[k]);
      if (const int k = blocks.turn[u]; k >= 0)
        state.set_turn(model, u, exp_map(rows.of(u).turn.vector(x[k]) / rows.of(u).arc) * state.turn[u]);
    }
  }

  Scene scene;
  Model model;
  PairPolicy policy;
  Detector detector;
  Standing standing;
  ContactRows rows;
  State state;
};

// Largest error of the row's coefficients, one by one, by central differences.
double worst_error(const Scene& scene, double scale, int& coefficients) {
  Bench bench(scene);
  bench.state.s = scale;
  const Contact contact = bench.measure();
  EXPECT_TRUE(contact.valid);
  QpProblem problem;
  Blocks blocks;
  const QpRow row = bench.row(contact, problem, blocks);
  double worst = 0.0;
  for (const QpTerm& term : row.terms) {
    if (term.block < 0) continue;
    for (int axis = 0; axis < problem.size(term.block); ++axis) {
      double gaps[2];
      for (const int side : {0, 1}) {
        bench.state = initial_state(bench.model);
        bench.state.s = scale;
        std::vector<Vec3> x(problem.weights.size(), Vec3::Zero());
        x[term.block][axis] = side == 0 ? -kStep : kStep;
        bench.move(blocks, x);
        gaps[side] = bench.measure().distance;
      }
      worst = std::max(worst, std::abs((gaps[1] - gaps[0]) / (2.0 * kStep) - term.a[axis]));
      ++coefficients;
    }
  }
  return worst;
}

Shape random_solid(std::mt19937_64& rng, int kind) {
  std::uniform_real_distribution<double> U(0.03, 0.08);
  const Vec3 size(U(rng), U(rng), U(rng));
  if (kind == 0) return {ShapeKind::kEllipsoid, size, nullptr, nullptr};
  return kind == 1 ? box(size.x(), size.y(), size.z()) : mesh_shape(torus(size.x(), 0.3 * size.x(), 48, 24));
}

// Two bodies 0.1 to 0.2 apart, in any orientation; at a scale at which they are apart.
Scene random_pair(std::mt19937_64& rng, int kind) {
  std::uniform_real_distribution<double> U(0.12, 0.2);
  Scene scene;
  add_body(scene, random_solid(rng, kind), {Vec3(1, 2, 3), random_rotation(rng)});
  add_body(scene, random_solid(rng, kind),
           {Vec3(1, 2, 3) + U(rng) * (random_rotation(rng) * Vec3::UnitX()), random_rotation(rng)});
  return scene;
}

TEST(ContactRows, DisplacementsAndTurnsChangeTheGapAsTheRowSays) {
  std::mt19937_64 rng(5);
  for (int k = 0; k < 60; ++k) {
    Scene scene = random_pair(rng, k % 3);
    for (Body& b : scene.bodies) b.motion.turn = Motion::Turn::kAll;
    int coefficients = 0;
    EXPECT_LT(worst_error(scene, 0.4, coefficients), kTolerance) << k;
    EXPECT_EQ(coefficients, 12);
  }
}

TEST(ContactRows, OverlappingSolidsFollowTheirRowToo) {
  std::mt19937_64 rng(6);
  for (int k = 0; k < 20; ++k) {
    Scene scene;
    const double half = 0.05;
    // Overlap by 10 mm along x with faces that are not parallel, so that the plane of least depth is unique.
    add_body(scene, {ShapeKind::kEllipsoid, {half, 0.08, 0.07}, nullptr, nullptr}, {});
    add_body(scene, {ShapeKind::kEllipsoid, {half, 0.06, 0.09}, nullptr, nullptr},
             {Vec3(2 * half - 0.01, 0.01 * (k % 5), -0.004 * (k % 3)), exp_map(Vec3(0.1, 0.02 * k, -0.1))});
    for (Body& b : scene.bodies) b.motion.turn = Motion::Turn::kAll;
    int coefficients = 0;
    EXPECT_LT(worst_error(scene, 1.0, coefficients), 2e-2) << k;  // the plane of least depth is found to less
  }
}

TEST(ContactRows, HalfSpace) {
  std::mt19937_64 rng(7);
  for (int k = 0; k < 30; ++k) {
    Scene scene;
    add_body(scene, halfspace(), {Vec3(0.1, 0.2, 0.3), random_rotation(rng)}, false);
    add_body(scene, random_solid(rng, k % 3), {Vec3(0.2, 0.1, 0.3), random_rotation(rng)});
    scene.bodies[1].motion.turn = Motion::Turn::kAll;
    int coefficients = 0;
    EXPECT_LT(worst_error(scene, 0.7, coefficients), kTolerance) << k;
    EXPECT_EQ(coefficients, 6);
  }
}

TEST(ContactRows, LimitedAxesAndTurnsAboutAnAxis) {
  std::mt19937_64 rng(8);
  for (int k = 0; k < 30; ++k) {
    Scene scene = random_pair(rng, k % 3);
    Motion& a = scene.bodies[0].motion;
    a.translate = Motion::Translate::kAcross;
    a.turn = Motion::Turn::kAbout;
    a.translate_axis = a.turn_axis = random_rotation(rng) * Vec3::UnitZ();
    Motion& b = scene.bodies[1].motion;
    b.translate = k % 2 ? Motion::Translate::kAlong : Motion::Translate::kNone;
    b.translate_axis = random_rotation(rng) * Vec3::UnitZ();
    b.turn = Motion::Turn::kAbout;
    b.turn_axis = random_rotation(rng) * Vec3::UnitZ();
    Bench bench(scene);
    bench.state.s = 0.4;
    QpProblem problem;
    Blocks blocks;
    // Normals that a unit can hardly follow get a detour instead of their row.
    const QpRow row = bench.row(bench.measure(), problem, blocks);
    double follows = 0.0;
    for (const QpTerm& term : row.terms) follows = std::max(follows, term.a.norm());
    ASSERT_GT(follows, 0.05);
    int coefficients = 0;
    EXPECT_LT(worst_error(scene, 0.4, coefficients), kTolerance) << k;
    EXPECT_EQ(coefficients, k % 2 ? 5 : 4);
  }
}

// What the prescribed tilt and height of a standing body add to the gap at the next scale, growth apart.
TEST(ContactRows, PrescribedMotionOfAStandingBody) {
  std::mt19937_64 rng(9);
  for (int k = 0; k < 30; ++k) {
    Scene scene = random_pair(rng, k % 3);
    for (Body& b : scene.bodies) {
      b.X_WB.p.z() = 3.0 + 0.01 * k;
      b.motion.translate = Motion::Translate::kAcross;
      b.motion.turn = Motion::Turn::kAbout;
    }
    Motion& stands = scene.bodies[1].motion;
    stands.stands = true;
    stands.tilt = Vec3(0.3, -0.4, 0.0);
    stands.height = 3.0;
    Bench bench(scene);
    bench.state.s = 0.5;
    bench.standing.settle(bench.state);
    const Contact before = bench.measure();
    const double ds = 1e-5;
    const double gain = prescribed_gain(before, bench.standing.ahead(bench.state, ds)) - ds * before.closure;
    bench.state.s += ds;
    bench.standing.settle(bench.state);
    const double after = bench.measure().distance;
    const double rate = (after - before.distance) / ds;
    // The closure is that of the witnesses for convex solids, and a bound for surfaces.
    if (k % 3 == 0) {
      EXPECT_NEAR(rate, gain / ds, 2e-2 * std::abs(gain / ds) + 2e-3) << k;
    } else {
      EXPECT_GE(rate, gain / ds - 5e-3) << k;
    }
  }
}

}  // namespace
}  // namespace s4r::testing
