// Who takes part in a step: everybody, or near the end only what is around the pairs that are left.
#include "separation/islands.h"

#include <gtest/gtest.h>

#include "shape_samples.h"

namespace s4r::testing {
namespace {

SeparationPair pair_of(int a, int b, bool bad, bool rows = true) {
  SeparationPair pair;
  pair.unit_a = a;
  pair.unit_b = b;
  pair.bad = bad;
  if (rows) pair.rows = {{Vec3::UnitX(), 0.0}};
  return pair;
}

std::vector<int> near(const std::vector<SeparationPair>& pairs, std::size_t units, int hops) {
  std::vector<int> found;
  const std::vector<char> flags = units_near(pairs, units, hops);
  EXPECT_EQ(flags.size(), units);
  for (std::size_t u = 0; u < units; ++u)
    if (flags[u] != 0) found.push_back(static_cast<int>(u));
  return found;
}

TEST(Islands, ReachGrowsByOnePairPerHop) {
  std::vector<SeparationPair> chain;
  for (int u = 0; u + 1 < 8; ++u) chain.push_back(pair_of(u, u + 1, u == 3));
  EXPECT_EQ(near(chain, 8, 0), (std::vector{3, 4}));
  EXPECT_EQ(near(chain, 8, 1), (std::vector{2, 3, 4, 5}));
  EXPECT_EQ(near(chain, 8, 2), (std::vector{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(near(chain, 8, 9), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  // The order of the list does not matter.
  std::reverse(chain.begin(), chain.end());
  EXPECT_EQ(near(chain, 8, 1), (std::vector{2, 3, 4, 5}));
}

TEST(Islands, PairsWithoutRowsAndObstaclesDoNotConnect) {
  std::vector<SeparationPair> pairs{pair_of(0, 1, true, false), pair_of(1, 2, false, false), pair_of(0, 3, false)};
  pairs.push_back(pair_of(-1, 3, false));
  pairs.push_back(pair_of(-1, 4, false));
  EXPECT_EQ(near(pairs, 6, 5), (std::vector{0, 1, 3}));
  pairs.push_back(pair_of(5, -1, true));
  EXPECT_EQ(near(pairs, 6, 5), (std::vector{0, 1, 3, 5}));
  EXPECT_EQ(near({}, 3, 2), std::vector<int>{});
}

// Two meshes that hardly overlap, anywhere.
Scene couple(std::mt19937_64& rng, const Vec3& at) {
  std::uniform_real_distribution<double> U(-1, 1);
  Scene scene;
  const Shape shape = mesh_shape(u_profile(0.05, 0.02, 0.015));
  add_body(scene, shape, {at, random_rotation(rng)});
  add_body(scene, shape, {at + 0.07 * Vec3(U(rng), U(rng), U(rng)).normalized(), random_rotation(rng)});
  return scene;
}

void add(Scene& scene, const Scene& part) {
  for (std::size_t b = 0; b < part.bodies.size(); ++b) add_body(scene, part.shapes[b], part.bodies[b].X_WB);
}

// Couples that are apart after one step, and a jam that takes more. No polish, and no shrinking: while something grows
// back, everybody moves.
TEST(Islands, WhatIsApartIsNotTouchedWhileTheRestFinishes) {
  std::mt19937_64 rng(8);
  DefaultOptions options;
  options.polish = options.parts.pair_scale = false;
  Scene jam, all;
  std::uniform_real_distribution<double> U(-1, 1);
  for (int k = 0; k < 4; ++k) {
    const Vec3 p(U(rng), U(rng), U(rng));
    add_body(jam, mesh_shape(u_profile(0.05, 0.02, 0.015)), {Vec3(0, 50, 0) + 0.06 * p, random_rotation(rng)});
  }
  std::vector<Vec3> alone;
  while (all.bodies.size() < 800) {
    const Scene scene = couple(rng, Vec3(0.4 * static_cast<double>(all.bodies.size()), 0, 0));
    const Solution s = solve_default(scene, options);
    if (s.initial_overlaps == 0 || s.stats.steps != 2) continue;
    add(all, scene);
    alone.insert(alone.end(), s.shifts.begin(), s.shifts.end());
  }
  add(all, jam);
  double off[2] = {0.0, 0.0};
  for (const bool islands : {false, true}) {
    options.parts.islands = islands;
    const Solution s = solve_default(all, options);
    ASSERT_EQ(s.status, SolveStatus::kSolved) << s.reason;
    EXPECT_EQ(repairable(evaluate(all, moved_poses(all, s), {})), 0);
    EXPECT_GT(s.stats.steps, 3);
    for (std::size_t b = 0; b < alone.size(); ++b)
      off[islands ? 1 : 0] = std::max(off[islands ? 1 : 0], (s.shifts[b] - alone[b]).norm());
  }
  EXPECT_LT(off[1], 1e-9);
  EXPECT_GT(off[0], 1e-4) << "without islands they go on towards where they came from";
}

double rms(const Vec3* shifts, std::size_t count) {
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) sum += shifts[k].squaredNorm();
  return std::sqrt(sum / static_cast<double>(count));
}

// Length and end of the polish are common to all, so shifts are alike, not the same.
TEST(Islands, DistantClustersMoveAboutAsMuchAsEachAlone) {
  Scene parts[2], both;
  for (int k = 0; k < 40; ++k)
    add_body(parts[0], mesh_shape(u_profile(0.05, 0.02, 0.015)), {Vec3(0.099 * k, 0, 0), Quat::Identity()});
  std::mt19937_64 rng(8);
  std::uniform_real_distribution<double> U(-1, 1);
  for (int k = 0; k < 12; ++k) {
    const Vec3 p(U(rng), U(rng), U(rng));
    add_body(parts[1], random_shape(ShapeKind::kMesh, rng), {Vec3(0, 50, 0) + 0.06 * p, random_rotation(rng)});
  }
  for (const Scene& part : parts) add(both, part);
  const Solution s = solve_default(both, {});
  ASSERT_EQ(s.status, SolveStatus::kSolved);
  EXPECT_EQ(repairable(evaluate(both, moved_poses(both, s), {})), 0);
  std::size_t first = 0;
  for (const Scene& part : parts) {
    const Solution alone = solve_default(part, {});
    ASSERT_EQ(alone.status, SolveStatus::kSolved);
    const double expected = rms(alone.shifts.data(), part.bodies.size());
    EXPECT_GT(expected, 1e-3);
    EXPECT_NEAR(rms(s.shifts.data() + first, part.bodies.size()), expected, 0.1 * expected);
    first += part.bodies.size();
  }
}

}  // namespace
}  // namespace s4r::testing
