#include "scene/length_unit.h"

#include <algorithm>

#include "geometry/support.h"
#include "scene/links.h"

namespace s4r {
namespace {

constexpr double kTargetSize = 0.1;  // App. A.7

double median_extent(const Scene& scene, bool movable_only) {
  const std::vector<int> links = links_of(scene);
  std::vector<double> shape_extent(scene.shapes.size(), -1.0);
  std::vector<double> extents;
  for (const Geom& g : scene.geoms) {
    const Shape& shape = scene.shapes[g.shape];
    if (shape.kind == ShapeKind::kHalfspace || (movable_only && links[g.body] < 0)) continue;
    double& extent = shape_extent[g.shape];
    if (extent < 0.0) {
      const Box3 box = bounds(shape, {});
      extent = (box.hi - box.lo).maxCoeff();
    }
    extents.push_back(extent);
  }
  if (extents.empty()) return 0.0;
  std::nth_element(extents.begin(), extents.begin() + extents.size() / 2, extents.end());
  return extents[extents.size() / 2];
}

}  // namespace

double length_unit(const Scene& scene) {
  for (const bool movable_only : {true, false})
    if (const double extent = median_extent(scene, movable_only); extent > 0.0) return extent / kTargetSize;
  return 1.0;
}

}  // namespace s4r
