#include "separation/projection.h"

#include <algorithm>
#include <cmath>

#include "util/groups.h"
#include "util/parallel.h"

namespace s4r {
namespace {

// Row indices of each connected component, by its lowest body.
std::vector<std::vector<int>> components(const std::vector<ProjectionRow>& rows, std::size_t bodies) {
  Groups groups(bodies);
  for (const ProjectionRow& row : rows)
    if (row.i >= 0 && row.j >= 0) groups.join(row.i, row.j);
  std::vector<int> index(bodies, -1);
  std::vector<std::vector<int>> found;
  for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
    const int body = rows[r].i >= 0 ? rows[r].i : rows[r].j;
    if (body < 0) continue;
    int& component = index[groups.find(body)];
    if (component < 0) {
      component = static_cast<int>(found.size());
      found.emplace_back();
    }
    found[component].push_back(r);
  }
  return found;
}

struct Sweeper {
  std::vector<ProjectionRow>& rows;
  const std::vector<double>& inverse_weights;
  std::vector<Vec3>& x;
  const ProjectionSettings& settings;
  // Sweep in which the body last changed. A row whose bodies did not change since its last look cannot change either.
  std::vector<int> changed;

  double weight(int body) const { return body < 0 ? 0.0 : inverse_weights[body]; }
  void push(const ProjectionRow& row, double delta) {
    if (row.i >= 0) x[row.i] -= (delta * weight(row.i)) * row.n;
    if (row.j >= 0) x[row.j] += (delta * weight(row.j)) * row.n;
  }
  // Returns how far the row's bodies moved relative to each other.
  double relax(ProjectionRow& row, int sweep) {
    if ((row.i < 0 || changed[row.i] < sweep - 1) && (row.j < 0 || changed[row.j] < sweep - 1)) return 0.0;
    const double mass = weight(row.i) + weight(row.j);
    if (!(mass > 0.0)) return 0.0;
    double value = 0.0;
    if (row.j >= 0) value += row.n.dot(x[row.j]);
    if (row.i >= 0) value -= row.n.dot(x[row.i]);
    const double lambda = std::max(0.0, row.lambda + (row.b - value) / mass);
    const double delta = lambda - row.lambda;
    if (delta == 0.0) return 0.0;
    row.lambda = lambda;
    push(row, delta);
    const double step = std::abs(delta) * mass;
    if (step > 0.3 * settings.tolerance) {
      if (row.i >= 0) changed[row.i] = sweep;
      if (row.j >= 0) changed[row.j] = sweep;
    }
    return step;
  }

  void solve(const std::vector<int>& component) {
    for (const int r : component)
      if (rows[r].lambda > 0.0) push(rows[r], rows[r].lambda);
    for (int sweep = 1; sweep <= settings.max_sweeps; ++sweep) {
      double largest = 0.0;
      if (sweep % 2 == 1)
        for (auto r = component.begin(); r != component.end(); ++r) largest = std::max(largest, relax(rows[*r], sweep));
      else
        for (auto r = component.rbegin(); r != component.rend(); ++r)
          largest = std::max(largest, relax(rows[*r], sweep));
      if (largest < settings.tolerance) break;
    }
  }
};

}  // namespace

void project(std::vector<ProjectionRow>& rows, const std::vector<double>& inverse_weights, std::vector<Vec3>& x,
             const ProjectionSettings& settings, int threads) {
  Sweeper sweeper{rows, inverse_weights, x, settings, std::vector<int>(x.size(), 0)};
  const std::vector<std::vector<int>> parts = components(rows, x.size());
  parallel_for(parts.size(), threads, [&](std::size_t c) { sweeper.solve(parts[c]); });
}

}  // namespace s4r
