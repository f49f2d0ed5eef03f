// Units raised to the lowest place where they are free.
#include <algorithm>

#include "placement/layout.h"
#include "s4r/placement.h"

namespace s4r {
namespace {

constexpr double kClearance = 1e-4;       // as the solver's
constexpr double kGrain = 1e-5;           // resolution of heights
constexpr double kFloor = 0.5;            // half-spaces whose normal leans less than this towards `up` are walls
constexpr double kMeshStep = 1.0 / 16.0;  // of the unit's height
constexpr int kMaxPushes = 32;

class Lifter {
 public:
  Lifter(const Layout& layout, int unit) : layout_(layout), unit_(unit), up_(layout.up()) {
    bottom_ = -layout.unit_extent(unit, -up_);
    top_ = bottom_;
    for (std::size_t g = 0; g < layout.model().geoms.size(); ++g)
      if (!layout.model().geoms[g].halfspace) top_ = std::max(top_, layout.extent(static_cast<int>(g), up_));
    step_ = std::max(kMeshStep * (layout.unit_extent(unit, up_) - bottom_), kClearance);
  }

  // The displacement, or none if there is no place. `height`: its share along `up`.
  std::optional<Vec3> run(double& height) const {
    const std::optional<Vec3> aside = off_walls();
    if (!aside) return std::nullopt;
    const double ceiling = top_ - bottom_ + 2.0 * kClearance;
    const auto pairs = layout_.neighbours(unit_, *aside, *aside + ceiling * up_);
    double t = 0.0;
    while (const std::optional<GeomPair> met = first_overlap(pairs, *aside + t * up_)) {
      const std::optional<double> next = free_of(*met, *aside, t);
      if (!next) return std::nullopt;
      t = *next + kClearance;
    }
    height = t;
    return *aside + t * up_;
  }

 private:
  std::optional<GeomPair> first_overlap(const std::vector<GeomPair>& pairs, const Vec3& shift) const {
    for (const GeomPair& pair : pairs)
      if (layout_.overlap(pair, shift)) return pair;
    return std::nullopt;
  }

  Vec3 normal(int plane) const { return layout_.model().geoms[plane].q * Vec3::UnitZ(); }

  // Sideways into all upright half-spaces: each violated one is stepped back over, as often as it takes.
  std::optional<Vec3> off_walls() const {
    const Model& model = layout_.model();
    Vec3 shift = Vec3::Zero();
    for (int k = 0; k < kMaxPushes; ++k) {
      bool inside = true;
      for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
        if (!model.geoms[g].halfspace || normal(g).dot(up_) > kFloor) continue;
        const Vec3 n = normal(g), level = n - n.dot(up_) * up_;
        for (const int own : model.units[unit_].geoms) {
          const double above = n.dot(shift - model.geoms[g].offset) - layout_.extent(own, -n);
          if (!model.rule.allowed(own, g) || above >= 0.0) continue;
          if (level.norm() < 1e-6) return std::nullopt;  // a lid
          shift += (kClearance - above) / level.squaredNorm() * level;
          inside = false;
        }
      }
      if (inside) return shift;
    }
    return std::nullopt;
  }

  // Height above `from`, where the pair overlaps, at which it does not.
  std::optional<double> free_of(const GeomPair& pair, const Vec3& aside, double from) const {
    const auto overlaps = [&](double t) { return layout_.overlap(pair, aside + t * up_); };
    const ModelGeom& other = layout_.model().geoms[pair.second];
    double low = from, high = from;
    if (other.halfspace) {
      const Vec3 n = normal(pair.second);
      if (n.dot(up_) <= kFloor) return std::nullopt;
      const double above = n.dot(aside - other.offset) - layout_.extent(pair.first, -n);
      return -above / n.dot(up_);
    }
    const double beyond = layout_.extent(pair.second, up_) + layout_.extent(pair.first, -up_) + kClearance;
    if (layout_.model().geoms[pair.first].convex && other.convex) {
      high = beyond;  // the heights at which two convex solids overlap are one interval
    } else {
      do {
        low = high;
        high = std::min(high + step_, beyond);
      } while (high < beyond && overlaps(high));
    }
    while (high - low > kGrain) {
      const double middle = 0.5 * (low + high);
      (overlaps(middle) ? low : high) = middle;
    }
    return high;
  }

  const Layout& layout_;
  const int unit_;
  const Vec3 up_;
  double bottom_ = 0.0, top_ = 0.0, step_ = 0.0;
};

}  // namespace

Lifting lift(const Scene& scene, const std::vector<Pose>& X_WB, const std::vector<int>& units,
             const LiftOptions& options, const Interrupt& interrupt) {
  Layout layout(scene, X_WB);
  std::vector<int> order;
  for (const int body : units) order.push_back(layout.model().unit_of_body[body]);
  for (const int unit : order)
    if (unit >= 0) layout.set_absent(unit, true);
  Lifting result;
  result.heights.assign(units.size(), -1.0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (interrupt.check() != Interrupt::Reason::kNone) {
      result.interrupted = true;
      break;
    }
    if (order[k] < 0) continue;
    double height = 0.0;
    const std::optional<Vec3> shift = Lifter(layout, order[k]).run(height);
    if (!shift || !may_shift(layout, order[k], *shift, X_WB, X_WB, options.max_shift)) continue;
    layout.displace(order[k], *shift);
    layout.set_absent(order[k], false);
    result.heights[k] = height * layout.metres();
  }
  result.shifts = layout.shifts();
  return result;
}

}  // namespace s4r
