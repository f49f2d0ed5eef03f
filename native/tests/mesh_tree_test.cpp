// The triangle tree itself, and queries on meshes that are hard on float: slivers, nearly parallel edges, no extent.
#include "narrowphase/mesh_tree.h"

#include <gtest/gtest.h>

#include "narrowphase/tree_query.h"
#include "narrowphase/triangle_pair.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

std::shared_ptr<TriangleMesh> shared(TriangleMesh mesh) { return std::make_shared<TriangleMesh>(std::move(mesh)); }

// Counts leaves and triangles below a lane, all corners of which must lie in the boxes of the lanes above.
struct Walk {
  const MeshTree& tree;
  std::vector<int> seen;
  int deepest = 0;

  explicit Walk(const MeshTree& t) : tree(t), seen(t.mesh().triangles.size(), 0) {
    std::vector<PackedBox> above;
    node(0, above);
  }

  void node(int id, std::vector<PackedBox>& above) {
    const TreeNode& n = tree.nodes()[id];
    for (int lane = 0; lane < kLanes; ++lane) {
      if (n.h[0][lane] < 0.0f) continue;
      above.push_back(n.box[lane]);
      deepest = std::max(deepest, static_cast<int>(above.size()));
      n.child[lane] >= 0 ? node(n.child[lane], above) : leaf(tree.leaves()[~n.child[lane]], above);
      above.pop_back();
    }
  }

  void leaf(const TreeLeaf& l, const std::vector<PackedBox>& above) {
    EXPECT_GE(l.count, 1);
    for (int k = 0; k < l.count; ++k) {
      ++seen[l.triangle[k]];
      Vec3 corners[3];
      tree.triangle(l.triangle[k], corners);
      for (const PackedBox& box : above)
        for (const Vec3& p : corners)
          for (const auto& axis : box.axis) {
            const Vec3 d = p - Vec3(box.c[0], box.c[1], box.c[2]);
            EXPECT_LE(std::abs(Vec3(axis[0], axis[1], axis[2]).dot(d)), axis[3]);
          }
    }
  }
};

TriangleMesh soup(std::mt19937_64& rng, int count, double size) {
  std::uniform_real_distribution<double> U(-1, 1);
  TriangleMesh mesh;
  for (int k = 0; k < count; ++k) {
    const Vec3 centre = 0.05 * Vec3(U(rng), U(rng), U(rng));
    for (int v = 0; v < 3; ++v) mesh.vertices.push_back(centre + size * Vec3(U(rng), U(rng), U(rng)));
    mesh.triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
  }
  return mesh;
}

TEST(MeshTree, EveryTriangleIsInOneLeafAndInsideTheBoxesAboveIt) {
  std::mt19937_64 rng(31);
  TriangleMesh same = box_mesh({0.05, 0.03, 0.02});
  same.triangles.assign(300, same.triangles.front());
  TriangleMesh far = torus(0.035, 0.015);
  for (Vec3& v : far.vertices) v += Vec3(3, -2, 5);
  TriangleMesh line;  // corners ever closer to the origin: splits stay unbalanced
  for (int k = 0; k < 600; ++k) {
    const double x = 0.1 * std::pow(0.9, k);
    for (const Vec3& p : {Vec3(x, 0, 0), Vec3(x, x, 0), Vec3(x, 0, x)}) line.vertices.push_back(p);
    line.triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
  }
  for (const TriangleMesh& mesh : {torus(0.035, 0.015), torus(0.04, 0.008, 80, 20), box_mesh({0.05, 0.03, 0.02}),
                                   soup(rng, 1000, 0.01), same, far, line}) {
    const MeshTree tree(shared(mesh));
    const Walk walk(tree);
    EXPECT_EQ(std::count(walk.seen.begin(), walk.seen.end(), 1), static_cast<std::ptrdiff_t>(walk.seen.size()));
    EXPECT_LE(2 * walk.deepest, kMaxDepths);
  }
}

TEST(MeshTree, AMeshWithoutTrianglesIsFarFromEverything) {
  const MeshTree none(shared({})), ring(shared(torus(0.035, 0.015)));
  for (const TreePair& pair : {TreePair{&none, &ring}, TreePair{&ring, &none}, TreePair{&none, &none}}) {
    EXPECT_FALSE(trees_cross(pair, nullptr));
    EXPECT_FALSE(tree_distance(pair, 1.0, nullptr).found);
  }
}

// The least gap of all triangle pairs; 0 if some cross.
double least_gap(const TreePair& pair) {
  double best = 1e300;
  for (int i = 0; i < static_cast<int>(pair.a->mesh().triangles.size()); ++i)
    for (int j = 0; j < static_cast<int>(pair.b->mesh().triangles.size()); ++j) {
      Vec3 ta[3], tb[3];
      pair.triangles(i, j, ta, tb);
      if (triangles_cross(ta, tb)) return 0.0;
      best = std::min(best, triangle_gap(ta, tb).distance);
    }
  return best;
}

void expect_exact(const TreePair& pair, double tolerance) {
  const double expected = least_gap(pair);
  const TreeDistance d = tree_distance(pair, 1e300, nullptr);
  EXPECT_EQ(trees_cross(pair, nullptr), expected == 0.0);
  EXPECT_EQ(d.crossing, expected == 0.0);
  EXPECT_TRUE(d.on_a.allFinite() && d.on_b.allFinite() && d.n.allFinite());
  if (!d.crossing) {
    EXPECT_NEAR(d.distance, expected, tolerance);
  }
}

// Needles, flat to 1e-9 of their length and turned any way.
TEST(MeshTree, SliversAreMeasuredExactly) {
  std::mt19937_64 rng(32);
  std::uniform_real_distribution<double> U(-1, 1), exponent(-9, -1);
  const auto needles = [&](int count) {
    TriangleMesh mesh;
    for (int k = 0; k < count; ++k) {
      const Quat q = random_rotation(rng);
      const Vec3 centre = 0.03 * Vec3(U(rng), U(rng), U(rng));
      const double width = std::pow(10.0, exponent(rng));
      for (const Vec3& p : {Vec3(-0.02, 0, 0), Vec3(0.02, 0, 0), Vec3(0.02 * U(rng), 0.04 * width, 0)})
        mesh.vertices.push_back(centre + q * p);
      mesh.triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
    }
    return mesh;
  };
  for (int k = 0; k < 150; ++k) {
    const MeshTree a(shared(needles(40))), b(shared(needles(40)));
    const Vec3 t = 0.1 * Vec3(U(rng), U(rng), U(rng));
    expect_exact({&a, &b, random_rotation(rng).toRotationMatrix(), t, 1.0}, 1e-12);
  }
}

// Bars side by side, turned by 1e-1 to 1e-7 and 1 um to 1 mm apart.
TEST(MeshTree, NearlyParallelEdgesAreMeasuredExactly) {
  std::mt19937_64 rng(33);
  std::uniform_real_distribution<double> U(-1, 1), turn(-7, -1), gap(-6, -3);
  const MeshTree bar(shared(box_mesh({0.05, 0.004, 0.004})));
  for (int k = 0; k < 1000; ++k) {
    const Vec3 axis = random_rotation(rng) * Vec3::UnitZ();
    const Quat q(Eigen::AngleAxisd(std::pow(10.0, turn(rng)), axis));
    // Edge to edge across the diagonal.
    const Vec3 apart = (0.008 + std::pow(10.0, gap(rng))) * Vec3(0, 1, 1) + Vec3(0.05 * U(rng), 0, 0);
    expect_exact(
        {&bar, &bar,
         (k % 2 == 0 ? q : Quat(q * Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX())))).toRotationMatrix(),
         apart, 1.0},
        1e-12);
  }
}

TEST(MeshTree, MeshesWithoutExtentGiveNoNaN) {
  TriangleMesh point;
  point.vertices.assign(3, Vec3(0.01, 0, 0));
  point.triangles.assign(20, {0, 1, 2});
  TriangleMesh segment;
  segment.vertices = {Vec3(0, 0, 0), Vec3(0.05, 0, 0), Vec3(0.02, 0, 0)};
  segment.triangles.assign(20, {0, 1, 2});
  const MeshTree ring(shared(torus(0.035, 0.015)));
  std::mt19937_64 rng(34);
  std::uniform_real_distribution<double> U(-0.08, 0.08);
  for (const TriangleMesh& mesh : {point, segment}) {
    const MeshTree tree(shared(mesh));
    for (int k = 0; k < 100; ++k)
      expect_exact({&tree, &ring, random_rotation(rng).toRotationMatrix(), Vec3(U(rng), U(rng), U(rng)), 1.0}, 1e-14);
  }
}

}  // namespace
}  // namespace s4r::testing
