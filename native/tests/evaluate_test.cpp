#include "s4r/evaluate.h"

#include <gtest/gtest.h>

#include "brute_force.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

TEST(Evaluate, AgreesWithBruteForceTrianglesOnRandomMeshPairs) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> U(-1, 1);
  const TriangleMesh ring = torus(0.035, 0.015, 14, 8), brick = box_mesh({0.05, 0.03, 0.02});
  int crossing = 0, apart = 0;
  for (int k = 0; k < 300; ++k) {
    const TriangleMesh& a = k % 2 ? ring : brick;
    const TriangleMesh& b = k % 3 ? ring : brick;
    Scene scene;
    add_body(scene, mesh_shape(a), {Vec3::Zero(), random_rotation(rng)});
    add_body(scene, mesh_shape(b), {0.07 * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)});
    const bool surfaces_cross = any_triangles_cross(a, scene.bodies[0].X_WB, b, scene.bodies[1].X_WB);
    const Evaluation e = evaluate(scene, poses_of(scene), {});
    bool reported = false;
    for (const Overlap& o : e.overlaps) reported |= o.kind == OverlapKind::kPenetrating;
    EXPECT_EQ(reported, surfaces_cross) << "pair " << k;
    ++(surfaces_cross ? crossing : apart);
  }
  EXPECT_GT(crossing, 50);
  EXPECT_GT(apart, 50);
}

TEST(Evaluate, ContainedMeshCounts) {
  Scene scene;
  add_body(scene, mesh_shape(box_mesh({0.1, 0.1, 0.1})), {});
  add_body(scene, mesh_shape(torus(0.03, 0.01)), {Vec3(0.02, 0.01, 0), Quat::Identity()});
  const Evaluation e = evaluate(scene, poses_of(scene), {});
  ASSERT_EQ(e.overlaps.size(), 1u);
  EXPECT_EQ(e.overlaps[0].kind, OverlapKind::kContained);
  EXPECT_GT(e.overlaps[0].depth, 0.05);
  EXPECT_LT(e.overlaps[0].depth, 0.2);
}

TEST(Evaluate, PrimitiveInsideAMeshCountsAndMeshInsideAPrimitiveToo) {
  Scene scene;
  add_body(scene, mesh_shape(box_mesh({0.1, 0.1, 0.1})), {});
  add_body(scene, sphere(0.02), {Vec3(0.03, 0, 0), Quat::Identity()});
  EXPECT_EQ(evaluate(scene, poses_of(scene), {}).overlaps.size(), 1u);
  Scene reverse;
  add_body(reverse, sphere(0.3), {});
  add_body(reverse, mesh_shape(torus(0.03, 0.01)), {});
  EXPECT_EQ(evaluate(reverse, poses_of(reverse), {}).overlaps.size(), 1u);
}

TEST(Evaluate, BodyInTheHoleOfATorusIsFree) {
  Scene scene;
  add_body(scene, mesh_shape(torus(0.05, 0.01)), {});
  add_body(scene, sphere(0.03), {});
  EXPECT_TRUE(evaluate(scene, poses_of(scene), {}).overlaps.empty());
}

TEST(Evaluate, TouchingIsNotPenetrating) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, box(0.05, 0.05, 0.05), {Vec3(0, 0, 0.05), Quat::Identity()});
  add_body(scene, box(0.05, 0.05, 0.05), {Vec3(0, 0, 0.15), Quat::Identity()});
  add_body(scene, mesh_shape(box_mesh({0.05, 0.05, 0.05})), {Vec3(0, 0, 0.25), Quat::Identity()});
  add_body(scene, sphere(0.05), {Vec3(0.1, 0, 0.15), Quat::Identity()});
  EXPECT_TRUE(evaluate(scene, poses_of(scene), {}).overlaps.empty());
}

TEST(Evaluate, ToleranceSeparatesRestingFromOverlap) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, sphere(0.05), {Vec3(0, 0, 0.0499), Quat::Identity()});
  const Evaluation strict = evaluate(scene, poses_of(scene), {});
  ASSERT_EQ(strict.overlaps.size(), 1u);
  EXPECT_NEAR(strict.overlaps[0].depth, 1e-4, 1e-12);
  EXPECT_NEAR((strict.overlaps[0].normal - Vec3::UnitZ()).norm(), 0.0, 1e-12);
  EvaluateOptions options;
  options.tolerance = 2e-4;
  EXPECT_TRUE(evaluate(scene, poses_of(scene), options).overlaps.empty());
}

TEST(Evaluate, DepthOfConvexPairsIsTheSeparatingTranslation) {
  Scene scene;
  add_body(scene, box(0.1, 0.1, 0.1), {});
  add_body(scene, mesh_shape(box_mesh({0.1, 0.1, 0.1}), ShapeKind::kConvex),
           {Vec3(0.17, 0.03, 0.02), Quat::Identity()});
  const Evaluation e = evaluate(scene, poses_of(scene), {});
  ASSERT_EQ(e.overlaps.size(), 1u);
  EXPECT_NEAR(e.overlaps[0].depth, 0.03, 1e-9);
  EXPECT_NEAR((e.overlaps[0].normal - Vec3::UnitX()).norm(), 0.0, 1e-6);
}

TEST(Evaluate, ConstantPairsAreMarked) {
  Scene scene;
  add_body(scene, box(0.1, 0.1, 0.1), {}, false);
  add_body(scene, box(0.1, 0.1, 0.1), {Vec3(0.15, 0, 0), Quat::Identity()}, false);
  const int root = add_body(scene, sphere(0.1), {Vec3(5, 0, 0), Quat::Identity()});
  const int link = add_body(scene, sphere(0.1), {Vec3(5.1, 0, 0), Quat::Identity()});
  scene.bodies[link].unit = root;
  const Evaluation e = evaluate(scene, poses_of(scene), {});
  ASSERT_EQ(e.overlaps.size(), 2u);
  for (const Overlap& o : e.overlaps) EXPECT_TRUE(o.constant);
}

TEST(Evaluate, FiltersDecideWhatCollides) {
  Scene scene;
  for (int k = 0; k < 4; ++k) add_body(scene, sphere(0.1), {Vec3(0.01 * k, 0, 0), Quat::Identity()});
  EXPECT_EQ(evaluate(scene, poses_of(scene), {}).overlaps.size(), 6u);
  scene.excluded_bodies = {{1, 0}};
  scene.excluded_geoms = {{2, 3}};
  scene.bodies[3].weld = 0;
  EXPECT_EQ(evaluate(scene, poses_of(scene), {}).overlaps.size(), 3u);
  for (Geom& g : scene.geoms) g.mask = 0;
  EXPECT_TRUE(evaluate(scene, poses_of(scene), {}).overlaps.empty());
  scene.explicit_pairs = {{0, 1, 0.0}};
  EXPECT_EQ(evaluate(scene, poses_of(scene), {}).overlaps.size(), 1u);
}

TEST(Evaluate, FarFromTheOriginGivesTheSameVerdict) {
  const Vec3 far(1e4, -2e4, 3e3);
  for (const double gap : {-1e-6, 1e-6}) {
    Scene scene;
    add_body(scene, mesh_shape(box_mesh({0.05, 0.05, 0.05})), {far, Quat::Identity()});
    add_body(scene, mesh_shape(box_mesh({0.05, 0.05, 0.05})), {far + Vec3(0.1 + gap, 0.01, 0), Quat::Identity()});
    EXPECT_EQ(evaluate(scene, poses_of(scene), {}).overlaps.size(), gap < 0 ? 1u : 0u);
  }
}

TEST(Evaluate, SmallObjectsAreJudgedLikeLargeOnes) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    Scene scene;
    add_body(scene, mesh_shape(torus(0.35 * size, 0.15 * size)), {});
    add_body(scene, mesh_shape(torus(0.35 * size, 0.15 * size)),
             {size * Vec3(0.35, 0, 0), Quat(Eigen::AngleAxisd(1.5707, Vec3::UnitX()))});
    add_body(scene, mesh_shape(torus(0.35 * size, 0.15 * size)), {size * Vec3(0, 0, 0.31), Quat::Identity()});
    const Evaluation e = evaluate(scene, poses_of(scene), {});
    EXPECT_EQ(e.overlaps.size(), 1u)
        << size;  // the third ring floats 0.01 above the first and crosses the second's top
  }
}

TEST(Evaluate, HeightFieldIsSolid) {
  auto field = std::make_shared<HeightField>();
  field->rows = 3;
  field->cols = 4;
  field->heights = {0, 0, 0, 0, 0, 0.1, 0.1, 0, 0, 0, 0, 0};
  Scene scene;
  add_body(scene, {ShapeKind::kHeightField, {0.3, 0.2, 0.5}, nullptr, field}, {}, false);
  const int ball = add_body(scene, sphere(0.02), {});
  const auto overlaps_at = [&](const Vec3& p) {
    scene.bodies[ball].X_WB.p = p;
    return evaluate(scene, poses_of(scene), {}).overlaps.size();
  };
  EXPECT_EQ(overlaps_at({0, 0, 0.121}), 0u);  // above the ridge
  EXPECT_EQ(overlaps_at({0, 0, 0.119}), 1u);  // 1 mm in
  EXPECT_EQ(overlaps_at({0, 0, -0.25}), 1u);  // deep inside: contained
  EXPECT_EQ(overlaps_at({0, 0, -0.53}), 0u);  // below the base
  EXPECT_EQ(overlaps_at({-0.29, -0.19, 0.021}), 0u);
  EXPECT_EQ(overlaps_at({-0.29, -0.19, 0.015}), 1u);
}

TEST(Evaluate, CancelStopsEarly) {
  Scene scene;
  for (int k = 0; k < 200; ++k) add_body(scene, sphere(0.1), {});
  std::atomic<bool> cancelled{true};
  Interrupt interrupt;
  interrupt.cancelled = &cancelled;
  EXPECT_TRUE(evaluate(scene, poses_of(scene), {}, interrupt).interrupted);
}

}  // namespace
}  // namespace s4r::testing
