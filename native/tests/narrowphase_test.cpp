#include "narrowphase/narrowphase.h"

#include <gtest/gtest.h>

#include "geometry/separating_plane.h"
#include "mesh_families.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

// For comparing meshes with the exact solid.
Shape globe_shape(double radius) {
  return mesh_shape(globe(40, [=] { return radius; }));
}

std::vector<Shape> solids() {
  return {sphere(0.05),
          box(0.05, 0.04, 0.03),
          {ShapeKind::kCapsule, {0.03, 0.05, 0}, nullptr, nullptr},
          {ShapeKind::kCylinder, {0.03, 0.05, 0}, nullptr, nullptr},
          {ShapeKind::kCone, {0.03, 0.05, 0}, nullptr, nullptr},
          {ShapeKind::kEllipsoid, {0.05, 0.04, 0.03}, nullptr, nullptr},
          mesh_shape(box_mesh({0.05, 0.03, 0.04}), ShapeKind::kConvex)};
}

// Every pair of convex kinds: a reported gap is proven by the supports along the normal, and no gap is missed by
// more than the ascent can find.
TEST(ScorePair, ConvexGapsAreProvenByTheirNormal) {
  std::mt19937_64 rng(17);
  std::uniform_real_distribution<double> U(-1, 1);
  const std::vector<Shape> shapes = solids();
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const Collidable a(shapes[i]), b(shapes[j]);
      for (int k = 0; k < 150; ++k) {
        const Pose X_a{Vec3(1, 2, 3), random_rotation(rng)},
            X_b{Vec3(1, 2, 3) + 0.1 * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)};
        const Score s = score_pair(a, X_a, b, X_b);
        ASSERT_TRUE(s.has_normal());
        const double along = separation_along({&a.shape(), X_a}, {&b.shape(), X_b}, s.normal);
        EXPECT_NEAR(along, s.distance, 2e-9) << i << "-" << j << " " << k;
        const Score swapped = score_pair(b, X_b, a, X_a);
        EXPECT_EQ(swapped.distance > 0.0, s.distance > 0.0) << i << "-" << j << " " << k;
        if (s.distance > 1e-4) {
          EXPECT_NEAR(swapped.distance, s.distance, 2e-6);
        }
      }
    }
}

TEST(ScorePair, ClosedFormDistances) {
  const Collidable ball(sphere(0.05)), brick(box(0.05, 0.05, 0.05));
  EXPECT_NEAR(score_pair(ball, {}, ball, {Vec3(0.2, 0, 0), Quat::Identity()}).distance, 0.1, 1e-12);
  EXPECT_NEAR(score_pair(ball, {}, ball, {Vec3(0.06, 0, 0), Quat::Identity()}).distance, -0.04, 1e-9);
  EXPECT_NEAR(score_pair(ball, {}, brick, {Vec3(0.15, 0, 0), Quat::Identity()}).distance, 0.05, 1e-9);
  EXPECT_NEAR(score_pair(brick, {}, brick, {Vec3(0.2, 0.2, 0.2), Quat::Identity()}).distance, 0.1 * std::sqrt(3.0),
              1e-9);
}

TEST(ScorePair, MeshOfASphereApproachesTheSphere) {
  const Collidable mesh(globe_shape(0.05)), ball(sphere(0.05)), brick(box(0.05, 0.05, 0.05));
  for (const double gap : {0.001, 0.02}) {
    const Score s = score_pair(mesh, {}, ball, {Vec3(0, 0, 0.1 + gap), Quat::Identity()});
    EXPECT_NEAR(s.distance, gap, 1e-6);
    EXPECT_NEAR(s.normal.z(), 1.0, 1e-4);
    EXPECT_NEAR(score_pair(brick, {Vec3(0, 0, 0.1 + gap), Quat::Identity()}, mesh, {}).distance, gap, 1e-6);
    EXPECT_NEAR(score_pair(brick, {Vec3(0, 0, 0.1 + gap), Quat::Identity()}, mesh, {}).normal.z(), -1.0, 1e-4);
  }
  EXPECT_LT(score_pair(mesh, {}, ball, {Vec3(0, 0, 0.09), Quat::Identity()}).distance, 0.0);
}

// Each triangle cut into four, `times` times.
TriangleMesh refined(TriangleMesh mesh, int times) {
  for (; times > 0; --times) {
    TriangleMesh finer;
    for (const auto& t : mesh.triangles) {
      const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
      const int n = static_cast<int>(finer.vertices.size());
      for (const Vec3& v : std::vector<Vec3>{a, b, c, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (a + c)})
        finer.vertices.push_back(v);
      finer.triangles.insert(finer.triangles.end(),
                             {{n, n + 3, n + 5}, {n + 3, n + 1, n + 4}, {n + 5, n + 4, n + 2}, {n + 3, n + 4, n + 5}});
    }
    mesh = std::move(finer);
  }
  return mesh;
}

// Their surfaces touch in common planes, and where grid lines meet they touch only: the first contacts have no depth.
TEST(ScorePair, AlignedMeshesOverlapHoweverDeep) {
  const TriangleMesh cube = box_mesh({0.05, 0.05, 0.05});
  for (const int times : {0, 2, 3}) {
    const Collidable a(mesh_shape(refined(cube, times)));
    for (const Shape& other :
         {mesh_shape(refined(cube, times)), mesh_shape(cube, ShapeKind::kConvex), box(0.05, 0.05, 0.05)}) {
      const Collidable b(other);
      for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.05, 0, 0), Vec3(0, 0, 0.05), Vec3(0.02, 0, 0), Vec3(0.099, 0, 0)}) {
        EXPECT_LT(score_pair(a, {}, b, {p, Quat::Identity()}).distance, -1e-6) << times << " " << p.transpose();
        EXPECT_LT(score_pair(b, {p, Quat::Identity()}, a, {}).distance, -1e-6) << times << " " << p.transpose();
      }
      // Touching stays touching, face to face, edge to edge and corner to corner.
      for (const Vec3& p : {Vec3(0.1, 0, 0), Vec3(0.1, 0.1, 0), Vec3(0.1, 0.1, 0.1), Vec3(0.1, 0.05, 0.025)})
        EXPECT_EQ(score_pair(a, {}, b, {p, Quat::Identity()}).distance, 0.0) << times << " " << p.transpose();
    }
  }
}

// A plate that lies flush in a groove shares the planes of many triangles before it shares volume.
TEST(ScorePair, CommonPlanesDoNotHideACrossingSolid) {
  const Collidable mesh(mesh_shape(refined(box_mesh({0.05, 0.05, 0.05}), 3)));
  const Collidable brick(box(0.05, 0.05, 0.05)), tin({ShapeKind::kCylinder, {0.02, 0.05, 0}, nullptr, nullptr});
  for (const double depth : {1e-6, 1e-3, 5e-3}) {
    EXPECT_NEAR(score_pair(mesh, {}, brick, {Vec3(0, 0, 0.1 - depth), Quat::Identity()}).distance, -depth, 1e-9);
    EXPECT_NEAR(score_pair(mesh, {}, tin, {Vec3(0, 0, 0.1 - depth), Quat::Identity()}).distance, -depth, 1e-9);
  }
}

TEST(ScoreHalfspace, IsExactForEveryShape) {
  const Quat tilt = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Score s = score_halfspace({Vec3(0, 0, 1), Quat::Identity()}, box(0.05, 0.04, 0.03), {Vec3(0.3, 0, 1.02), tilt});
  const Mat3 R = tilt.toRotationMatrix();
  const double reach = std::abs(R(2, 0)) * 0.05 + std::abs(R(2, 1)) * 0.04 + std::abs(R(2, 2)) * 0.03;
  EXPECT_NEAR(s.distance, 0.02 - reach, 1e-15);
  EXPECT_EQ(s.normal, Vec3::UnitZ());
}

}  // namespace
}  // namespace s4r::testing
