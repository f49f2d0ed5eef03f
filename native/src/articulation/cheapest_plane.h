// Which plane between two links that overlap costs least in what may move.
#pragma once

#include <optional>

#include "articulation/row_map.h"
#include "separation/pair_update.h"

namespace s4r {

// Of the planes between the convex hulls of the pair, across faces of either, the direction of least depth, `up`,
// directions all around, and `last`, if it is not zero, that is preferred to others: the one whose row alone asks for
// the least step. Nothing if every one is out of reach.
struct PricedPlane {
  PlaneRow row;
  double cost = 0.0;
};
std::optional<PricedPlane> cheapest_plane(const Model& links, const SeparationAssets& assets,
                                          const SeparationPair& pair, const Relative& at, double margin,
                                          const Vec3& last, RowMap& map, const BoundedCoordinates& coordinates);

}  // namespace s4r
