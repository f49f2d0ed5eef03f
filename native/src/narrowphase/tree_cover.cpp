#include <algorithm>
#include <cmath>

#include "narrowphase/tree_search.h"

namespace s4r {
namespace {

constexpr double kCoverTolerance = 1e-4;  // of the smaller radius: a pair this much closer along a row still counts
constexpr std::size_t kCandidateCap = 512;
constexpr int kTruncatedRounds = 3;

// A row as the triangles' own vertices see it: n . x_B = in_b . p_B + offset.
struct RowTest {
  Vec3 in_a, in_b;
  double offset, needed;

  bool covers(const TreePair& pair, const TrianglePair& id) const {
    const auto& a = pair.a->mesh();
    const auto& b = pair.b->mesh();
    double lo = 1e300, hi = -1e300;
    for (const int v : a.triangles[id.a]) hi = std::max(hi, in_a.dot(a.vertices[v]));
    for (const int v : b.triangles[id.b]) lo = std::min(lo, in_b.dot(b.vertices[v]));
    return lo + offset - hi >= needed;
  }
};

// Pairs within the limit that no row of the start covers.
struct Uncovered {
  TreeSearch search;
  std::vector<Candidate>& near;
  bool truncated = false;

  Uncovered(const TreePair& pair, double range, std::vector<Candidate>& scratch)
      : search(tree_search(pair, range)), near(scratch) {
    near.clear();
    search.context = this;
    search.report = [](TreeSearch& s, const int* a, const int* b, int lanes, int, const float* lower) {
      static_cast<Uncovered*>(s.context)->report(a, b, lanes, lower);
    };
  }

  void add_axis(const TreePair& pair, const Vec3& n, double needed) {
    set_axis(search, pair, search.axis_count, n);
    search.separation[search.axis_count++] = static_cast<float>(needed) + search.slack;
  }

  // Past the cap the nearer half stays.
  void report(const int* a, const int* b, int lanes, const float* lower) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = __builtin_ctz(lanes);
      near.push_back({std::sqrt(lower[lane]), {a[lane], b[lane]}});
    }
    if (near.size() <= kCandidateCap) return;
    std::nth_element(near.begin(), near.begin() + kCandidateCap / 2, near.end(),
                     [](const Candidate& x, const Candidate& y) { return x.lower < y.lower; });
    near.resize(kCandidateCap / 2);
    search.limit = 0.0f;
    for (const Candidate& c : near) search.limit = std::max(search.limit, c.lower);
    truncated = true;
  }

  // The closest candidate, taken out of the list.
  Candidate take() {
    const auto closest = std::min_element(near.begin(), near.end(), [](const Candidate& x, const Candidate& y) {
      return x.lower != y.lower ? x.lower < y.lower : std::pair(x.id.a, x.id.b) < std::pair(y.id.a, y.id.b);
    });
    const Candidate taken = *closest;
    *closest = near.back();
    near.pop_back();
    return taken;
  }
};

}  // namespace

Cover cover_rows(const TreePair& pair, const TreeDistance& closest, double range, int max_rows) {
  thread_local std::vector<Candidate> scratch;
  const double tolerance = kCoverTolerance * std::min(pair.a->radius(), pair.k * pair.b->radius());
  Cover result;
  result.range = range;
  std::vector<RowTest> tests;
  const auto add_row = [&](const CoverRow& row) {
    result.rows.push_back(row);
    tests.push_back({row.n, pair.k * (pair.R.transpose() * row.n), row.n.dot(pair.t), row.separation - tolerance});
  };
  add_row({closest.n, closest.distance, closest.on_a, closest.on_b});
  for (int round = 0;; ++round) {
    Uncovered uncovered(pair, result.range, scratch);
    const std::size_t searched = std::min<std::size_t>(tests.size(), kMaxAxes);  // rows the search knows
    for (std::size_t k = 0; k < searched; ++k) uncovered.add_axis(pair, tests[k].in_a, tests[k].needed);
    kernels_of(pair).find_near(uncovered.search);
    const auto drop_covered = [&](const RowTest& test) {
      std::erase_if(uncovered.near, [&](const Candidate& c) { return test.covers(pair, c.id); });
    };
    std::for_each(tests.begin() + static_cast<std::ptrdiff_t>(searched), tests.end(), drop_covered);
    while (!uncovered.near.empty()) {
      const Candidate c = uncovered.take();
      if (static_cast<int>(result.rows.size()) >= max_rows) {
        result.range = std::min(result.range, std::max<double>(0.0, c.lower - uncovered.search.slack));
        return result;
      }
      const TriangleGap gap = gap_of(pair, c.id);
      if (!(gap.distance > 1e-12)) {
        result.range = 0.0;
        return result;
      }
      add_row({(gap.on_b - gap.on_a) / gap.distance, gap.distance, gap.on_a, gap.on_b});
      drop_covered(tests.back());
    }
    if (!uncovered.truncated) return result;
    if (round >= kTruncatedRounds) {
      result.range = std::min<double>(result.range, std::max(0.0f, uncovered.search.limit - uncovered.search.slack));
      return result;
    }
  }
}

}  // namespace s4r
