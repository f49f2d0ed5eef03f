// The projection: what hangs together is solved together, and nothing else has a say in it.
#include "separation/projection.h"

#include <gtest/gtest.h>

#include "scenes.h"

namespace s4r::testing {
namespace {

struct Problem {
  std::vector<ProjectionRow> rows;
  std::vector<double> inverse_weights;
  std::vector<Vec3> pull;
};

// A chain of bodies and some more rows between them, some of them to what does not move.
Problem random_problem(std::mt19937_64& rng, int bodies) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> U(0.2, 3.0);
  Problem problem;
  const auto row = [&](int i, int j) {
    const double lambda = rng() % 3 == 0 ? 0.01 * U(rng) : 0.0;
    problem.rows.push_back(
        {i, j, Vec3(normal(rng), normal(rng), normal(rng)).normalized(), 0.02 * normal(rng), lambda});
  };
  for (int k = 0; k + 1 < bodies; ++k) row(k, k + 1);
  for (int k = 0; k < bodies; ++k) {
    const int i = static_cast<int>(rng() % bodies), j = static_cast<int>(rng() % bodies);
    if (i != j) row(i, j);
  }
  row(-1, 0);
  row(bodies - 1, -1);
  for (int k = 0; k < bodies; ++k) {
    problem.inverse_weights.push_back(U(rng));
    problem.pull.push_back(0.01 * Vec3(normal(rng), normal(rng), normal(rng)));
  }
  return problem;
}

// Bodies dealt out in turns, rows in turns too: part k of body b is b * parts + k.
Problem interleaved(const std::vector<Problem>& parts) {
  const int count = static_cast<int>(parts.size());
  Problem all;
  const auto at = [&](int body, int part) { return body < 0 ? -1 : body * count + part; };
  std::size_t rows = 0, bodies = 0;
  for (const Problem& p : parts) rows = std::max(rows, p.rows.size());
  for (const Problem& p : parts) bodies = std::max(bodies, p.pull.size());
  all.inverse_weights.assign(bodies * count, 1.0);
  all.pull.assign(bodies * count, Vec3(0.1, 0.2, 0.3));
  for (std::size_t r = 0; r < rows; ++r)
    for (int k = 0; k < count; ++k)
      if (r < parts[k].rows.size()) {
        ProjectionRow row = parts[k].rows[r];
        row.i = at(row.i, k);
        row.j = at(row.j, k);
        all.rows.push_back(row);
      }
  for (int k = 0; k < count; ++k)
    for (int b = 0; b < static_cast<int>(parts[k].pull.size()); ++b) {
      all.inverse_weights[at(b, k)] = parts[k].inverse_weights[b];
      all.pull[at(b, k)] = parts[k].pull[b];
    }
  return all;
}

std::vector<double> multipliers(const std::vector<ProjectionRow>& rows) {
  std::vector<double> lambda;
  for (const ProjectionRow& row : rows) lambda.push_back(row.lambda);
  return lambda;
}

void check_parts(int count, int threads, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Problem> parts;
  for (int k = 0; k < count; ++k) parts.push_back(random_problem(rng, 4 + static_cast<int>(rng() % 12)));
  Problem all = interleaved(parts);
  std::vector<Vec3> x = all.pull;
  project(all.rows, all.inverse_weights, x, {}, threads);
  int moved = 0;
  for (int k = 0; k < count; ++k) {
    Problem& alone = parts[k];
    std::vector<Vec3> y = alone.pull;
    project(alone.rows, alone.inverse_weights, y, {}, 1);
    for (std::size_t b = 0; b < y.size(); ++b) {
      EXPECT_TRUE(x[b * count + k] == y[b]) << "part " << k << " of " << count << ", body " << b;
      moved += y[b] == alone.pull[b] ? 0 : 1;
    }
    std::vector<double> lambda;
    for (const ProjectionRow& row : all.rows)
      if ((row.i >= 0 ? row.i : row.j) % count == k) lambda.push_back(row.lambda);
    EXPECT_EQ(lambda, multipliers(alone.rows)) << "part " << k << " of " << count;
  }
  EXPECT_GT(moved, 3 * count);
}

TEST(Projection, TwoPartsDoNotKnowOfEachOther) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) check_parts(2, 1, seed);
}

TEST(Projection, ManyPartsDoNotEitherForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) check_parts(150, threads, 5);
}

TEST(Projection, WhatNoRowPushesKeepsItsPullBitForBit) {
  std::mt19937_64 rng(6);
  Problem p = random_problem(rng, 12);
  for (ProjectionRow& row : p.rows) row.lambda = 0.0;
  for (ProjectionRow& row : p.rows)
    if (row.i >= 6 || row.j >= 6) row.b = -10.0;  // slack
  std::vector<Vec3> x = p.pull;
  project(p.rows, p.inverse_weights, x, {}, 1);
  EXPECT_FALSE(x == p.pull);
  for (int b = 6; b < 12; ++b) EXPECT_TRUE(x[b] == p.pull[b]) << b;
}

}  // namespace
}  // namespace s4r::testing
