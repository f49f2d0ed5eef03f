#include "broadphase/sweep.h"

#include <algorithm>
#include <numeric>

namespace s4r {

std::vector<std::pair<int, int>> overlapping_pairs(const std::vector<Box3>& boxes) {
  // Sweep along the axis with the largest spread of box centres: fewest boxes overlap in projection.
  Vec3 mean = Vec3::Zero(), square = Vec3::Zero();
  for (const Box3& b : boxes) {
    const Vec3 c = b.centre();
    mean += c;
    square += c.cwiseProduct(c);
  }
  const double n = std::max<double>(1.0, static_cast<double>(boxes.size()));
  int axis = 0;
  (square / n - (mean / n).cwiseProduct(mean / n)).maxCoeff(&axis);

  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return boxes[a].lo[axis] != boxes[b].lo[axis] ? boxes[a].lo[axis] < boxes[b].lo[axis] : a < b;
  });
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t a = 0; a < order.size(); ++a) {
    const Box3& box = boxes[order[a]];
    for (std::size_t b = a + 1; b < order.size() && boxes[order[b]].lo[axis] <= box.hi[axis]; ++b)
      if (box.overlaps(boxes[order[b]])) pairs.push_back(std::minmax(order[a], order[b]));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace s4r
