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

// Points: the solution is a displacement each.
struct Particles {
  const std::vector<ProjectionRow>& rows;
  const std::vector<double>& inverse_weights;
  std::vector<Vec3>& x;

  double weight(int body) const { return body < 0 ? 0.0 : inverse_weights[body]; }
  double mass(int r) const { return weight(rows[r].i) + weight(rows[r].j); }
  double value(int r) const {
    const ProjectionRow& row = rows[r];
    double value = 0.0;
    if (row.j >= 0) value += row.n.dot(x[row.j]);
    if (row.i >= 0) value -= row.n.dot(x[row.i]);
    return value;
  }
  void push(int r, double delta) {
    const ProjectionRow& row = rows[r];
    if (row.i >= 0) x[row.i] -= (delta * weight(row.i)) * row.n;
    if (row.j >= 0) x[row.j] += (delta * weight(row.j)) * row.n;
  }
};

// Rigid bodies. `response`: step of each side for a multiplier of 1.
struct RigidBodies {
  struct Response {
    RigidStep i, j;
    double mass = 0.0;
  };

  const std::vector<ProjectionRow>& rows;
  std::vector<RigidStep>& x;
  std::vector<Response> responses;

  RigidBodies(const std::vector<ProjectionRow>& given, const std::vector<RigidFreedom>& freedoms,
              std::vector<RigidStep>& steps)
      : rows(given), x(steps), responses(given.size()) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const ProjectionRow& row = rows[r];
      Response& response = responses[r];
      const auto side = [&](int body, const Vec3& lever) -> RigidStep {
        if (body < 0) return {};
        const RigidStep step{freedoms[body].translate * row.n, freedoms[body].turn * lever};
        response.mass += row.n.dot(step.p) + lever.dot(step.w);
        return step;
      };
      response.i = side(row.i, row.lever_i);
      response.j = side(row.j, row.lever_j);
    }
  }

  double mass(int r) const { return responses[r].mass; }
  double value(int r) const {
    const ProjectionRow& row = rows[r];
    double value = 0.0;
    if (row.j >= 0) value += row.n.dot(x[row.j].p) + row.lever_j.dot(x[row.j].w);
    if (row.i >= 0) value -= row.n.dot(x[row.i].p) + row.lever_i.dot(x[row.i].w);
    return value;
  }
  void push(int r, double delta) {
    const ProjectionRow& row = rows[r];
    const Response& response = responses[r];
    if (row.i >= 0) {
      x[row.i].p -= delta * response.i.p;
      x[row.i].w -= delta * response.i.w;
    }
    if (row.j >= 0) {
      x[row.j].p += delta * response.j.p;
      x[row.j].w += delta * response.j.w;
    }
  }
};

template <typename Bodies>
struct Sweeper {
  std::vector<ProjectionRow>& rows;
  Bodies& bodies;
  const ProjectionSettings& settings;
  // Sweep in which the body last changed. A row whose bodies did not change since its last look cannot change either.
  std::vector<int> changed;

  // Returns how far the row's bodies moved relative to each other.
  double relax(int r, int sweep) {
    ProjectionRow& row = rows[r];
    if ((row.i < 0 || changed[row.i] < sweep - 1) && (row.j < 0 || changed[row.j] < sweep - 1)) return 0.0;
    const double mass = bodies.mass(r);
    if (!(mass > 0.0)) return 0.0;
    const double lambda = std::max(0.0, row.lambda + (row.b - bodies.value(r)) / mass);
    const double delta = lambda - row.lambda;
    if (delta == 0.0) return 0.0;
    row.lambda = lambda;
    bodies.push(r, delta);
    const double step = std::abs(delta) * mass;
    if (step > 0.3 * settings.tolerance) {
      if (row.i >= 0) changed[row.i] = sweep;
      if (row.j >= 0) changed[row.j] = sweep;
    }
    return step;
  }

  void solve(const std::vector<int>& component) {
    for (const int r : component)
      if (rows[r].lambda > 0.0) bodies.push(r, rows[r].lambda);
    for (int sweep = 1; sweep <= settings.max_sweeps; ++sweep) {
      double largest = 0.0;
      if (sweep % 2 == 1)
        for (auto r = component.begin(); r != component.end(); ++r) largest = std::max(largest, relax(*r, sweep));
      else
        for (auto r = component.rbegin(); r != component.rend(); ++r) largest = std::max(largest, relax(*r, sweep));
      if (largest < settings.tolerance) break;
    }
  }
};

template <typename Bodies>
void sweep_all(std::vector<ProjectionRow>& rows, Bodies& bodies, std::size_t count, const ProjectionSettings& settings,
               int threads) {
  Sweeper<Bodies> sweeper{rows, bodies, settings, std::vector<int>(count, 0)};
  const std::vector<std::vector<int>> parts = components(rows, count);
  parallel_for(parts.size(), threads, [&](std::size_t c) { sweeper.solve(parts[c]); });
}

}  // namespace

void project(std::vector<ProjectionRow>& rows, const std::vector<double>& inverse_weights, std::vector<Vec3>& x,
             const ProjectionSettings& settings, int threads) {
  Particles particles{rows, inverse_weights, x};
  sweep_all(rows, particles, x.size(), settings, threads);
}

void project(std::vector<ProjectionRow>& rows, const std::vector<RigidFreedom>& freedoms, std::vector<RigidStep>& x,
             const ProjectionSettings& settings, int threads) {
  RigidBodies bodies(rows, freedoms, x);
  sweep_all(rows, bodies, x.size(), settings, threads);
}

}  // namespace s4r
