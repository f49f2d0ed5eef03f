// Random scenes of all shapes in which every body may do something else: whatever comes out keeps what was asked.
#include <gtest/gtest.h>

#include "broken_meshes.h"
#include "continuation/limits.h"
#include "geometry/rotation.h"
#include "geometry/support.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kScenes = 4;
#else
constexpr int kScenes = 30;
#endif
constexpr double kHeight = -0.1;

Motion random_motion(std::mt19937_64& rng) {
  Motion m;
  m.translate = static_cast<Motion::Translate>(rng() % 4);
  m.turn = static_cast<Motion::Turn>(rng() % 3);
  m.translate_axis = random_rotation(rng) * Vec3::UnitZ();
  m.turn_axis = random_rotation(rng) * Vec3::UnitZ();
  return m;
}

// Over a floor; a third of the bodies stands on it, half of the rest is limited.
Scene random_scene(std::mt19937_64& rng, int count, double spread, bool broken) {
  std::uniform_real_distribution<double> U(-1, 1);
  Scene scene;
  add_body(scene, halfspace(), {Vec3(0, 0, kHeight), Quat::Identity()}, false);
  add_body(scene, box(0.03, 0.03, 0.05), {Vec3(0.05, 0.05, 0), random_rotation(rng)}, false);
  for (int k = 0; k < count; ++k) {
    ShapeKind kind = kAllKinds[rng() % kAllKinds.size()];
    if (kind == ShapeKind::kHalfspace || kind == ShapeKind::kHeightField) kind = ShapeKind::kMesh;
    Shape shape = random_shape(kind, rng);
    if (broken && kind == ShapeKind::kMesh)
      shape = mesh_shape(broken_mesh(static_cast<int>(rng() % kBrokenKinds), 0.1, rng));
    const int body = add_body(scene, shape, {spread * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)});
    Motion& m = scene.bodies[body].motion;
    if (k % 3 == 1) m = random_motion(rng);
    if (k % 3 == 2) m.turn = Motion::Turn::kAll;
    if (k % 3 != 0) continue;
    m.translate = Motion::Translate::kAcross;
    m.turn = k % 2 ? Motion::Turn::kAbout : Motion::Turn::kNone;
    m.stands = true;
    m.tilt = 0.5 * Vec3(U(rng), U(rng), 0.0);
    m.height = kHeight;
  }
  return scene;
}

void expect_motion_kept(const Scene& scene, const Solution& s, int body, const std::string& what) {
  const Motion& m = scene.bodies[body].motion;
  EXPECT_TRUE(s.shifts[body].allFinite() && s.turns[body].coeffs().allFinite()) << what;
  EXPECT_NEAR(s.turns[body].norm(), 1.0, 1e-12) << what;
  const Vec3 turn = log_map(s.turns[body]);
  if (!scene.bodies[body].movable) {
    EXPECT_TRUE(s.shifts[body].isZero(0.0) && is_identity(s.turns[body])) << what;
  } else if (m.stands) {
    const Quat upright = exp_map(-m.tilt);
    const Vec3 yaw = log_map(s.turns[body] * upright.conjugate());
    EXPECT_LT(yaw.head<2>().norm(), 1e-9) << what;
    const Geom& g = scene.geoms[body];
    const Body& b = scene.bodies[body];
    const Pose X{b.X_WB.p + s.shifts[body], s.turns[body] * b.X_WB.q};
    EXPECT_NEAR(-support(scene.shapes[g.shape], X, -Vec3::UnitZ()), m.height + kStandingClearance, 1e-9) << what;
  } else {
    if (m.turn == Motion::Turn::kNone) {
      EXPECT_TRUE(is_identity(s.turns[body])) << what;
    }
    if (m.turn == Motion::Turn::kAbout) {
      EXPECT_LT(turn.cross(m.turn_axis).norm(), 1e-9) << what;
    }
  }
}

void solve_and_check(const char* name, bool broken, int least_solved) {
  int solved = 0;
  for (int seed = 0; seed < kScenes; ++seed) {
    std::mt19937_64 rng(500 + seed);
    const Scene scene = random_scene(rng, 10, 0.14, broken);
    const std::string what = std::string(name) + " " + std::to_string(seed);
    ReferenceOptions options;
    options.threads = 1;
    options.scope_all = seed % 4 == 3;
    const Solution s = solve_reference(scene, options);
    options.threads = 3;
    const Solution again = solve_reference(scene, options);
    for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
      expect_motion_kept(scene, s, b, what + ", body " + std::to_string(b));
      EXPECT_TRUE(s.shifts[b] == again.shifts[b] && s.turns[b].coeffs() == again.turns[b].coeffs()) << what;
    }
    const int left = repairable(evaluate(scene, moved_poses(scene, s), {}));
    if (s.status == SolveStatus::kSolved) {
      ++solved;
      EXPECT_EQ(left, 0) << what << ": solved, it says";
    } else {
      EXPECT_FALSE(s.reason.empty()) << what;
    }
  }
  std::printf("%s: %d of %d solved\n", name, solved, kScenes);
  EXPECT_GE(solved, least_solved);
}

TEST(FuzzMotions, AllShapes) { solve_and_check("all shapes", false, kScenes / 2); }

TEST(FuzzMotions, BrokenMeshes) { solve_and_check("broken meshes", true, kScenes / 2); }

}  // namespace
}  // namespace s4r::testing
