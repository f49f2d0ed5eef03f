// The evaluator's short answer: the repairable pairs of the long one, and a Boolean test that never clears an overlap.
#include <gtest/gtest.h>

#include "broken_meshes.h"
#include "geometry/support.h"
#include "narrowphase/narrowphase.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kScenes = 10, kShapes = 2, kPoses = 10;
#else
constexpr int kScenes = 120, kShapes = 8, kPoses = 30;
#endif

// All kinds, broken meshes, things inside others, scenery that overlaps itself, a tree, and filters.
Scene random_scene(std::mt19937_64& rng, double spread) {
  std::uniform_real_distribution<double> U(-1, 1);
  const auto pose = [&] { return Pose{spread * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)}; };
  Scene scene;
  add_body(scene, halfspace(), {Vec3(0, 0, -spread), spread < 1.0 ? random_rotation(rng) : Quat::Identity()}, false);
  add_body(scene, random_height_field(rng, 0.1, 0.05), {}, false);
  add_body(scene, box(0.1, 0.1, 0.1), {Vec3(0.05, 0, 0), Quat::Identity()}, false);
  add_body(scene, mesh_shape(box_mesh({0.1, 0.1, 0.1})), pose());
  for (int k = 0; k < 18; ++k) {
    const ShapeKind kind = kAllKinds[k % (kAllKinds.size() - 1)];
    Shape shape = random_shape(kind, rng);
    if (k % 5 == 4) shape = mesh_shape(broken_mesh(static_cast<int>(rng() % kBrokenKinds), 0.1, rng));
    add_body(scene, scaled(shape, rng() % 3 == 0 ? 0.3 : 1.0), pose(), rng() % 8 != 0);
  }
  const auto body = [&] { return static_cast<int>(rng() % scene.bodies.size()); };
  scene.bodies[6].unit = scene.bodies[7].unit = 5;
  scene.bodies[6].movable = scene.bodies[7].movable = scene.bodies[5].movable;
  scene.bodies[9].weld = 8;
  scene.excluded_bodies = {{body(), body()}, {body(), body()}};
  scene.excluded_geoms = {{body(), body()}};
  for (Geom& g : scene.geoms)
    if (rng() % 6 == 0) g.category = g.mask = 2;
  scene.explicit_pairs = {{8, 9, 0.0}, {4, 10, 0.01}};
  return scene;
}

TEST(Evaluator, RepairablePairsAreThoseOfTheFullEvaluation) {
  std::mt19937_64 rng(91);
  std::size_t found = 0, constant = 0, contained = 0, clean = 0;
  for (int k = 0; k < kScenes; ++k) {
    const Scene scene = random_scene(rng, k % 3 == 2 ? 3.0 : 0.15);
    const Evaluator evaluator(scene);
    std::vector<Pose> poses = poses_of(scene);
    for (const double tolerance : {0.0, 1e-3, 0.02}) {
      const EvaluateOptions options{tolerance, 1 + k % 2};
      std::vector<std::pair<int, int>> expected;
      for (const Overlap& o : evaluator.evaluate(poses, options).overlaps) {
        (o.constant ? constant : found) += 1;
        contained += o.kind == OverlapKind::kContained ? 1 : 0;
        if (!o.constant) expected.emplace_back(o.geom_a, o.geom_b);
      }
      std::sort(expected.begin(), expected.end());
      clean += expected.empty() ? 1 : 0;
      EXPECT_EQ(evaluator.repairable_pairs(poses, options), expected) << "scene " << k << ", " << tolerance;
      for (Pose& p : poses) p.p += Vec3(0.01, -0.02, 0.005) * static_cast<double>(rng() % 3);
    }
  }
  EXPECT_GT(found, 10u * kScenes);
  EXPECT_GT(constant, static_cast<std::size_t>(kScenes));
  EXPECT_GT(contained, static_cast<std::size_t>(kScenes));
  EXPECT_GT(clean, kScenes / 10u);
}

// Poses around contact, the same ones aligned with the axes, so that faces lie in common planes, and one inside
// another.
void check_boolean(ShapeKind kind_a, ShapeKind kind_b, bool broken, int& cleared, int& negative) {
  std::mt19937_64 rng(4000 + 17 * static_cast<int>(kind_a) + static_cast<int>(kind_b) + (broken ? 1000 : 0));
  std::uniform_real_distribution<double> U(-1, 1);
  const auto draw = [&](ShapeKind kind) {
    if (broken) return mesh_shape(broken_mesh(static_cast<int>(rng() % kBrokenKinds), 0.1, rng));
    return kind == ShapeKind::kMesh && rng() % 3 == 0 ? mesh_shape(box_mesh({0.05, 0.04, 0.03}))
                                                      : random_shape(kind, rng);
  };
  for (int s = 0; s < kShapes; ++s) {
    const Collidable a(draw(kind_a)), b(scaled(draw(kind_b), s % 4 == 3 ? 0.3 : 1.0));
    for (int k = 0; k < kPoses; ++k) {
      const bool aligned = k % 5 == 4;
      const Pose X_a{Vec3::Zero(), aligned ? Quat::Identity() : random_rotation(rng)};
      Pose X_b{0.1 * Vec3(U(rng), U(rng), U(rng)), aligned ? Quat::Identity() : random_rotation(rng)};
      if (aligned) X_b.p = 0.01 * (X_b.p / 0.01).array().round().matrix();
      const double distance = score_pair(a, X_a, b, X_b).distance;
      const bool may = may_overlap(a, X_a, b, X_b);
      EXPECT_TRUE(may || distance >= 0.0)
          << name_of(kind_a) << " - " << name_of(kind_b) << ": " << -distance << " deep";
      EXPECT_TRUE(may_overlap(b, X_b, a, X_a) || score_pair(b, X_b, a, X_a).distance >= 0.0);
      cleared += may ? 0 : 1;
      negative += distance < 0.0 ? 1 : 0;
    }
  }
}

TEST(Evaluator, TheBooleanTestNeverClearsAnOverlap) {
  const std::size_t bounded = kAllKinds.size() - 1;
  int cleared = 0, negative = 0;
  for (std::size_t i = 0; i < bounded; ++i)
    for (std::size_t j = i; j < bounded; ++j) check_boolean(kAllKinds[i], kAllKinds[j], false, cleared, negative);
  for (int k = 0; k < 10; ++k) check_boolean(ShapeKind::kMesh, static_cast<ShapeKind>(k), true, cleared, negative);
  const int pairs = static_cast<int>(bounded * (bounded + 1) / 2 + 10) * kShapes * kPoses;
  EXPECT_GT(negative, pairs / 5);
  EXPECT_GT(cleared, pairs / 50) << "of the pairs of meshes, those apart";
}

}  // namespace
}  // namespace s4r::testing
