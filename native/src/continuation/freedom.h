// What a unit may do, in coordinates.
#pragma once

#include "s4r/geometry.h"

namespace s4r {

// Share of a direction that a unit has to be able to follow for it to be of use.
inline constexpr double kFollows = 0.05;

// An orthonormal basis of the vectors (displacements or rotation vectors) that a projector keeps.
struct Freedom {
  int size = 3;
  Mat3 basis = Mat3::Identity();  // its first `size` columns

  // The basis of a plane is chosen by `frame`, an orientation of the unit: it turns with the scene.
  Freedom(const Mat3& projector, const Quat& frame);

  bool full() const { return size == 3; }
  // Coefficients of the form v . x; beyond `size` zero. Exactly v where every vector is allowed.
  Vec3 coordinates(const Vec3& v) const {
    if (full()) return v;
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < size; ++k) x[k] = basis.col(k).dot(v);
    return x;
  }
  Vec3 vector(const Vec3& x) const {
    if (full()) return x;
    Vec3 v = Vec3::Zero();
    for (int k = 0; k < size; ++k) v += x[k] * basis.col(k);
    return v;
  }
  Vec3 project(const Vec3& v) const { return vector(coordinates(v)); }
};

}  // namespace s4r
