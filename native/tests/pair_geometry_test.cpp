// One query of the default profile, against closed forms.
#include <gtest/gtest.h>

#include "accuracy_probe.h"
#include "mesh_families.h"
#include "separation/solid_tree.h"

namespace s4r::testing {
namespace {

TEST(SolidTree, DistanceOfACurvedSolidToAMeshIsExactAtAnyRange) {
  const MeshTree tree(std::make_shared<TriangleMesh>(box_mesh({0.05, 0.05, 0.05})));
  const Shape ball = sphere(0.03), tin{ShapeKind::kCylinder, {0.03, 0.04, 0}, nullptr, nullptr};
  // Over an edge at 45 degrees, and upright over a face.
  const Vec3 over_edge = Vec3(0.05, 0, 0.05) + (0.03 + 0.02) * Vec3(1, 0, 1).normalized();
  for (const double range : {0.021, 0.1, 10.0}) {
    const auto near = near_triangles(tree, {&ball, {over_edge, Quat::Identity()}}, range, false);
    ASSERT_FALSE(near.empty());
    EXPECT_NEAR(near.front().separation, 0.02, 1e-10);
    const auto upright = near_triangles(tree, {&tin, {Vec3(0.01, 0.02, 0.11), Quat::Identity()}}, range, false);
    ASSERT_FALSE(upright.empty());
    EXPECT_NEAR(upright.front().separation, 0.02, 1e-10);
  }
}

TEST(PairGeometry, AMeshInsideASolidBoxOverlapsIt) {
  const AccuracyProbe probe(box(0.5, 0.5, 0.5), {}, mesh_shape(torus(0.05, 0.02)),
                            {Vec3(0.1, 0.2, 0), Quat::Identity()});
  EXPECT_TRUE(probe.solver(probe.pose_b().p, 0.1).overlap);
  EXPECT_TRUE(probe.solver_overlaps(probe.pose_b().p));
  EXPECT_FALSE(probe.solver_overlaps({0.9, 0, 0}));
}

// No edge of one pierces a face of the other: their faces lie in common planes.
TEST(PairGeometry, AlignedBoxesOverlapHoweverDeep) {
  const TriangleMesh cube = box_mesh({0.05, 0.05, 0.05});
  const AccuracyProbe probe(mesh_shape(cube), {}, mesh_shape(cube), {Vec3(0.3, 0, 0), Quat::Identity()});
  for (const double x : {0.0, 0.02, 0.05, 0.099}) {
    EXPECT_TRUE(probe.solver_overlaps({x, 0, 0})) << x;
    EXPECT_TRUE(probe.solver({x, 0, 0}, 0.1).overlap) << x;
  }
  EXPECT_FALSE(probe.solver_overlaps({0.101, 0, 0}));
}

}  // namespace
}  // namespace s4r::testing
