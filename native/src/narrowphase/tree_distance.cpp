#include "narrowphase/tree_descent.h"

namespace s4r {
namespace {

struct DistanceVisitor {
  const TreePair& pair;
  bool done = false;
  float limit;
  int axis_count = 0;
  float axis[1][3];
  float axis_limit(int) const { return limit; }
  TrianglePair hit;
  std::vector<Candidate> near;

  DistanceVisitor(const TreePair& p, double dmax) : pair(p), limit(static_cast<float>(dmax)) {}

  void point_axis(const Vec3& n) {
    axis_count = 1;
    for (int d = 0; d < 3; ++d) axis[0][d] = static_cast<float>(n[d]);
  }

  void triangles(const TrianglePair* id, int count, int maybe, const float* squared, [[maybe_unused]] float slack) {
    for (int lane = 0; lane < count; ++lane) {
      if ((maybe >> lane & 1) != 0 && crosses(pair, id[lane])) {
        hit = id[lane];
        done = true;
        return;
      }
      const float distance = std::sqrt(squared[lane]);
      if (distance > limit + slack) continue;
      near.push_back({distance, id[lane]});
      if (distance >= limit) continue;
      // A clearly better witness also turns the pruning axis.
      if (distance < 0.8f * limit || axis_count == 0) {
        Vec3 ta[3], tb[3];
        pair.triangles(id[lane].a, id[lane].b, ta, tb);
        const TriangleGap gap = triangle_gap(ta, tb);
        if (gap.distance > 1e-12) point_axis((gap.on_b - gap.on_a) / gap.distance);
      }
      limit = distance;
    }
  }
};

}  // namespace

TreeDistance tree_distance(const TreePair& pair, double dmax, const TrianglePair* cached) {
  TreeDistance result;
  DistanceVisitor visitor(pair, dmax);
  const auto gap_of = [&](const TrianglePair& id) {
    Vec3 ta[3], tb[3];
    pair.triangles(id.a, id.b, ta, tb);
    return triangle_gap(ta, tb);
  };
  if (cached != nullptr && cached->a >= 0) {
    if (crosses(pair, *cached)) {
      result.found = result.crossing = true;
      result.witness = *cached;
      return result;
    }
    const TriangleGap gap = gap_of(*cached);
    if (gap.distance < dmax) {
      visitor.limit = static_cast<float>(gap.distance);
      visitor.near.push_back({visitor.limit, *cached});
      if (gap.distance > 1e-12) visitor.point_axis((gap.on_b - gap.on_a) / gap.distance);
    }
  }
  Descent descent(pair, visitor);
  descent.run();
  if (visitor.done) {
    result.found = result.crossing = true;
    result.witness = visitor.hit;
    return result;
  }
  result.distance = dmax;
  // Float distances err by the slack: every near tie is measured in double.
  for (const Candidate& c : visitor.near) {
    if (c.distance > visitor.limit + 2.0f * descent.slack) continue;
    const TriangleGap gap = gap_of(c.id);
    const bool tie =
        gap.distance == result.distance && std::pair(c.id.a, c.id.b) < std::pair(result.witness.a, result.witness.b);
    if (!(gap.distance < result.distance) && !(tie && result.found)) continue;
    result.found = true;
    result.distance = gap.distance;
    result.witness = c.id;
    result.on_a = gap.on_a;
    result.on_b = gap.on_b;
  }
  if (result.found && result.distance > 0.0) result.n = (result.on_b - result.on_a) / result.distance;
  return result;
}

}  // namespace s4r
