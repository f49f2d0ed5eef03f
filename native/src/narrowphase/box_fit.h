// Tight oriented boxes of triangles, in float.
#pragma once

namespace s4r {

struct FloatTriangle {
  float v[3][4];  // the fourth component is 0
};

// Columns of axes[k]: the k-th axis, its fourth component 0.
struct OrientedBox {
  float axes[3][4];
  float lo[4], hi[4];  // along the axes

  float area() const {  // a quarter of it
    const float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x * y + y * z + z * x;
  }
};

// The box of least area among `frame` (given along its axes), along the coordinate axes, and along the principal axes
// of the corners of triangles[id[0 .. count - 1]].
OrientedBox fit_box(const FloatTriangle* triangles, const int* id, int count, const OrientedBox& frame);

}  // namespace s4r
