#include "narrowphase/box_fit.h"

#include <cmath>
#include <initializer_list>

#include "narrowphase/simd.h"

namespace s4r {
namespace {

constexpr int kSweeps = 6;  // of Jacobi's method; three do for most

// Eigenvectors of a symmetric matrix as columns of `vectors`, by Jacobi rotations: orthonormal to rounding whatever the
// matrix is.
void eigenvectors(double (&m)[3][3], double (&vectors)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) vectors[i][j] = i == j ? 1.0 : 0.0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const double off = std::abs(m[0][1]) + std::abs(m[0][2]) + std::abs(m[1][2]);
    if (!(off > 1e-5 * (m[0][0] + m[1][1] + m[2][2]))) return;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0.0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        const int r = 3 - p - q;
        m[p][p] -= t * m[p][q];
        m[q][q] += t * m[p][q];
        m[p][q] = m[q][p] = 0.0;
        const double rp = m[r][p], rq = m[r][q];
        m[r][p] = m[p][r] = c * rp - s * rq;
        m[r][q] = m[q][r] = s * rp + c * rq;
        for (auto& row : vectors) {
          const double vp = row[p], vq = row[q];
          row[p] = c * vp - s * vq;
          row[q] = s * vp + c * vq;
        }
      }
  }
}

}  // namespace

OrientedBox fit_box(const FloatTriangle* triangles, const int* id, int count, const OrientedBox& frame) {
  const F4 origin = F4::load(triangles[id[0]].v[0]);
  F4 lo(1e30f), hi(-1e30f), sum(0.0f), square[3] = {F4(0.0f), F4(0.0f), F4(0.0f)};
  for (int k = 0; k < count; ++k)
    for (const auto& corner : triangles[id[k]].v) {
      const F4 p = F4::load(corner), d = p - origin;
      lo = min(lo, p);
      hi = max(hi, p);
      sum = sum + d;
      alignas(16) float component[4];
      d.store(component);
      for (int c = 0; c < 3; ++c) square[c] = square[c] + F4(component[c]) * d;
    }
  OrientedBox straight{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {}, {}};
  lo.store(straight.lo);
  hi.store(straight.hi);

  float s[4], moment[3][4];
  sum.store(s);
  for (int c = 0; c < 3; ++c) square[c].store(moment[c]);
  double m[3][3], vectors[3][3];
  const double n = 3.0 * count;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m[i][j] = moment[i][j] - static_cast<double>(s[i]) * s[j] / n;
  eigenvectors(m, vectors);
  OrientedBox principal{};
  float row[3][4] = {};  // components of the axes, by coordinate
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d) row[d][k] = principal.axes[k][d] = static_cast<float>(vectors[d][k]);
  const F4 x = F4::load(row[0]), y = F4::load(row[1]), z = F4::load(row[2]);
  lo = F4(1e30f);
  hi = F4(-1e30f);
  for (int k = 0; k < count; ++k)
    for (const auto& p : triangles[id[k]].v) {
      const F4 along = x * F4(p[0]) + y * F4(p[1]) + z * F4(p[2]);
      lo = min(lo, along);
      hi = max(hi, along);
    }
  lo.store(principal.lo);
  hi.store(principal.hi);
  const OrientedBox* best = &frame;
  for (const OrientedBox* box : {&straight, &principal})
    if (box->area() < best->area()) best = box;
  return *best;
}

}  // namespace s4r
