#include "gaps.h"

#include "narrowphase/tree_query.h"
#include "problem.h"
#include "separation/pair_geometry.h"

namespace s4r::bench {
namespace {

TreePair trees_at(const Problem& problem, const SeparationAssets& assets, const Contact& c) {
  const ModelGeom& a = problem.model.geoms[c.geom_a];
  const ModelGeom& b = problem.model.geoms[c.geom_b];
  const Vec3 between = problem.state.p[b.unit] + b.offset - problem.state.p[a.unit] - a.offset;
  const Quat to_a = a.q.conjugate();
  return {assets.tree(a.shape), assets.tree(b.shape), (to_a * b.q).toRotationMatrix(), to_a * between, 1.0};
}

}  // namespace

Gaps measure_gaps(const Scene& scene, double range, const Interrupt& interrupt) {
  Problem problem(scene, kClearance, interrupt);
  const SeparationAssets assets(problem.model);
  Gaps gaps;
  for (const Contact& c : problem.detect(range / problem.model.unit_length)) {
    const double distance = c.distance * problem.model.unit_length;
    if (distance < range) gaps.distances.push_back(distance);
    std::vector<TrianglePair> crossing;
    crossing_triangles(trees_at(problem, assets, c), crossing);
    gaps.crossings += static_cast<long>(crossing.size());
  }
  return gaps;
}

}  // namespace s4r::bench
