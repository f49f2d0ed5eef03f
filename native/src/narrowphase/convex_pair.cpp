// Two convex solids: exact distance with the plane that proves it, or the best separating plane found.
#include "geometry/separating_plane.h"
#include "narrowphase/parts.h"

namespace s4r {

Score score_convex(const Shape& a, const Shape& b, const Pose& X_ab) {
  const PlacedShape in_a{&a, {}}, in_b{&b, X_ab};
  const ConvexGap gap = convex_gap(in_a, in_b, bounds(b, X_ab).centre() - bounds(a, {}).centre());
  Score score;
  score.distance = gap.separation;
  score.normal = gap.n;
  score.point = 0.5 * (gap.on_a + gap.on_b);
  if (gap.separated()) return score;
  // GJK stops at the first proof of overlap: its plane is a start, not the depth.
  const SeparatingPlane plane = best_separating_plane(in_a, in_b, {gap.n});
  score.distance = plane.separation;
  score.normal = plane.n;
  return score;
}

}  // namespace s4r
