// Pairs of broken meshes and of solids, of sizes 1e-3 to 1e3 m, near and far from the origin: finite answers that do
// not depend on the order of the pair, and agree with each other and with the oracle.
#include <gtest/gtest.h>

#include "accuracy_probe.h"
#include "broken_meshes.h"
#include "narrowphase/tree_query.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kRounds = 2;
#else
constexpr int kRounds = 16;
#endif

double largest_extent(const Shape& s) {
  const Box3 box = bounds(s, {});
  return (box.hi - box.lo).maxCoeff();
}

struct Case {
  Shape a, b;
  Pose X_a, X_b;
  double size = 0.0;  // of the larger one
  std::string what;
};

// Evaluator: finite, unit normal or none, the same both ways round.
void check_score(const Case& c) {
  const Collidable a(c.a), b(c.b);
  const Score one = score_pair(a, c.X_a, b, c.X_b), other = score_pair(b, c.X_b, a, c.X_a);
  for (const Score* s : {&one, &other}) {
    EXPECT_TRUE(std::isfinite(s->distance) && s->normal.allFinite() && s->point.allFinite()) << c.what;
    if (s->has_normal()) {
      EXPECT_NEAR(s->normal.norm(), 1.0, 1e-9) << c.what;
    }
  }
  const double touch = 1e-9 * c.size;
  if (std::abs(one.distance) < touch && std::abs(other.distance) < touch) return;
  EXPECT_EQ(one.distance < 0.0, other.distance < 0.0) << c.what << ": " << one.distance << " " << other.distance;
  if (one.distance > 0.0) {
    EXPECT_NEAR(one.distance, other.distance, 2e-9 * one.distance + touch) << c.what;
  }
}

// Solver: Boolean and distance agree, rows are finite and true where they were taken.
void check_solver(const Case& c, PairGap& gap) {
  const AccuracyProbe probe(c.a, c.X_a, c.b, c.X_b), mirrored(c.b, c.X_b, c.a, c.X_a);
  const Vec3 p = c.X_b.p;
  gap = probe.solver(p, 10.0 * c.size);
  EXPECT_TRUE(std::isfinite(gap.distance)) << c.what;
  for (const PlaneRow& row : gap.rows) {
    EXPECT_TRUE(row.n.allFinite() && std::isfinite(row.reach)) << c.what;
    EXPECT_NEAR(row.n.norm(), 1.0, 1e-9) << c.what;
  }
  const PlaneRow hull = probe.hull_row(p);
  EXPECT_TRUE(hull.n.allFinite() && std::isfinite(hull.reach)) << c.what;
  const PairGap other = mirrored.solver(c.X_a.p, 10.0 * c.size);
  const double touch = 1e-9 * c.size;
  if (std::abs(gap.distance) < touch && std::abs(other.distance) < touch && !(gap.overlap && other.overlap)) return;
  EXPECT_EQ(gap.overlap, other.overlap) << c.what << ": " << gap.distance << " " << other.distance;
  EXPECT_EQ(probe.solver_overlaps(p), gap.overlap) << c.what << ": " << gap.distance;
  if (!gap.overlap && gap.found) {
    EXPECT_NEAR(gap.distance, other.distance, 2e-9 * gap.distance + touch) << c.what;
  }
}

// Distance from the solver against the oracle, which knows nothing of slivers.
void check_against_oracle(const Case& c, const PairGap& gap) {
  const OracleSolid a(c.a, c.X_a), b(c.b, c.X_b);
  const OracleGap truth = oracle_gap(a, b);
  if (truth.overlap != gap.overlap) {
    const bool clear = truth.overlap ? overlap_deeper_than(a, b, 1e-9L * c.size) : truth.distance > 1e-9L * c.size;
    EXPECT_FALSE(clear) << c.what << ": the oracle says " << static_cast<double>(truth.distance) << ", the solver "
                        << gap.distance << (gap.overlap ? " (overlap)" : "");
  } else if (!truth.overlap) {
    EXPECT_NEAR(gap.distance, static_cast<double>(truth.distance), 1e-9 * c.size) << c.what;
  }
}

// A mesh without area has no surface: all it can do is lie inside another.
void check_without_area(const Case& c, const PairGap& gap) {
  const Collidable a(c.a), b(c.b);
  EXPECT_EQ(gap.overlap, score_pair(a, c.X_a, b, c.X_b).distance < 0.0) << c.what;
  EXPECT_EQ(gap.overlap, gap.contained) << c.what;
  EXPECT_TRUE(gap.rows.empty()) << c.what;
}

Case placed(Shape a, Shape b, double offset, bool coincident, std::mt19937_64& rng, std::string what) {
  std::uniform_real_distribution<double> U(-1, 1);
  Case c{std::move(a), std::move(b), {offset * Vec3(1, -0.7, 0.3), random_rotation(rng)}, {}, 0.0, std::move(what)};
  const double size_a = largest_extent(c.a), size_b = largest_extent(c.b);
  c.size = std::max(size_a, size_b);
  c.X_b = c.X_a;
  if (!coincident) c.X_b = {c.X_a.p + 0.6 * (size_a + size_b) * Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)};
  return c;
}

TEST(FuzzNarrowPhase, BrokenMeshesGiveFiniteAndConsistentAnswers) {
  std::mt19937_64 rng(71);
  for (int round = 0; round < kRounds; ++round)
    for (int i = 0; i < kBrokenKinds; ++i)
      for (int j = i; j < kBrokenKinds; ++j) {
        const std::string what =
            "kinds " + std::to_string(i) + " " + std::to_string(j) + " round " + std::to_string(round);
        Shape a = mesh_shape(broken_mesh(i, 0.1, rng));
        Shape b = mesh_shape(broken_mesh(j, 0.1, rng));
        const Case c = placed(std::move(a), std::move(b), 0.0, round % 6 == 5, rng, what);
        check_score(c);
        PairGap gap;
        check_solver(c, gap);
        // Inside and outside are a matter of opinion where the winding is broken or components overlap.
        if (i == kWithoutArea || j == kWithoutArea)
          check_without_area(c, gap);
        else if (i < 9 && j < 9 && round < 40)
          check_against_oracle(c, gap);
      }
}

TEST(FuzzNarrowPhase, BrokenMeshesAgainstSolids) {
  std::mt19937_64 rng(72);
  for (int round = 0; round < kRounds; ++round)
    for (int i = 0; i < kBrokenKinds; ++i)
      for (const ShapeKind kind : kAllKinds) {
        if (kind == ShapeKind::kHalfspace || kind == ShapeKind::kMesh) continue;
        const std::string what = "kind " + std::to_string(i) + " " + name_of(kind) + " round " + std::to_string(round);
        Shape a = mesh_shape(broken_mesh(i, 0.1, rng));
        Shape b = random_shape(kind, rng);
        const Case c = placed(std::move(a), std::move(b), 0.0, round % 6 == 5, rng, what);
        check_score(c);
        PairGap gap;
        check_solver(c, gap);
        if (i == kWithoutArea)
          check_without_area(c, gap);
        else if (i < 9 && round < 40)
          check_against_oracle(c, gap);
      }
}

// A grain of 1 mm and a building of 1 km, and everything between, at 10 km from the origin.
TEST(FuzzNarrowPhase, SizesFromMillimetresToKilometresAndFarFromTheOrigin) {
  std::mt19937_64 rng(73);
  std::uniform_real_distribution<double> exponent(-2, 4);
  for (int round = 0; round < kRounds; ++round)
    for (const ShapeKind kind_a : kAllKinds)
      for (const ShapeKind kind_b : kAllKinds) {
        if (kind_a == ShapeKind::kHalfspace || kind_b == ShapeKind::kHalfspace) continue;
        const double factor_a = std::pow(10.0, exponent(rng));
        const double factor_b = std::pow(10.0, exponent(rng));
        Shape a = scaled(random_shape(kind_a, rng), factor_a);
        Shape b = scaled(random_shape(kind_b, rng), factor_b);
        const std::string what = std::string(name_of(kind_a)) + " x " + std::to_string(factor_a) + ", " +
                                 name_of(kind_b) + " x " + std::to_string(factor_b) + " round " + std::to_string(round);
        const Case c = placed(std::move(a), std::move(b), round % 2 == 0 ? 1e4 : 0.0, round % 6 == 5, rng, what);
        check_score(c);
        PairGap gap;
        check_solver(c, gap);
        if (round < 40) check_against_oracle(c, gap);
      }
}

}  // namespace
}  // namespace s4r::testing
