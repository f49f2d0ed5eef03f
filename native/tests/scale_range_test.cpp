// Runs that end or start at a smaller scale.
#include <gtest/gtest.h>

#include "geometry/rotation.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

Scene spawn(int count, std::uint64_t seed, double spread) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-spread, spread);
  const Shape shapes[] = {mesh_shape(torus(0.035, 0.015)), mesh_shape(box_mesh({0.05, 0.03, 0.02})), sphere(0.04),
                          box(0.06, 0.02, 0.03)};
  Scene scene;
  for (int k = 0; k < count; ++k) {
    // A frame of its own for each geom: the centre is not the body's origin.
    const int body = add_body(scene, shapes[k % 4], {Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)});
    scene.geoms[body].X_BG = {Vec3(0.02, 0.01, -0.03), random_rotation(rng)};
  }
  return scene;
}

// The scene after the solution, with every movable body shrunk about its centre.
Scene shrunk(const Scene& scene, const Solution& s, double scale) {
  Scene small = scene;
  const std::vector<Pose> poses = moved_poses(scene, s);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    small.bodies[b].X_WB = poses[b];
    if (!scene.bodies[b].movable) continue;
    const Vec3 centre = poses[b].p + s.turns[b] * (s.centres[b] - scene.bodies[b].X_WB.p);
    small.bodies[b].X_WB.p = centre + scale * (poses[b].p - centre);
  }
  for (Geom& g : small.geoms) {
    if (!scene.bodies[g.body].movable) continue;
    g.X_BG.p *= scale;
    small.shapes.push_back(scene.shapes[g.shape]);
    Shape& shape = small.shapes.back();
    g.shape = static_cast<int>(small.shapes.size()) - 1;
    shape.size *= scale;
    if (!shape.mesh) continue;
    auto mesh = std::make_shared<TriangleMesh>(*shape.mesh);
    for (Vec3& v : mesh->vertices) v *= scale;
    shape.mesh = std::move(mesh);
  }
  return small;
}

int overlaps_at(const Scene& scene, const Solution& s, double scale) {
  const Scene small = shrunk(scene, s, scale);
  return repairable(evaluate(small, poses_of(small), {}));
}

TEST(ScaleRange, StopsWithALayoutOfShrunkBodies) {
  for (const bool turns : {false, true})
    for (const double scale : {0.3, 0.5, 0.8}) {
      Scene scene = spawn(30, 1, 0.06);
      for (Body& b : scene.bodies) b.motion.turn = turns ? Motion::Turn::kAll : Motion::Turn::kNone;
      ReferenceOptions options;
      options.scope_all = true;
      options.stop_scale = scale;
      const Solution s = solve_reference(scene, options);
      EXPECT_EQ(to_string(s.status), std::string("solved")) << s.reason;
      EXPECT_EQ(s.stats.final_scale, scale);
      EXPECT_EQ(overlaps_at(scene, s, scale), 0) << scale;
      EXPECT_GT(overlaps_at(scene, s, 1.0), 0) << scale;
    }
}

TEST(ScaleRange, GrowsALayoutToFullScale) {
  Scene scene = spawn(30, 2, 0.06);
  add_body(scene, halfspace(), {Vec3(0, 0, -0.1), Quat::Identity()}, false);
  ReferenceOptions first;
  first.scope_all = true;
  first.stop_scale = 0.4;
  const Solution layout = solve_reference(scene, first);
  ASSERT_EQ(overlaps_at(scene, layout, 0.4), 0);

  // Edited by hand: one body goes to the other side.
  Scene edited = scene;
  const std::vector<Pose> poses = moved_poses(scene, layout);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) edited.bodies[b].X_WB = poses[b];
  edited.bodies[3].X_WB.p += Vec3(0.5, 0, 0);
  ReferenceOptions second;
  second.start_scale = 0.4;
  const Solution grown = solve_reference(edited, second);
  EXPECT_EQ(to_string(grown.status), std::string("solved")) << grown.reason;
  EXPECT_EQ(grown.stats.final_scale, 1.0);
  EXPECT_EQ(repairable(evaluate(edited, moved_poses(edited, grown), {})), 0);
  EXPECT_LT(grown.shifts[3].norm(), 1e-3);  // far from all others
  // From 0.4 on in steps of at most 0.15.
  EXPECT_LE(grown.stats.steps, layout.stats.steps + 12);
}

TEST(ScaleRange, AWayInTwoPartsEndsLikeOneInOne) {
  Scene scene;
  add_body(scene, sphere(0.05), {});
  add_body(scene, sphere(0.05), {Vec3(0.06, 0.01, 0), Quat::Identity()});
  ReferenceOptions whole;
  whole.margin = 1e-6;
  whole.scope_all = true;
  const Solution once = solve_reference(scene, whole);
  ReferenceOptions part = whole;
  part.stop_scale = 0.7;
  const Solution lower = solve_reference(scene, part);
  Scene middle = scene;
  const std::vector<Pose> poses = moved_poses(scene, lower);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) middle.bodies[b].X_WB = poses[b];
  part.stop_scale.reset();
  part.start_scale = 0.7;
  const Solution upper = solve_reference(middle, part);
  for (int b = 0; b < 2; ++b) EXPECT_LT((lower.shifts[b] + upper.shifts[b] - once.shifts[b]).norm(), 1e-6);
}

TEST(ScaleRange, ObstaclesKeepTheirSizeAtEveryScale) {
  Scene scene;
  add_body(scene, box(0.3, 0.3, 0.02), {}, false);
  add_body(scene, box(0.05, 0.05, 0.05), {Vec3(0, 0, 0.03), Quat::Identity()});
  ReferenceOptions options;
  options.stop_scale = 0.5;
  const Solution s = solve_reference(scene, options);
  EXPECT_EQ(to_string(s.status), std::string("solved")) << s.reason;
  EXPECT_EQ(overlaps_at(scene, s, 0.5), 0);
  EXPECT_LT(s.shifts[1].norm(), 0.03);  // at full scale it would take 40 mm
}

TEST(ScaleRange, CentresAreThoseOfTheUnits) {
  Scene scene;
  add_body(scene, box(0.1, 0.1, 0.1), {Vec3(1, 2, 3), Quat::Identity()});
  add_body(scene, box(0.1, 0.1, 0.1), {Vec3(1.4, 2, 3), Quat::Identity()});
  scene.bodies[1].unit = 0;
  add_body(scene, halfspace(), {Vec3(0, 0, 1), Quat::Identity()}, false);
  const Solution s = solve_reference(scene, {});
  ASSERT_EQ(s.centres.size(), 3u);
  for (int b = 0; b < 2; ++b) EXPECT_LT((s.centres[b] - Vec3(1.2, 2, 3)).norm(), 1e-12);
  EXPECT_EQ(s.centres[2], Vec3(0, 0, 1));
}

// The tilt that is left at the scale it stops at is where the second half begins.
TEST(ScaleRange, StandingBodiesKeepTheRestOfTheirTilt) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  for (int k = 0; k < 3; ++k) {
    const Vec3 tilt = 0.5 * Vec3(std::cos(2.0 * k), std::sin(2.0 * k), 0.0);
    const int body = add_body(scene, box(0.03, 0.04, 0.05), {Vec3(0.03 * k, 0, 0.05), exp_map(tilt)});
    Motion& m = scene.bodies[body].motion;
    m.translate = Motion::Translate::kAcross;
    m.turn = Motion::Turn::kAbout;
    m.stands = true;
    m.tilt = tilt;
  }
  ReferenceOptions options;
  options.stop_scale = 0.6;
  const Solution lower = solve_reference(scene, options);
  EXPECT_EQ(to_string(lower.status), std::string("solved")) << lower.reason;
  EXPECT_EQ(overlaps_at(scene, lower, 0.6), 0);
  Scene middle = scene;
  const std::vector<Pose> poses = moved_poses(scene, lower);
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    middle.bodies[b].X_WB = poses[b];
    const Vec3 lean = (poses[b].q * Vec3::UnitZ());
    middle.bodies[b].motion.tilt = std::acos(lean.z()) * Vec3::UnitZ().cross(lean).normalized();
    EXPECT_GT(middle.bodies[b].motion.tilt.norm(), 0.1);
    EXPECT_LT(middle.bodies[b].motion.tilt.norm(), 0.4);
  }
  options.stop_scale.reset();
  options.start_scale = 0.6;
  const Solution upper = solve_reference(middle, options);
  EXPECT_EQ(to_string(upper.status), std::string("solved")) << upper.reason;
  const std::vector<Pose> end = moved_poses(middle, upper);
  EXPECT_EQ(repairable(evaluate(middle, end, {})), 0);
  for (std::size_t b = 1; b < scene.bodies.size(); ++b)
    EXPECT_LT((end[b].q * Vec3::UnitZ()).cross(Vec3::UnitZ()).norm(), 1e-9);
}

}  // namespace
}  // namespace s4r::testing
