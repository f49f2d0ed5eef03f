#include "narrowphase/narrowphase.h"

namespace s4r {

Score score_halfspace(const Pose& X_a, const Shape& b, const Pose& X_b) {
  const Vec3 n = X_a.q * Vec3::UnitZ();
  const Vec3 lowest = X_b.p + X_b.q * support_point(b, X_b.q.conjugate() * -n);
  Score score;
  score.normal = n;
  score.point = lowest;
  score.distance = n.dot(lowest - X_a.p);
  if (std::abs(score.distance) <= kTouching) score.distance = 0.0;
  return score;
}

}  // namespace s4r
