#include "qp/qp.h"

#include <gtest/gtest.h>

#include "continuation/warm_start.h"
#include "scenes.h"

namespace s4r::testing {
namespace {

TEST(Qp, SplitsAPushByWeight) {
  QpProblem problem;
  problem.weights = {1.0, 3.0};
  problem.rows = {{0, 1, Vec3::UnitX(), 0.4}};
  const QpResult r = solve_qp(problem);
  ASSERT_EQ(r.status, QpResult::Status::kSolved);
  EXPECT_NEAR(r.x[0].x(), -0.3, 1e-6);
  EXPECT_NEAR(r.x[1].x(), 0.1, 1e-6);
  EXPECT_NEAR(r.multipliers[0], 0.3, 1e-5);
}

TEST(Qp, ObstacleTakesNoShare) {
  QpProblem problem;
  problem.weights = {1.0};
  problem.rows = {{-1, 0, Vec3::UnitZ(), 0.2}};
  const QpResult r = solve_qp(problem);
  ASSERT_EQ(r.status, QpResult::Status::kSolved);
  EXPECT_NEAR((r.x[0] - Vec3(0, 0, 0.2)).norm(), 0.0, 1e-6);
}

TEST(Qp, ContradictionIsInfeasibleAndNamesItsRows) {
  QpProblem problem;
  problem.weights = {1.0, 1.0};
  problem.rows = {{-1, 0, Vec3::UnitX(), 0.1}, {0, -1, Vec3::UnitX(), 0.1}, {-1, 1, Vec3::UnitY(), 0.1}};
  const QpResult r = solve_qp(problem);
  ASSERT_EQ(r.status, QpResult::Status::kInfeasible);
  EXPECT_GT(r.multipliers[0], 0.1);
  EXPECT_GT(r.multipliers[1], 0.1);
  EXPECT_LT(r.multipliers[2], 1e-3);
}

// Optimality conditions on a random chain: primal and dual feasibility, stationarity, complementarity.
TEST(Qp, SatisfiesItsOptimalityConditions) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal;
  QpProblem problem;
  problem.weights.assign(30, 1.0);
  for (int k = 0; k + 1 < 30; ++k)
    problem.rows.push_back({k, k + 1, Vec3(normal(rng), normal(rng), normal(rng)).normalized(), 0.05 * normal(rng)});
  const QpResult r = solve_qp(problem);
  ASSERT_EQ(r.status, QpResult::Status::kSolved);
  std::vector<Vec3> gradient = r.x;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const QpRow& row = problem.rows[k];
    double slack = -row.b;
    for (const QpTerm& term : row.terms)
      if (term.block >= 0) slack += term.a.dot(r.x[term.block]);
    EXPECT_GT(slack, -1e-5);
    EXPECT_LT(std::min(slack, r.multipliers[k]), 1e-5);
    for (const QpTerm& term : row.terms)
      if (term.block >= 0) gradient[term.block] -= r.multipliers[k] * term.a;
  }
  for (const Vec3& g : gradient) EXPECT_LT(g.norm(), 1e-5);
}

TEST(WarmStart, SensitivityPredictsTheNextSolution) {
  QpProblem problem;
  problem.weights = {1.0, 1.0, 1.0};
  const std::vector<double> closures{0.3, 0.2};
  const auto at = [&](double ds) {
    problem.rows = {{0, 1, Vec3::UnitX(), closures[0] * ds}, {1, 2, Vec3(1, 1, 0).normalized(), closures[1] * ds}};
    return solve_qp(problem);
  };
  WarmStart warm;
  const QpResult first = at(0.05);
  warm.remember({4, 7, 9}, problem, first, closures);
  const std::vector<Vec3> start = warm.predict({4, 7, 9}, 0.1);
  const QpResult next = at(0.1);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR((start[k] - next.x[k]).norm(), 0.0, 1e-5);
  // Two of three bodies shared: half of it; strangers start at zero.
  const std::vector<Vec3> partial = warm.predict({4, 7, 12}, 0.1);
  EXPECT_NEAR((partial[0] - 0.5 * start[0]).norm(), 0.0, 1e-12);
  EXPECT_EQ(partial[2], Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace s4r::testing
