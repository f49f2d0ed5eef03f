#include "separation/projection.h"

#include <algorithm>
#include <cmath>

namespace s4r {

int project(std::vector<ProjectionRow>& rows, const std::vector<double>& inverse_weights, std::vector<Vec3>& x,
            const ProjectionSettings& settings) {
  const auto weight = [&](int body) { return body < 0 ? 0.0 : inverse_weights[body]; };
  const auto push = [&](const ProjectionRow& row, double delta) {
    if (row.i >= 0) x[row.i] -= (delta * weight(row.i)) * row.n;
    if (row.j >= 0) x[row.j] += (delta * weight(row.j)) * row.n;
  };
  for (const ProjectionRow& row : rows)
    if (row.lambda > 0.0) push(row, row.lambda);
  // A row whose bodies did not change since its last look cannot change either.
  std::vector<char> changed(x.size(), 1), changing(x.size(), 0);
  int sweep = 0;
  for (; sweep < settings.max_sweeps; ++sweep) {
    double largest = 0.0;
    const auto relax = [&](ProjectionRow& row) {
      if ((row.i < 0 || !(changed[row.i] | changing[row.i])) && (row.j < 0 || !(changed[row.j] | changing[row.j])))
        return;
      const double mass = weight(row.i) + weight(row.j);
      if (!(mass > 0.0)) return;
      double value = 0.0;
      if (row.j >= 0) value += row.n.dot(x[row.j]);
      if (row.i >= 0) value -= row.n.dot(x[row.i]);
      const double lambda = std::max(0.0, row.lambda + (row.b - value) / mass);
      const double delta = lambda - row.lambda;
      if (delta == 0.0) return;
      row.lambda = lambda;
      push(row, delta);
      const double step = std::abs(delta) * mass;
      largest = std::max(largest, step);
      if (step > 0.3 * settings.tolerance) {
        if (row.i >= 0) changing[row.i] = 1;
        if (row.j >= 0) changing[row.j] = 1;
      }
    };
    if (sweep % 2 == 0)
      std::for_each(rows.begin(), rows.end(), relax);
    else
      std::for_each(rows.rbegin(), rows.rend(), relax);
    if (largest < settings.tolerance) break;
    changed.swap(changing);
    std::fill(changing.begin(), changing.end(), 0);
  }
  return sweep + 1;
}

}  // namespace s4r
