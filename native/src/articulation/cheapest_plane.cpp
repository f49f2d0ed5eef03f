#include "articulation/cheapest_plane.h"

#include "geometry/directions.h"

namespace s4r {
namespace {

constexpr double kKept = 0.5;        // factor on the cost of a plane that looks as the last one did
constexpr double kSameWay = 0.9;     // cosine
constexpr std::size_t kSpread = 26;  // directions all around

PlacedShape placed(const Model& links, int geom, const Quat& turn, const Vec3& from) {
  const ModelGeom& g = links.geoms[geom];
  return {&links.shape(g), {from + (g.unit >= 0 ? Vec3(turn * g.offset) : Vec3(Vec3::Zero())), turn * g.q}};
}

// Points of the row: where the two touch once B is pushed out along it.
void touch(const PlacedShape& a, const PlacedShape& b, const Vec3& offset, PlaneRow& row) {
  const Vec3 push = (1.0 + 1e-3) * std::max(0.0, row.reach - row.n.dot(offset)) * row.n;
  const ConvexGap gap = convex_gap(a, {b.shape, {b.X.p + push, b.X.q}}, row.n);
  row.y_a = gap.on_a;
  row.y_b = gap.on_b - push - offset;
}

}  // namespace

std::optional<PricedPlane> cheapest_plane(const Model& links, const SeparationAssets& assets,
                                          const SeparationPair& pair, const Relative& at, double margin,
                                          const Vec3& last, RowMap& map, const BoundedCoordinates& coordinates) {
  const PlacedShape a = placed(links, pair.geom_a, at.turn_a, Vec3::Zero());
  const PlacedShape b = placed(links, pair.geom_b, at.turn_b, at.offset);
  const PairGeometry geometry(links, assets, pair.geom_a, pair.geom_b, at.turn_a, at.turn_b);
  std::vector<Vec3> directions{best_separating_plane(a, b, {at.offset}).n, links.scene.up, -links.scene.up};
  if (!last.isZero(0.0)) directions.push_back(last);
  for (const Vec3& n : face_directions(a)) directions.push_back(n);
  for (const Vec3& n : face_directions(b)) directions.push_back(-n);
  for (std::size_t k = 0; k < kSpread; ++k) directions.push_back(spread_direction(k));
  std::optional<PricedPlane> best;
  for (const Vec3& n : directions) {
    const PlaneRow plane = geometry.row_from(n);
    // Points of the two hulls that are farthest along n may lie far beside each other: a turn of both together would
    // count. One point for both, as where they touch.
    const Vec3 middle = 0.5 * (plane.y_a + plane.y_b + at.offset);
    ProjectionRow row{pair.unit_a, pair.unit_b, n, margin + plane.reach - n.dot(at.offset)};
    row.lever_i = middle.cross(n);
    row.lever_j = (middle - at.offset).cross(n);
    double cost = least_cost(map.row(row), coordinates);
    if (!last.isZero(0.0) && n.dot(last) > kSameWay) cost *= kKept;
    if (std::isfinite(cost) && (!best || cost < best->cost)) best = {plane, cost};
  }
  if (best) touch(a, b, at.offset, best->row);
  return best;
}

}  // namespace s4r
