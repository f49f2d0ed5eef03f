#include "continuation/schedule.h"

#include <algorithm>

#include "broadphase/box_pairs.h"

namespace s4r {

Schedule::Schedule(const Model& model, const Detector& detector, const ReferenceOptions& options, bool event_jumps,
                   const State& start)
    : stride_(options.stride), event_jumps_(event_jumps), adaptive_skip_(options.adaptive_skip) {
  if (!event_jumps_) return;
  // Only pairs whose full-scale balls touch have an event below s = 1.
  std::vector<int> ids;
  std::vector<Box3> boxes;
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const ModelGeom& geom = model.geoms[g];
    if (geom.halfspace) continue;
    ids.push_back(g);
    const Vec3 centre = geom.unit >= 0 ? start.p[geom.unit] : geom.box.centre();
    const double radius = geom.unit >= 0 ? geom.radius : (geom.box.hi - centre).norm();
    boxes.push_back(Box3{centre, centre}.padded(radius + detector.reach()));
  }
  for (const auto& [i, j] : overlapping_pairs(boxes)) {
    const int a = ids[i], b = ids[j];
    if (model.geoms[a].unit == model.geoms[b].unit || !model.rule.allowed(a, b)) continue;
    const double event = detector.event_scale(a, b, start.p);
    if (event < 1.0) events_.push_back(event);
  }
  std::sort(events_.begin(), events_.end());
}

double Schedule::increment(double s, bool previous_contact_free) const {
  if (event_jumps_) {
    const auto next = std::upper_bound(events_.begin(), events_.end(), s);
    const double to_event = next == events_.end() ? 1.0 : *next - s;
    if (to_event > stride_) return std::min(to_event, 3.0 * stride_);
  }
  return adaptive_skip_ && previous_contact_free ? 2.0 * stride_ : stride_;
}

}  // namespace s4r
