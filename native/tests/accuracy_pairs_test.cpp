// Accuracy per pair of shape kinds, of what the evaluator (score_pair) and the default profile (PairGeometry) measure,
// against the long-double oracle. With S4R_ACCURACY_TABLE set, the rows go to that file as JSON
// (scripts/accuracy-table.mjs puts them into the docs).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "accuracy_probe.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kOrientations = 3;
#else
constexpr int kOrientations = 60;
#endif

constexpr double kTouch = 1e-9;  // [m]; nearer to touching, a verdict is rounding
constexpr double kThinTouch =
    1e-7;  // overlap of plates and needles: FCL's contacts and single triangles tell no better

// Largest errors [m]; near: gaps below 1 mm.
struct Errors {
  double apart = 0.0, near = 0.0;
};

struct Row {
  std::string a, b;
  bool stretched = false;
  int apart = 0, near = 0, overlapping = 0;
  Errors evaluator, solver;
  double over_bound = 0.0;  // largest error as a multiple of its bound
  int wrong = 0, unsupported = 0;
};

// What is promised of a distance d [m] between shapes of 0.1 m. Triangle trees are exact to rounding. GJK, which sees
// to pairs with boxes and curved solids, stops at a relative 1e-9 (kGapTolerance), and where faces and rims line up it
// may end short by less than a nanometre.
double error_bound(bool gjk, bool stretched, double d) {
  if (!gjk) return 1e-14;
  return (stretched ? 2e-9 : 1e-9) + 1.1e-9 * d;
}

bool takes_gjk(ShapeKind kind) {
  return kind != ShapeKind::kHeightField && kind != ShapeKind::kConvex && kind != ShapeKind::kMesh;
}

class AccuracyTable {
 public:
  ~AccuracyTable() {
    const char* path = std::getenv("S4R_ACCURACY_TABLE");
    if (path == nullptr) return;
    std::ofstream out(path);
    out.precision(2);
    out << "[";
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Row& r = rows[k];
      out << (k == 0 ? "\n" : ",\n") << R"({"a":")" << r.a << R"(","b":")" << r.b << R"(","stretched":)" << r.stretched
          << R"(,"apart":)" << r.apart << R"(,"near":)" << r.near << R"(,"overlapping":)" << r.overlapping
          << R"(,"evaluatorApart":)" << r.evaluator.apart << R"(,"evaluatorNear":)" << r.evaluator.near
          << R"(,"solverApart":)" << r.solver.apart << R"(,"solverNear":)" << r.solver.near << R"(,"wrong":)" << r.wrong
          << R"(,"unsupported":)" << r.unsupported << "}";
    }
    out << "\n]\n";
  }
  std::vector<Row> rows;
};

AccuracyTable& table() {
  static AccuracyTable instance;
  return instance;
}

void record(Row& row, double truth, double evaluator, double solver, bool gjk) {
  const bool near = truth < 1.01e-3;
  ++(near ? row.near : row.apart);
  for (const auto& [errors, measured] : {std::pair(&row.evaluator, evaluator), std::pair(&row.solver, solver)}) {
    const double error = std::abs(measured - truth);
    double& largest = near ? errors->near : errors->apart;
    largest = std::max(largest, error);
    row.over_bound = std::max(row.over_bound, error / error_bound(gjk, row.stretched, truth));
  }
}

// One placement of B: distances and verdicts of both against the oracle.
void compare(const AccuracyProbe& probe, const Vec3& p, bool gjk, Row& row) {
  const OracleGap truth = probe.truth(p);
  ASSERT_LT(truth.uncertainty, 1e-14L) << "the oracle has no proof";
  const double d = static_cast<double>(truth.distance);
  const Score score = probe.evaluator(p);
  const PairGap gap = probe.solver(p, 1.5 * d + 0.02);
  ASSERT_TRUE(std::isfinite(score.distance) && std::isfinite(gap.distance));
  if (std::abs(score.distance) > 1e200 || !gap.found) ++row.unsupported;
  const bool evaluator_overlaps = score.distance < 0.0, solver_overlaps = gap.overlap;
  const bool boolean_overlaps = probe.solver_overlaps(p);
  if (evaluator_overlaps != truth.overlap || solver_overlaps != truth.overlap || boolean_overlaps != truth.overlap) {
    const bool clear = truth.overlap ? probe.clearly_overlaps(p, row.stretched ? kThinTouch : kTouch) : d > kTouch;
    row.wrong += clear ? 1 : 0;
    EXPECT_FALSE(clear) << row.a << " - " << row.b << ": the oracle says " << (truth.overlap ? "overlap" : "apart by ")
                        << d << ", the evaluator " << score.distance << ", the solver " << gap.distance
                        << (gap.overlap ? " (overlap)" : "") << ", its Boolean " << boolean_overlaps;
  }
  if (truth.overlap) {
    ++row.overlapping;
    return;
  }
  record(row, d, score.distance, gap.distance, gjk);
}

// One of the rotations by right angles.
Quat right_angles(std::mt19937_64& rng) {
  Quat q = Quat::Identity();
  for (int axis = 0; axis < 3; ++axis)
    q = q * Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi * static_cast<double>(rng() % 4), Vec3::Unit(axis)));
  return q.normalized();
}

Row measure_bounded(ShapeKind kind_a, ShapeKind kind_b, bool stretched) {
  const auto shape_of = stretched ? stretched_shape : random_shape;
  const bool gjk = takes_gjk(kind_a) || takes_gjk(kind_b);
  Row row;
  row.a = name_of(kind_a);
  row.b = name_of(kind_b);
  row.stretched = stretched;
  std::mt19937_64 rng(1000 + 17 * static_cast<int>(kind_a) + static_cast<int>(kind_b));
  std::uniform_real_distribution<double> U(-1, 1), exponent(3, 8.5);
  // Thin hulls against thin meshes: rare cases show what float normals are worth, and the queries are cheap.
  const int count = stretched && kind_a == ShapeKind::kConvex ? 10 * kOrientations : kOrientations;
  for (int k = 0; k < count; ++k) {
    // Every third one with parallel axes, every sixth one above the other: faces, rims and axes that line up.
    const bool aligned = k % 3 == 0, stacked = k % 6 == 0;
    const Vec3 away = stacked ? Vec3(Vec3::UnitZ()) : Vec3(U(rng), U(rng), U(rng)).normalized();
    const Vec3 start = stacked ? Vec3(Vec3::Zero()) : Vec3(0.05 * Vec3(U(rng), U(rng), U(rng)));
    const Quat q_a = aligned ? right_angles(rng) : random_rotation(rng);
    const Quat q_b = aligned ? right_angles(rng) : random_rotation(rng);
    const Shape a = shape_of(kind_a, rng);
    const Shape b = shape_of(kind_b, rng);
    const AccuracyProbe probe(a, {start, q_a}, b, {0.35 * away, q_b});
    const Vec3 far = probe.pose_b().p;
    const OracleGap truth = probe.truth(far);
    if (truth.overlap) {
      ADD_FAILURE() << "the sample starts overlapping";
      continue;
    }
    // Far, anywhere on the way in, then onto the touching pose along the common normal, from both sides.
    compare(probe, far, gjk, row);
    for (int i = 0; i < 2; ++i) compare(probe, far * (0.6 + 0.35 * U(rng)), gjk, row);
    const Vec3 n = truth.n.cast<double>();
    const double d = static_cast<double>(truth.distance);
    for (int i = 0; i < 2; ++i) compare(probe, far - (d - std::pow(10.0, -exponent(rng))) * n, gjk, row);
    for (int i = 0; i < 2; ++i) compare(probe, far - (d + std::pow(10.0, -exponent(rng))) * n, gjk, row);
  }
  return row;
}

// Half-spaces meet bounded shapes only, in closed form; the solver's row is Model::reach.
Row measure_halfspace(ShapeKind kind) {
  Row row;
  row.a = name_of(kind);
  row.b = name_of(ShapeKind::kHalfspace);
  std::mt19937_64 rng(2000 + static_cast<int>(kind));
  std::uniform_real_distribution<double> U(-1, 1), exponent(3, 8.5);
  for (int k = 0; k < kOrientations; ++k) {
    const Shape shape = random_shape(kind, rng);
    const Pose plane{Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)};
    Pose X{Vec3(U(rng), U(rng), U(rng)), random_rotation(rng)};
    const Vec3 n = plane.q * Vec3::UnitZ();
    const double at = static_cast<double>(oracle_height(plane, OracleSolid(shape, X)));
    const double step = std::pow(10.0, -exponent(rng));
    for (const double height : {0.1 + 0.1 * U(rng), step, -step}) {
      Pose placed = X;
      placed.p += (height - at) * n;
      const double truth = static_cast<double>(oracle_height(plane, OracleSolid(shape, placed)));
      Scene scene;
      add_body(scene, shape, placed);
      const Model model(scene);
      const double solver = n.dot(model.origin - plane.p) +
                            model.unit_length * (n.dot(model.units[0].centre) - model.reach(model.geoms[0], -n));
      const double evaluator = score_halfspace(plane, Collidable(shape).shape(), placed).distance;
      row.wrong += ((evaluator < 0.0) != (truth < 0.0) || (solver < 0.0) != (truth < 0.0)) && std::abs(truth) > kTouch;
      if (truth < 0.0)
        ++row.overlapping;
      else
        record(row, truth, evaluator, solver, false);
    }
  }
  return row;
}

using Kinds = std::pair<ShapeKind, ShapeKind>;

class AccuracyPairs : public ::testing::TestWithParam<Kinds> {};

void expect_accurate(const Row& row) {
  table().rows.push_back(row);
  EXPECT_EQ(row.wrong, 0);
  EXPECT_EQ(row.unsupported, 0);
  EXPECT_GT(row.apart, 0);
  EXPECT_GT(row.near, 0);
  EXPECT_GT(row.overlapping, 0);
  EXPECT_LE(row.over_bound, 1.0);
}

TEST_P(AccuracyPairs, SignsAreRightAndDistancesWithinTheirBounds) {
  const auto [a, b] = GetParam();
  if (b == ShapeKind::kHalfspace) return expect_accurate(measure_halfspace(a));
  expect_accurate(measure_bounded(a, b, false));
}

// Plates and needles, 1e4 times as long as thin.
TEST_P(AccuracyPairs, StretchedShapesToo) {
  const auto [a, b] = GetParam();
  if (b != ShapeKind::kHalfspace) expect_accurate(measure_bounded(a, b, true));
}

std::vector<Kinds> all_pairs() {
  std::vector<Kinds> pairs;
  for (std::size_t i = 0; i < kAllKinds.size(); ++i)
    for (std::size_t j = i; j < kAllKinds.size(); ++j)
      if (kAllKinds[i] != ShapeKind::kHalfspace) pairs.emplace_back(kAllKinds[i], kAllKinds[j]);  // the half-space last
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(EveryPair, AccuracyPairs, ::testing::ValuesIn(all_pairs()), [](const auto& info) {
  std::string name = std::string(name_of(info.param.first)) + "_" + name_of(info.param.second);
  for (char& c : name)
    if (c == ' ' || c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace s4r::testing
