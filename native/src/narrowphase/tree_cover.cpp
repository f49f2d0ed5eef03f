#include "narrowphase/tree_descent.h"

namespace s4r {
namespace {

constexpr double kCoverTolerance = 1e-4;  // of the smaller radius: a pair this much closer along a row still
                                          // counts as covered
constexpr int kCandidateCap = 512;
constexpr int kTruncatedRounds = 3;

struct CoverVisitor {
  const TreePair& pair;
  bool done = false;
  float limit;
  int axis_count = 0;
  float axis[kMaxAxes][3];
  float covered_from[kMaxAxes];
  float axis_limit(int x) const { return covered_from[x]; }
  bool truncated = false;
  std::vector<Candidate> near;

  CoverVisitor(const TreePair& p, double range) : pair(p), limit(static_cast<float>(range)) {}

  void add_axis(const Vec3& n, double from) {
    for (int d = 0; d < 3; ++d) axis[axis_count][d] = static_cast<float>(n[d]);
    covered_from[axis_count++] = static_cast<float>(from);
  }

  void triangles(const TrianglePair* id, int count, int /*maybe*/, const float* squared, [[maybe_unused]] float slack) {
    for (int lane = 0; lane < count; ++lane)
      if (const float distance = std::sqrt(squared[lane]); distance <= limit + slack)
        near.push_back({distance, id[lane]});
    if (near.size() <= kCandidateCap) return;
    std::nth_element(near.begin(), near.begin() + kCandidateCap / 2, near.end(),
                     [](const Candidate& x, const Candidate& y) { return x.distance < y.distance; });
    near.resize(kCandidateCap / 2);
    limit = 0.0f;
    for (const Candidate& c : near) limit = std::max(limit, c.distance);
    truncated = true;
  }
};

}  // namespace

Cover cover_rows(const TreePair& pair, const TreeDistance& closest, double range, int max_rows) {
  const double tolerance = kCoverTolerance * std::min(pair.a->radius(), pair.k * pair.b->radius());
  Cover result;
  result.range = range;
  result.rows.push_back({closest.n, closest.distance, closest.on_a, closest.on_b});
  const auto covered = [&](const Vec3(&ta)[3], const Vec3(&tb)[3]) {
    for (const CoverRow& row : result.rows) {
      double lo = 1e300, hi = -1e300;
      for (int k = 0; k < 3; ++k) {
        lo = std::min(lo, row.n.dot(tb[k]));
        hi = std::max(hi, row.n.dot(ta[k]));
      }
      if (lo - hi >= row.separation - tolerance) return true;
    }
    return false;
  };
  for (int round = 0;; ++round) {
    CoverVisitor visitor(pair, result.range);
    for (const CoverRow& row : result.rows) visitor.add_axis(row.n, row.separation - tolerance);
    Descent descent(pair, visitor);
    descent.run();
    std::sort(visitor.near.begin(), visitor.near.end(), [](const Candidate& x, const Candidate& y) {
      return x.distance != y.distance ? x.distance < y.distance : std::pair(x.id.a, x.id.b) < std::pair(y.id.a, y.id.b);
    });
    for (const Candidate& c : visitor.near) {
      Vec3 ta[3], tb[3];
      pair.triangles(c.id.a, c.id.b, ta, tb);
      if (covered(ta, tb)) continue;
      if (static_cast<int>(result.rows.size()) >= max_rows) {
        result.range = std::min(result.range, std::max<double>(0.0, c.distance - descent.slack));
        return result;
      }
      const TriangleGap gap = triangle_gap(ta, tb);
      if (!(gap.distance > 1e-12)) {
        result.range = 0.0;
        return result;
      }
      result.rows.push_back({(gap.on_b - gap.on_a) / gap.distance, gap.distance, gap.on_a, gap.on_b});
    }
    if (!visitor.truncated) return result;
    if (round >= kTruncatedRounds) {
      result.range = std::min<double>(result.range, visitor.limit);
      return result;
    }
  }
}

}  // namespace s4r
