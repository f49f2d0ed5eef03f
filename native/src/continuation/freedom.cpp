#include "continuation/freedom.h"

#include <cmath>

namespace s4r {
namespace {

// Unit vector along the longest column of a projector onto a line.
Vec3 direction(const Mat3& line) {
  int longest = 0;
  line.colwise().squaredNorm().maxCoeff(&longest);
  return line.col(longest).normalized();
}

}  // namespace

Freedom::Freedom(const Mat3& projector, const Quat& frame) : size(static_cast<int>(std::lround(projector.trace()))) {
  if (size == 1) basis.col(0) = direction(projector);
  if (size != 2) return;
  const Vec3 normal = direction(Mat3::Identity() - projector);
  const Vec3 x = frame * Vec3::UnitX();
  basis.col(0) = (std::abs(x.dot(normal)) < 0.9 ? x : Vec3(frame * Vec3::UnitY())).cross(normal).normalized();
  basis.col(1) = normal.cross(basis.col(0));
}

}  // namespace s4r
