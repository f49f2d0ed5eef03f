// The projection within bounds: the conditions of optimality, and what is out of reach.
#include "articulation/bounded_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace s4r::testing {
namespace {

struct Problem {
  std::vector<BoundedRow> rows;
  BoundedCoordinates coordinates;
  std::vector<double> pull;
};

// Feasible: the rows hold at a point within the bounds.
Problem random_problem(std::mt19937_64& rng, int coordinates, int rows) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Problem p;
  std::vector<double> inside;
  for (int k = 0; k < coordinates; ++k) {
    p.coordinates.weights.push_back(0.2 + 3.0 * uniform(rng));
    p.coordinates.lower.push_back(k % 3 == 0 ? -1e300 : -uniform(rng));
    p.coordinates.upper.push_back(k % 3 == 1 ? 1e300 : uniform(rng));
    const auto within = [&](double v) { return std::clamp(v, p.coordinates.lower[k], p.coordinates.upper[k]); };
    p.pull.push_back(within(0.3 * normal(rng)));
    inside.push_back(within(normal(rng)));
  }
  for (int r = 0; r < rows; ++r) {
    BoundedRow& row = p.rows.emplace_back();
    double at_inside = 0.0;
    for (int k = 0; k < coordinates; ++k) {
      if (rng() % 3 == 0) continue;
      row.terms.emplace_back(k, normal(rng));
      at_inside += row.terms.back().second * inside[k];
    }
    row.b = at_inside - 0.2 * uniform(rng);
    row.lambda = rng() % 4 == 0 ? uniform(rng) : 0.0;
  }
  return p;
}

double value(const BoundedRow& row, const std::vector<double>& x) {
  double sum = 0.0;
  for (const auto& [k, a] : row.terms) sum += a * x[k];
  return sum;
}

// Primal and dual feasible, complementary, and x the minimiser for the multipliers: optimal, as the problem is convex.
TEST(BoundedProjection, IsOptimal) {
  std::mt19937_64 rng(5);
  for (int trial = 0; trial < 60; ++trial) {
    Problem p = random_problem(rng, 3 + trial % 6, 1 + trial % 4);
    const std::vector<double> x = project(p.rows, p.coordinates, p.pull);
    std::vector<double> y = p.pull;
    for (const BoundedRow& row : p.rows) {
      EXPECT_GE(row.lambda, 0.0);
      const double slack = value(row, x) - row.b;
      EXPECT_GT(slack, -1e-4);
      EXPECT_LT(row.lambda * std::max(0.0, slack), 1e-4);
      for (const auto& [k, a] : row.terms) y[k] += row.lambda * a / p.coordinates.weights[k];
    }
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR(x[k], std::clamp(y[k], p.coordinates.lower[k], p.coordinates.upper[k]), 1e-9);
  }
}

TEST(BoundedProjection, WithoutNeedKeepsThePullToTheBit) {
  std::vector<BoundedRow> rows{{{{0, 1.0}, {1, -1.0}}, -10.0, 0.7}};
  const BoundedCoordinates coordinates{{1.0, 2.0}, {-1.0, -1.0}, {1.0, 1.0}};
  const std::vector<double> pull{0.1, 1.0 / 3.0};
  EXPECT_EQ(project(rows, coordinates, pull), pull);
  EXPECT_EQ(rows[0].lambda, 0.0);
}

TEST(BoundedProjection, WhatContradictsLeavesNoMultiplier) {
  std::vector<BoundedRow> rows{{{{0, 1.0}}, 5.0, 0.0}};
  const BoundedCoordinates coordinates{{1.0}, {-1.0}, {0.5}};
  EXPECT_EQ(project(rows, coordinates, {0.0}), std::vector<double>{0.5});
  EXPECT_EQ(rows[0].lambda, 0.0);
}

// Left to themselves, their multipliers would outbid each other beyond all numbers.
TEST(BoundedProjection, WhatContradictsStaysFinite) {
  std::mt19937_64 rng(11);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    Problem p;
    for (int k = 0; k < 4; ++k) {
      p.coordinates.weights.push_back(1.0);
      p.coordinates.lower.push_back(-0.1);
      p.coordinates.upper.push_back(k == 0 ? 1e300 : 0.1);
      p.pull.push_back(0.0);
    }
    for (int r = 0; r < 9; ++r) {
      BoundedRow& row = p.rows.emplace_back();
      for (int k = 0; k < 4; ++k)
        row.terms.emplace_back(k, std::pow(10.0, -static_cast<double>(rng() % 6)) * normal(rng));
      row.b = 0.05;
    }
    for (const double x : project(p.rows, p.coordinates, p.pull)) EXPECT_TRUE(std::isfinite(x));
    for (const BoundedRow& row : p.rows) EXPECT_LT(row.lambda, 1e20);
  }
}

TEST(BoundedProjection, OnlyRatiosOfWeightsCount) {
  for (const double unit : {1e-12, 1.0, 1e15}) {
    std::vector<BoundedRow> rows{{{{0, 4.0}, {1, 4.0}}, 1.0}};
    const std::vector<double> x = project(rows, {{unit, 4.0 * unit}, {-1e300, -1e300}, {1e300, 1e300}}, {0.0, 0.0});
    EXPECT_NEAR(x[0], 0.2, 1e-12);
    EXPECT_NEAR(x[1], 0.05, 1e-12);
  }
}

TEST(LeastCost, IsThatOfTheSmallestStep) {
  const BoundedCoordinates coordinates{{1.0, 4.0}, {-1e300, -1e300}, {1e300, 1e300}};
  // x = b a / w / sum(a a / w): 0.2 and 0.05 for 1 = 4 x_0 + 4 x_1.
  EXPECT_NEAR(least_cost({{{0, 4.0}, {1, 4.0}}, 1.0}, coordinates), 1.0 * 0.04 + 4.0 * 0.0025, 1e-12);
  EXPECT_EQ(least_cost({{{0, 4.0}}, -1.0}, coordinates), 0.0);
  EXPECT_EQ(least_cost({{}, 1.0}, coordinates), std::numeric_limits<double>::infinity());
  // The first can do only half of it.
  const BoundedCoordinates bounded{{1.0, 4.0}, {0.0, -1e300}, {0.125, 1e300}};
  EXPECT_NEAR(least_cost({{{0, 4.0}, {1, 4.0}}, 1.0}, bounded), 0.125 * 0.125 + 4.0 * 0.125 * 0.125, 1e-12);
  const BoundedCoordinates tight{{1.0}, {0.0}, {0.125}};
  EXPECT_EQ(least_cost({{{0, 4.0}}, 1.0}, tight), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace s4r::testing
