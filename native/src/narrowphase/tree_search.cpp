#include "narrowphase/tree_search.h"

#include <algorithm>

namespace s4r {
namespace {

constexpr double kSlack = 1e-6;     // of the extent of the pair: about 16 roundings
constexpr double kFarthest = 1e15;  // its square is still a float

Similarity similarity(const Mat3& R, const Vec3& t, double k) {
  Similarity s{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s.column[j][i] = static_cast<float>(R(i, j));
    s.t[i] = static_cast<float>(t[i]);
  }
  s.k = static_cast<float>(k);
  return s;
}

void put_frame(TreeSearch& search, const TreePair& pair, const Mat3& columns) {
  const Mat3 in_b = pair.R.transpose() * columns;
  for (int d = 0; d < 3; ++d)
    for (int x = 0; x < 3; ++x) {
      search.frame_in_a[x][d] = static_cast<float>(columns(d, x));
      search.frame_in_b[x][d] = static_cast<float>(in_b(d, x));
    }
}

}  // namespace

TreeSearch tree_search(const TreePair& pair, double limit) {
  TreeSearch search{};
  search.a = {pair.a->nodes().data(), pair.a->leaves().data()};
  search.b = {pair.b->nodes().data(), pair.b->leaves().data()};
  search.to_a = similarity(pair.R, pair.t, pair.k);
  search.to_b = similarity(pair.R.transpose(), -(pair.R.transpose() * pair.t) / pair.k, 1.0 / pair.k);
  search.slack = static_cast<float>(kSlack * (pair.a->radius() + pair.k * pair.b->radius() + pair.t.norm()));
  search.limit = static_cast<float>(std::min(limit, kFarthest));
  put_frame(search, pair, Mat3::Identity());
  return search;
}

void set_frame(TreeSearch& search, const TreePair& pair, const Vec3& n) {
  // Off the coordinate axis farthest from n.
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  Mat3 columns;
  columns.col(0) = n;
  columns.col(1) = n.cross(Vec3::Unit(least)).normalized();
  columns.col(2) = n.cross(columns.col(1));
  put_frame(search, pair, columns);
}

void set_axis(TreeSearch& search, const TreePair& pair, int k, const Vec3& n) {
  const Vec3 in_b = pair.R.transpose() * n;
  for (int d = 0; d < 3; ++d) {
    search.axis_in_a[k][d] = static_cast<float>(n[d]);
    search.axis_in_b[k][d] = static_cast<float>(in_b[d]);
  }
}

}  // namespace s4r
