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
    ProjectionRow row{pair.unit_a, pair.unit_b, n, margin + plane.reach - n.dot(at.offset)};
    row.lever_i = plane.y_a.cross(n);
    row.lever_j = plane.y_b.cross(n);
    double cost = least_cost(map.row(row), coordinates);
    if (!last.isZero(0.0) && n.dot(last) > kSameWay) cost *= kKept;
    if (std::isfinite(cost) && (!best || cost < best->cost)) best = {plane, cost};
  }
  return best;
}

}  // namespace s4r
