// The triangle trees against brute force over all triangle pairs; referee_test.cpp has them against FCL.
#include "narrowphase/tree_query.h"

#include <gtest/gtest.h>

#include "narrowphase/triangle_pair.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

struct Subject {
  std::shared_ptr<TriangleMesh> mesh;
  std::unique_ptr<MeshTree> tree;
};

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (const TriangleMesh& mesh : {torus(0.035, 0.015), torus(0.04, 0.008, 40, 10), box_mesh({0.05, 0.03, 0.02}),
                                   torus(0.03, 0.02, 9, 5), box_mesh({0.05, 0.05, 0.002})}) {
    Subject s;
    s.mesh = std::make_shared<TriangleMesh>(mesh);
    s.tree = std::make_unique<MeshTree>(s.mesh);
    list.push_back(std::move(s));
  }
  return list;
}

struct Placed {
  const Subject* a;
  const Subject* b;
  Pose X;  // of B in A
  TreePair pair() const { return {a->tree.get(), b->tree.get(), X.q.toRotationMatrix(), X.p, 1.0}; }
};

Placed random_pair(const std::vector<Subject>& list, std::mt19937_64& rng, double reach) {
  std::uniform_real_distribution<double> U(-1, 1);
  return {&list[rng() % list.size()],
          &list[rng() % list.size()],
          {reach * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)}};
}

double brute_force_distance(const TreePair& pair) {
  double best = 1e300;
  for (std::size_t i = 0; i < pair.a->mesh().triangles.size(); ++i)
    for (std::size_t j = 0; j < pair.b->mesh().triangles.size(); ++j) {
      Vec3 ta[3], tb[3];
      pair.triangles(static_cast<int>(i), static_cast<int>(j), ta, tb);
      if (triangles_cross(ta, tb)) return 0.0;
      best = std::min(best, triangle_gap(ta, tb).distance);
    }
  return best;
}

// What every query says of a pair.
struct Answers {
  TreeDistance distance, bounded;
  bool cross = false;
  TrianglePair hit;
  Cover cover;
  std::vector<TrianglePair> crossings;
};

Answers answers(const TreePair& pair) {
  Answers r;
  r.distance = tree_distance(pair, 1e300, nullptr);
  r.bounded = tree_distance(pair, 0.01, &r.distance.witness);
  r.cross = trees_cross(pair, &r.hit);
  crossing_triangles(pair, r.crossings);
  if (!r.distance.crossing && r.distance.distance < 0.02) r.cover = cover_rows(pair, r.distance, 0.02, 8);
  return r;
}

void expect_equal(const TrianglePair& x, const TrianglePair& y) {
  EXPECT_EQ(x.a, y.a);
  EXPECT_EQ(x.b, y.b);
}

void expect_equal(const TreeDistance& x, const TreeDistance& y) {
  EXPECT_EQ(x.distance, y.distance);
  EXPECT_EQ(x.found, y.found);
  EXPECT_EQ(x.crossing, y.crossing);
  EXPECT_EQ(x.n, y.n);
  EXPECT_EQ(x.on_a, y.on_a);
  EXPECT_EQ(x.on_b, y.on_b);
  expect_equal(x.witness, y.witness);
}

void expect_equal(const Answers& x, const Answers& y) {
  expect_equal(x.distance, y.distance);
  expect_equal(x.bounded, y.bounded);
  EXPECT_EQ(x.cross, y.cross);
  expect_equal(x.hit, y.hit);
  EXPECT_EQ(x.cover.range, y.cover.range);
  ASSERT_EQ(x.cover.rows.size(), y.cover.rows.size());
  for (std::size_t k = 0; k < x.cover.rows.size(); ++k) {
    EXPECT_EQ(x.cover.rows[k].n, y.cover.rows[k].n);
    EXPECT_EQ(x.cover.rows[k].separation, y.cover.rows[k].separation);
  }
  ASSERT_EQ(x.crossings.size(), y.crossings.size());
  for (std::size_t k = 0; k < x.crossings.size(); ++k) expect_equal(x.crossings[k], y.crossings[k]);
}

TEST(TreeQuery, ScaledPairsAgreeWithBruteForce) {
  const auto list = subjects();
  std::mt19937_64 rng(22);
  std::uniform_real_distribution<double> U(0.2, 4.0);
  for (int k = 0; k < 60; ++k) {
    TreePair pair = random_pair(list, rng, 0.15).pair();
    pair.k = U(rng);
    const double expected = brute_force_distance(pair);
    const TreeDistance d = tree_distance(pair, 1e300, nullptr);
    EXPECT_EQ(d.crossing, expected == 0.0);
    if (!d.crossing) {
      EXPECT_NEAR(d.distance, expected, 1e-14);
    }
  }
}

TEST(TreeQuery, BoundAndWarmStartChangeNothingButTheTime) {
  const auto list = subjects();
  std::mt19937_64 rng(23);
  for (int k = 0; k < 1000; ++k) {
    const Placed placed = random_pair(list, rng, 0.1);
    const TreeDistance cold = tree_distance(placed.pair(), 1e300, nullptr);
    // Any triangle pair is an admissible start.
    const TrianglePair start{static_cast<int>(rng() % placed.a->mesh->triangles.size()),
                             static_cast<int>(rng() % placed.b->mesh->triangles.size())};
    const TreeDistance warm = tree_distance(placed.pair(), 1e300, &start);
    EXPECT_EQ(warm.crossing, cold.crossing);
    EXPECT_EQ(warm.distance, cold.distance);
    const TreeDistance bounded = tree_distance(placed.pair(), 0.01, &start);
    EXPECT_EQ(bounded.found, cold.distance < 0.01);
    EXPECT_EQ(bounded.distance, bounded.found ? cold.distance : 0.01);
  }
}

// Every triangle pair closer than the range is separated along some row by at
// least what the row promises.
TEST(TreeQuery, CoverRowsLeaveNoTrianglePairUncovered) {
  const auto list = subjects();
  std::mt19937_64 rng(24);
  int covers = 0;
  for (int k = 0; k < 600 && covers < 60; ++k) {
    const Placed placed = random_pair(list, rng, 0.09);
    const TreePair pair = placed.pair();
    const TreeDistance d = tree_distance(pair, 0.015, nullptr);
    if (!d.found || d.crossing) continue;
    ++covers;
    const Cover cover = cover_rows(pair, d, 0.015, 8);
    EXPECT_EQ(cover.rows.front().separation, d.distance);
    const double tolerance = 1.0001e-4 * std::min(pair.a->radius(), pair.b->radius());
    for (std::size_t i = 0; i < pair.a->mesh().triangles.size(); ++i)
      for (std::size_t j = 0; j < pair.b->mesh().triangles.size(); ++j) {
        Vec3 ta[3], tb[3];
        pair.triangles(static_cast<int>(i), static_cast<int>(j), ta, tb);
        if (triangle_gap(ta, tb).distance >= cover.range) continue;
        bool covered = false;
        for (const CoverRow& row : cover.rows) {
          double lo = 1e300, hi = -1e300;
          for (int v = 0; v < 3; ++v) {
            lo = std::min(lo, row.n.dot(tb[v]));
            hi = std::max(hi, row.n.dot(ta[v]));
          }
          covered |= lo - hi >= row.separation - tolerance;
        }
        EXPECT_TRUE(covered);
      }
  }
  EXPECT_EQ(covers, 60);
}

TEST(TreeQuery, CrossingTrianglesAreExactlyThoseOfBruteForce) {
  const auto list = subjects();
  std::mt19937_64 rng(25);
  for (int k = 0; k < 60; ++k) {
    const TreePair pair = random_pair(list, rng, 0.04).pair();
    std::vector<TrianglePair> found;
    crossing_triangles(pair, found);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < pair.a->mesh().triangles.size(); ++i)
      for (std::size_t j = 0; j < pair.b->mesh().triangles.size(); ++j) {
        Vec3 ta[3], tb[3];
        pair.triangles(static_cast<int>(i), static_cast<int>(j), ta, tb);
        expected += triangles_cross(ta, tb) ? 1 : 0;
      }
    EXPECT_EQ(found.size(), expected);
  }
}

// Every kernel set this machine runs gives the same bits for every query, scaled pairs and warm starts included.
// Two tilted boxes that reach 2 mm into each other along x, each in turn as the first, the second at another scale.
TEST(TreeQuery, PartingDirectionIsTheShortWayOut) {
  const MeshTree box(std::make_shared<TriangleMesh>(box_mesh({0.05, 0.05, 0.05})));
  const Mat3 tilt = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 0.02, 0.01).normalized())).toRotationMatrix();
  for (const double side : {1.0, -1.0})
    for (const double k : {1.0, 0.8}) {
      const Vec3 direction = parting_direction({&box, &box, tilt, Vec3(side * (0.048 + 0.05 * k), 0.01, 0.02), k});
      EXPECT_GT(side * direction.normalized().x(), 0.99) << side << " " << k;
    }
  EXPECT_TRUE(parting_direction({&box, &box, tilt, Vec3(0.2, 0, 0), 1.0}).isZero(0.0));
}

TEST(TreeKernels, AllGiveTheSameResults) {
  const TreeKernels* portable = tree_kernels_named("portable");
  ASSERT_NE(portable, nullptr);
  const auto list = subjects();
  std::mt19937_64 rng(26);
  std::uniform_real_distribution<double> scale(0.5, 2.0);
  int crossing = 0, covers = 0;
  for (int k = 0; k < 1000; ++k) {
    TreePair pair = random_pair(list, rng, 0.08).pair();
    if (k % 2 == 1) pair.k = scale(rng);
    pair.kernels = portable;
    const Answers expected = answers(pair);
    crossing += expected.distance.crossing ? 1 : 0;
    covers += expected.cover.rows.empty() ? 0 : 1;
    for (const char* name : {"sse2", "avx2"}) {
      pair.kernels = tree_kernels_named(name);
      if (pair.kernels != nullptr) expect_equal(answers(pair), expected);
    }
  }
  EXPECT_GT(crossing, 100);
  EXPECT_GT(covers, 100);
}

TEST(TreeQuery, DegenerateTrianglesChangeNothing) {
  TriangleMesh ring = torus(0.035, 0.015);
  const TriangleMesh clean = ring;
  const int n = static_cast<int>(ring.vertices.size());
  ring.vertices.push_back(0.5 * (ring.vertices[0] + ring.vertices[1]));
  ring.triangles.insert(ring.triangles.end(), {{0, 0, 0}, {0, 1, 0}, {0, 1, n}, {5, 5, 6}});
  const MeshTree with(std::make_shared<TriangleMesh>(ring)), without(std::make_shared<TriangleMesh>(clean));
  std::mt19937_64 rng(27);
  std::uniform_real_distribution<double> U(-0.08, 0.08);
  for (int k = 0; k < 300; ++k) {
    const Mat3 R = random_rotation(rng).toRotationMatrix();
    const Vec3 t(U(rng), U(rng), U(rng));
    const TreeDistance a = tree_distance({&with, &without, R, t, 1.0}, 1e300, nullptr);
    const TreeDistance b = tree_distance({&without, &without, R, t, 1.0}, 1e300, nullptr);
    EXPECT_EQ(a.crossing, b.crossing);
    EXPECT_NEAR(a.distance, b.distance, 1e-15);
    EXPECT_TRUE(a.on_a.allFinite());
  }
}

// A triangle of no width is its longest edge, whichever of the two it is: its normal is rounding in one frame and zero
// in the other.
TEST(TreeQuery, NeedlesCrossWhateverTheyPierce) {
  std::mt19937_64 rng(28);
  std::uniform_real_distribution<double> U(-0.04, 0.04);
  const MeshTree wall(std::make_shared<TriangleMesh>(box_mesh({0.05, 0.05, 0.002})));
  for (const double width : {0.0, 1e-18, 1e-14, 1e-10, 1e-7}) {
    const TriangleMesh mesh{{Vec3(0, 0, -0.05), Vec3(0, 0, 0.05), Vec3(width, 0, 0.013)}, {{0, 1, 2}}};
    const MeshTree needle(std::make_shared<TriangleMesh>(mesh));
    for (int k = 0; k < 200; ++k) {
      // Through the wall at up to 60 degrees, and both turned as one.
      const Quat tilt(Eigen::AngleAxisd(1.0 - 2.0 * k / 200.0, Vec3(U(rng), U(rng), 0).normalized()));
      const Pose X{Vec3(0.5 * U(rng), 0.5 * U(rng), 0), tilt}, inverse{X.q.conjugate() * -X.p, X.q.conjugate()};
      EXPECT_TRUE(trees_cross({&wall, &needle, X.q.toRotationMatrix(), X.p, 1.0}, nullptr)) << width;
      EXPECT_TRUE(trees_cross({&needle, &wall, inverse.q.toRotationMatrix(), inverse.p, 1.0}, nullptr)) << width;
    }
  }
}

}  // namespace
}  // namespace s4r::testing
