// The planes of the default profile keep what they promise: where n . u >= reach, the oracle finds no overlap.
#include <gtest/gtest.h>

#include "accuracy_probe.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kOrientations = 2;
#else
constexpr int kOrientations = 15;
#endif

// Cover rows count a triangle pair as covered that is this much closer, of the smaller radius (tree_cover.cpp).
constexpr double kCoverTolerance = 1.01e-4;

// An overlap: B moved along the row just clears A.
void check_hull_row(const AccuracyProbe& probe, const Vec3& p, const std::string& what) {
  PlaneRow row = probe.hull_row(p);
  const auto clears = [&](double margin) {
    const Vec3 moved = p + (row.reach - row.n.dot(p) + margin) * row.n;
    return !probe.truth(moved).overlap;
  };
  EXPECT_TRUE(clears(1e-12)) << what << ": the plane of the hulls does not separate";
  if (!probe.convex()) return;
  const PairGap gap = probe.solver(p, 0.1);
  ASSERT_EQ(gap.rows.size(), 1u) << what;
  row = gap.rows.front();
  EXPECT_TRUE(clears(1e-12)) << what << ": the row does not separate";
  EXPECT_FALSE(clears(2.0 * row.n.dot(p) - 2.0 * row.reach)) << what << ": the row asks for more than twice the way";
}

// Apart: at any other pose the gap is at least what range and rows certify.
void check_certificate(const AccuracyProbe& probe, const Vec3& p, std::mt19937_64& rng, const std::string& what) {
  std::uniform_real_distribution<double> U(-1, 1);
  const double distance = static_cast<double>(probe.truth(p).distance);
  const PairGap gap = probe.solver(p, distance + 0.03);
  ASSERT_TRUE(gap.found && !gap.rows.empty()) << what;
  EXPECT_GT(gap.range, 0.0) << what;
  for (int k = 0; k < 6; ++k) {
    const Vec3 moved = p + (distance + 0.03) * U(rng) * Vec3(U(rng), U(rng), U(rng)).normalized();
    double certified = gap.range - (moved - p).norm();
    for (const PlaneRow& row : gap.rows) certified = std::min(certified, row.n.dot(moved) - row.reach);
    certified -= (probe.convex() ? 0.0 : kCoverTolerance * probe.radius()) + 1e-12;
    if (certified <= 0.0) continue;
    const OracleGap truth = probe.truth(moved);
    EXPECT_FALSE(truth.overlap) << what << ": " << certified << " is certified";
    EXPECT_GE(static_cast<double>(truth.distance), certified) << what;
  }
}

void check_pair(ShapeKind kind_a, ShapeKind kind_b) {
  std::mt19937_64 rng(3000 + 17 * static_cast<int>(kind_a) + static_cast<int>(kind_b));
  std::uniform_real_distribution<double> U(-1, 1);
  int overlaps = 0, certificates = 0;
  for (int k = 0; k < kOrientations; ++k) {
    const Shape a = random_shape(kind_a, rng);
    const Shape b = random_shape(kind_b, rng);
    const Quat q_a = random_rotation(rng), q_b = random_rotation(rng);
    const Vec3 away = Vec3(U(rng), U(rng), U(rng)).normalized();
    const AccuracyProbe probe(a, {Vec3::Zero(), q_a}, b, {0.35 * away, q_b});
    const std::string what = std::string(name_of(kind_a)) + " - " + name_of(kind_b) + " " + std::to_string(k);
    const OracleGap far = probe.truth(probe.pose_b().p);
    const Vec3 touching = probe.pose_b().p - (static_cast<double>(far.distance) * far.n.cast<double>());
    for (const double step : {-0.02, -1e-3, 1e-4, 0.01}) {
      const Vec3 p = touching + step * far.n.cast<double>();
      const bool overlap = probe.truth(p).overlap;
      overlap ? check_hull_row(probe, p, what) : check_certificate(probe, p, rng, what);
      ++(overlap ? overlaps : certificates);
    }
  }
  EXPECT_GE(overlaps, kOrientations);
  EXPECT_GE(certificates, kOrientations);
}

TEST(AccuracyRows, SeparatingPlanesSeparateForEveryPairOfKinds) {
  for (std::size_t i = 0; i + 1 < kAllKinds.size(); ++i)
    for (std::size_t j = i; j + 1 < kAllKinds.size(); ++j) check_pair(kAllKinds[i], kAllKinds[j]);
}

}  // namespace
}  // namespace s4r::testing
