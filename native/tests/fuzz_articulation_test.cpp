// Random scenes with joints, hard ones among them: whatever comes out is finite, keeps every limit to the bit, is where
// the joints put it, and is the same in any number of threads.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "articulation_scenes.h"

namespace s4r::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Draw {
  std::mt19937_64 rng;

  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(rng); }
  bool coin() { return rng() % 2 == 0; }
  Vec3 direction() { return random_rotation(rng) * Vec3::UnitX(); }
  Vec3 point(double s) { return {between(-s, s), between(-s, s), between(-s, s)}; }
  Shape shape() {
    switch (rng() % 4) {
      case 0: return sphere(0.03);
      case 1: return box(0.05, 0.015, 0.02);
      case 2: return {ShapeKind::kEllipsoid, {0.04, 0.02, 0.03}, nullptr, nullptr};
      default: return mesh_shape(box_mesh({0.02, 0.03, 0.025}));
    }
  }
};

// A chain whose links lie `step` from each other in random directions, with loose bodies around its root.
Scene chain(Draw& draw, int links, double step) {
  Scene scene;
  const bool floating = draw.coin();
  add_body(scene, sphere(0.04), {}, floating);
  if (draw.coin()) scene.bodies[0].motion.turn = Motion::Turn::kAll;
  Vec3 at = Vec3::Zero();
  for (int l = 1; l <= links; ++l) {
    const Vec3 from = at;
    at += step * draw.direction();
    const int body = add_body(scene, draw.shape(), {at, random_rotation(draw.rng)}, floating);
    scene.bodies[body].unit = floating ? 0 : body;
    scene.bodies[body].motion = scene.bodies[0].motion;
    for (Joint& joint : scene.joints) joint.bodies.push_back(body);
    const double reach = draw.rng() % 4 != 0 ? 1.5 : 0.05;
    Joint joint =
        hinge(draw.direction(), 0.5 * (from + at), {body}, -draw.between(0.0, reach), draw.between(0.0, reach));
    joint.hinge = reach > 1.0;
    scene.joints.push_back(joint);
    scene.excluded_bodies.emplace_back(body - 1, body);
  }
  for (int k = 0; k < 4; ++k) {
    const int body = add_body(scene, draw.shape(), {draw.point(0.15), random_rotation(draw.rng)}, k != 0);
    if (draw.coin()) scene.bodies[body].motion.turn = Motion::Turn::kAll;
  }
  return scene;
}

struct Family {
  std::string name;
  int links;
  double step;
  void (*change)(Scene&, DefaultOptions&, Draw&);
};

void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

const Family kFamilies[] = {
    {"Plain", 5, 0.09, [](Scene&, DefaultOptions&, Draw&) {}},
    {"LinksInOnePlace", 3, 0.0, [](Scene&, DefaultOptions&, Draw&) {}},
    {"NoRoom", 5, 0.09,
     [](Scene& scene, DefaultOptions&, Draw& draw) {
       for (Joint& joint : scene.joints)
         if (draw.coin()) joint.lower = joint.upper = 0.0;
     }},
    {"NoLimits", 4, 0.06,
     [](Scene& scene, DefaultOptions&, Draw& draw) {
       for (Joint& joint : scene.joints) {
         joint.hinge = draw.coin();
         joint.lower = -kInfinity;
         joint.upper = kInfinity;
       }
     }},
    {"AxesFarAway", 5, 0.09,
     [](Scene& scene, DefaultOptions&, Draw& draw) {
       for (Joint& joint : scene.joints)
         if (draw.coin()) joint.anchor += 1e4 * draw.direction();
     }},
    {"Driven", 6, 0.09,
     [](Scene& scene, DefaultOptions&, Draw& draw) {
       const double ratios[] = {0.0, -1.0, 0.3, 1e-9, 50.0, -1e6};
       for (std::size_t j = 1; j < scene.joints.size(); ++j) {
         if (draw.coin()) continue;
         scene.joints[j].leader = 0;
         scene.joints[j].ratio = ratios[draw.rng() % 6];
       }
       if (draw.coin()) scene.joints[0].bodies.clear();
     }},
    {"NothingMoves", 4, 0.09,
     [](Scene& scene, DefaultOptions&, Draw&) {
       for (Joint& joint : scene.joints) joint.bodies.clear();
       for (Body& body : scene.bodies) body.movable = false;
     }},
    {"FrozenRoot", 5, 0.08,
     [](Scene& scene, DefaultOptions&, Draw&) {
       for (int b = 0; b <= 5; ++b) scene.bodies[b].movable = false;
     }},
    {"CallersLimits", 5, 0.09,
     [](Scene&, DefaultOptions& options, Draw& draw) {
       options.max_shift = draw.between(1e-3, 0.1);
       options.max_turn = draw.between(1e-3, 3.1);
     }},
    {"Weights", 5, 0.09,
     [](Scene& scene, DefaultOptions&, Draw& draw) {
       for (Body& body : scene.bodies) body.weight = std::pow(10.0, draw.between(-9.0, 9.0));
     }},
};

void expect_kept(const Scene& scene, const DefaultOptions& options, const Solution& solution) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const Joint& joint = scene.joints[j];
    const double moved = solution.joints[j];
    ASSERT_TRUE(std::isfinite(moved));
    if (joint.leader < 0) {
      EXPECT_GE(moved, joint.lower);
      EXPECT_LE(moved, joint.upper);
    } else {
      const double wanted = joint.ratio * solution.joints[joint.leader];
      EXPECT_NEAR(moved, wanted, 1e-12 * std::max(1.0, std::abs(wanted)));
    }
  }
  const std::vector<Pose> poses = moved_poses(scene, solution), by_joints = poses_by_joints(scene, solution.joints);
  for (std::size_t b = 0; b < poses.size(); ++b) {
    ASSERT_TRUE(poses[b].p.allFinite() && poses[b].q.coeffs().allFinite());
    EXPECT_LE(solution.shifts[b].norm(), options.max_shift.value_or(kInfinity));
    EXPECT_LE(angle_of(solution.turns[b]), options.max_turn.value_or(kInfinity));
    if (scene.bodies[b].movable) continue;
    EXPECT_LT((poses[b].p - by_joints[b].p).norm(), 1e-9);
    EXPECT_LT(angle_of(poses[b].q.conjugate() * by_joints[b].q), 1e-9);
  }
  const int left = repairable(evaluate(scene, poses, {}));
  EXPECT_LE(left, repairable(evaluate(scene, poses_of(scene), {})));
  EXPECT_TRUE(solution.status != SolveStatus::kSolved || left == 0) << left << " overlaps of a solved scene";
}

class FuzzArticulation : public ::testing::TestWithParam<Family> {};

TEST_P(FuzzArticulation, KeepsItsPromises) {
  const Family& family = GetParam();
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw{std::mt19937_64(seed)};
    Scene scene = chain(draw, family.links, family.step);
    DefaultOptions options;
    family.change(scene, options, draw);
    options.threads = 1;
    const Solution solution = solve_articulated(scene, options);
    expect_kept(scene, options, solution);
    options.threads = seed % 2 == 0 ? 2 : 4;
    const Solution again = solve_articulated(scene, options);
    EXPECT_EQ(again.status, solution.status);
    EXPECT_EQ(again.joints, solution.joints);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      EXPECT_EQ(again.shifts[b], solution.shifts[b]);
      EXPECT_EQ(again.turns[b].coeffs(), solution.turns[b].coeffs());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, FuzzArticulation, ::testing::ValuesIn(kFamilies),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace s4r::testing
