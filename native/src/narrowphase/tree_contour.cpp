#include "narrowphase/tree_query.h"
#include "narrowphase/triangle_pair.h"

namespace s4r {

Vec3 parting_direction(const TreePair& pair) {
  std::vector<TrianglePair> hits;
  crossing_triangles(pair, hits);
  Vec3 contour = Vec3::Zero(), area = Vec3::Zero();
  for (const TrianglePair& id : hits) {
    Vec3 ta[3], tb[3], from, to;
    pair.triangles(id.a, id.b, ta, tb);
    const Vec3 na = (ta[1] - ta[0]).cross(ta[2] - ta[0]), nb = (tb[1] - tb[0]).cross(tb[2] - tb[0]);
    area += na - nb;
    if (!triangle_intersection(ta, tb, from, to)) continue;
    if (na.cross(nb).dot(to - from) < 0.0) std::swap(from, to);
    contour += 0.5 * from.cross(to);
  }
  const double sign = contour.dot(area);
  return sign > 0.0 ? contour : sign < 0.0 ? Vec3(-contour) : area;
}

}  // namespace s4r
