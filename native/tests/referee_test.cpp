// FCL as the independent referee of the triangle trees: 100,000 random pairs of meshes.
#include <gtest/gtest.h>

#include "mesh_families.h"
#include "narrowphase/narrowphase.h"
#include "narrowphase/tree_query.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kPairs = 2000;  // the sanitizers slow FCL down fifty times
#else
constexpr int kPairs = 100000;
#endif
constexpr int kPosesPerPair = 20;
constexpr double kTouch = 1e-9;  // [m]: nearer to touching, a verdict is rounding

struct Subject {
  std::shared_ptr<TriangleMesh> mesh;
  std::unique_ptr<MeshTree> tree;
  std::unique_ptr<Collidable> collidable;
  double radius = 0.0;
};

// Random hulls, star-shaped and ring-shaped meshes, profiles and meshes of two components; 12 to 280 triangles.
std::vector<Subject> subjects(std::mt19937_64& rng) {
  std::uniform_real_distribution<double> U(0.015, 0.05);
  std::vector<TriangleMesh> meshes{torus(0.035, 0.015), torus(0.04, 0.008, 14, 10), torus(0.03, 0.02, 9, 5),
                                   box_mesh({0.05, 0.03, 0.02}), box_mesh({0.05, 0.05, 0.0005})};
  for (int k = 0; k < 8; ++k) {
    meshes.push_back(random_hull(rng, 8 + 3 * k, {U(rng), U(rng), U(rng)}));
    meshes.push_back(random_star(rng, 3 + k % 5, 0.02, 0.055));
    meshes.push_back(u_profile(0.05, 0.3 * U(rng), U(rng)));
    meshes.push_back(l_profile(0.05, 0.5 * U(rng), U(rng)));
    meshes.push_back(joined(torus(0.03, 0.01, 8, 5), random_hull(rng, 10, {0.02, 0.01, 0.02}), {U(rng), U(rng), 0.04}));
  }
  std::vector<Subject> list;
  for (TriangleMesh& mesh : meshes) {
    Subject s;
    s.mesh = std::make_shared<TriangleMesh>(std::move(mesh));
    s.tree = std::make_unique<MeshTree>(s.mesh);
    s.collidable = std::make_unique<Collidable>(mesh_shape(*s.mesh));
    s.radius = s.tree->radius();
    list.push_back(std::move(s));
  }
  return list;
}

struct Tally {
  int crossing = 0, near = 0, apart = 0, touching = 0, enclosed = 0;
  double largest_difference = 0.0;
};

// Trees and FCL on one pair; true if the signs agree.
bool agree(const TreePair& pair, const TreeDistance& d, const Score& fcl, Tally& tally) {
  const bool crosses = trees_cross(pair, nullptr);
  if (fcl.contained) {  // FCL's surfaces are apart; containment is not the trees'
    ++tally.enclosed;
    return crosses == d.crossing && !crosses;
  }
  const bool overlap = fcl.distance < 0.0;
  if (crosses != overlap || d.crossing != overlap) {
    const double gap = std::max(fcl.distance, d.distance);
    ++tally.touching;
    return gap <= kTouch;
  }
  if (overlap) {
    ++tally.crossing;
  } else {
    ++(d.distance < 0.005 ? tally.near : tally.apart);
    tally.largest_difference = std::max(tally.largest_difference, std::abs(d.distance - fcl.distance));
  }
  return true;
}

TEST(Referee, TreesAndFclAgreeOnRandomMeshPairs) {
  std::mt19937_64 rng(2026);
  std::uniform_real_distribution<double> U(-1, 1), scale(0.8, 1.25), closeness(0.1, 1.3), exponent(-8, -3);
  const std::vector<Subject> list = subjects(rng);
  Tally tally;
  int disagreements = 0;
  for (int done = 0; done < kPairs; done += kPosesPerPair) {
    const Subject& a = list[rng() % list.size()];
    const Subject& b = list[rng() % list.size()];
    const double k = scale(rng);
    const Collidable scaled_b(*b.collidable, k);
    TreeDistance last;
    Pose X;
    for (int i = 0; i < kPosesPerPair; ++i) {
      // After every second pose that is apart, one within 1e-3 to 1e-8 m of touching, on either side.
      if (i % 2 == 1 && last.found && !last.crossing) {
        X.p += (std::copysign(std::pow(10.0, exponent(rng)), U(rng)) - last.distance) * last.n;
      } else {
        X = {closeness(rng) * (a.radius + k * b.radius) * Vec3(U(rng), U(rng), U(rng)).normalized(),
             random_rotation(rng)};
      }
      const TreePair pair{a.tree.get(), b.tree.get(), X.q.toRotationMatrix(), X.p, k};
      last = tree_distance(pair, 1e300, nullptr);
      disagreements += agree(pair, last, score_pair(*a.collidable, {}, scaled_b, X), tally) ? 0 : 1;
    }
  }
  RecordProperty("pairs", kPairs);
  std::printf("%d pairs: %d crossing, %d within 5 mm, %d farther, %d enclosed, %d within 1e-9 m of touching\n", kPairs,
              tally.crossing, tally.near, tally.apart, tally.enclosed, tally.touching);
  EXPECT_EQ(disagreements, 0);
  EXPECT_LT(tally.largest_difference, 1e-13) << "the requirement is 1e-9 of the size";
  EXPECT_GT(tally.crossing, kPairs / 5);
  EXPECT_GT(tally.near, kPairs / 20);
  EXPECT_GT(tally.apart, kPairs / 5);
}

}  // namespace
}  // namespace s4r::testing
