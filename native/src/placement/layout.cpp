#include "placement/layout.h"

#include <algorithm>

namespace s4r {
namespace {

constexpr double kParallel = 1e-12;  // smaller cosines are rounding: sliding along a face does not approach it
constexpr double kWindow = 0.03;     // range of one distance query on the way
constexpr int kMaxSteps = 256;
constexpr int kMaxRows = 8;
constexpr double kBoxPad = 1e-9;

// Without the motions, as what a unit may do is no matter of how close it is to others.
Scene scene_at(Scene scene, const std::vector<Pose>& X_WB) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    scene.bodies[b].X_WB = X_WB[b];
    scene.bodies[b].motion = Motion();
  }
  return scene;
}

std::vector<Motion> motions_of(const Scene& scene) {
  std::vector<Motion> motions;
  for (const Body& body : scene.bodies) motions.push_back(body.motion);
  return motions;
}

bool allows(const Motion& motion, const Vec3& shift) {
  const double along = motion.translate_axis.dot(shift);
  if (motion.stands) return false;
  switch (motion.translate) {
    case Motion::Translate::kNone: return shift.isZero(0.0);
    case Motion::Translate::kAlong: return (shift - along * motion.translate_axis).norm() <= kTouching;
    case Motion::Translate::kAcross: return std::abs(along) <= kTouching;
    case Motion::Translate::kAll: break;
  }
  return true;
}

std::vector<Vec3> centres(const Model& model) {
  std::vector<Vec3> p;
  for (const Unit& u : model.units) p.push_back(u.centre);
  return p;
}

}  // namespace

Layout::Layout(const Scene& scene, const std::vector<Pose>& X_WB)
    : scene_(scene_at(scene, X_WB)),
      motions_(motions_of(scene)),
      model_(scene_),
      assets_(std::make_shared<SeparationAssets>(model_)),
      p_(centres(model_)),
      absent_(p_.size(), 0) {
  list_geoms();
}

Layout::Layout(const Layout& other, const std::vector<Pose>& X_WB)
    : scene_(scene_at(other.scene_, X_WB)),
      motions_(other.motions_),
      model_(scene_, other.model_),
      assets_(other.assets_),
      p_(centres(model_)),
      absent_(p_.size(), 0) {
  list_geoms();
}

void Layout::list_geoms() {
  geoms_of_.resize(scene_.bodies.size());
  for (int g = 0; g < static_cast<int>(scene_.geoms.size()); ++g) {
    geoms_of_[scene_.geoms[g].body].push_back(g);
    all_geoms_.push_back(g);
  }
}

double Layout::extent(int geom, const Vec3& n) const {
  const int unit = unit_of(geom);
  return model_.reach(model_.geoms[geom], n) + (unit >= 0 ? n.dot(p_[unit]) : 0.0);
}

double Layout::unit_extent(int unit, const Vec3& n) const {
  double farthest = n.dot(p_[unit]);
  for (const int g : model_.units[unit].geoms) farthest = std::max(farthest, extent(g, n));
  return farthest;
}

std::vector<GeomPair> Layout::neighbours(int unit, const Vec3& from, const Vec3& to) const {
  return neighbours(unit, from, to, all_geoms_);
}

std::vector<GeomPair> Layout::neighbours(int unit, const Vec3& from, const Vec3& to,
                                         const std::vector<int>& others) const {
  const auto moved = [](const Box3& box, const Vec3& by) { return Box3{box.lo + by, box.hi + by}; };
  std::vector<GeomPair> pairs;
  Box3 all;
  std::vector<Box3> swept;
  for (const int own : model_.units[unit].geoms) {
    Box3 box = moved(model_.geoms[own].box, p_[unit] + from);
    box.extend(moved(model_.geoms[own].box, p_[unit] + to));
    swept.push_back(box.padded(kBoxPad));
    all.extend(swept.back());
  }
  for (const int other : others) {
    const ModelGeom& g = model_.geoms[other];
    if (g.unit == unit || (g.unit >= 0 && absent_[g.unit] != 0)) continue;
    Box3 box;
    if (!g.halfspace) {
      box = g.unit >= 0 ? moved(g.box, p_[g.unit]) : g.box;
      if (!box.overlaps(all)) continue;
    }
    for (std::size_t k = 0; k < swept.size(); ++k) {
      const int own = model_.units[unit].geoms[k];
      if ((g.halfspace || box.overlaps(swept[k])) && model_.rule.allowed(own, other)) pairs.emplace_back(own, other);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Vec3 Layout::between(const GeomPair& pair) const {
  const int other = unit_of(pair.second);
  return (other >= 0 ? p_[other] : model_.geoms[pair.second].offset) - p_[unit_of(pair.first)];
}

// Height over a half-space.
double Layout::above(const GeomPair& pair, const Vec3& shift) const {
  const ModelGeom& plane = model_.geoms[pair.second];
  const Vec3 n = plane.q * Vec3::UnitZ();
  return n.dot(shift - plane.offset) - extent(pair.first, -n);
}

bool Layout::overlap(const GeomPair& pair, const Vec3& shift) const {
  if (model_.geoms[pair.second].halfspace) return above(pair, shift) < -kTouching;
  const PairGeometry geometry(model_, *assets_, pair.first, pair.second);
  PairCache cache;
  const Vec3 u = between(pair) - shift;
  if (!geometry.overlaps(u, cache)) return false;
  return !geometry.convex() || geometry.measure(u, kTouching, 0.0, 1, cache).overlap;
}

bool Layout::any_overlap(const std::vector<GeomPair>& pairs, const Vec3& shift) const {
  return std::any_of(pairs.begin(), pairs.end(), [&](const GeomPair& pair) { return overlap(pair, shift); });
}

double Layout::travel(const GeomPair& pair, const Vec3& shift, const Vec3& d, double limit, double grain) const {
  const auto until = [](double gap, double rate) { return rate > kParallel ? std::max(0.0, gap) / rate : 1e300; };
  if (const ModelGeom& plane = model_.geoms[pair.second]; plane.halfspace) {
    const double gap = above(pair, shift);
    return gap < -kTouching ? 0.0 : std::min(limit, until(gap, -d.dot(plane.q * Vec3::UnitZ())));
  }
  const PairGeometry geometry(model_, *assets_, pair.first, pair.second);
  PairCache cache;
  double t = 0.0;
  for (int k = 0; k < kMaxSteps && t < limit; ++k) {
    const Vec3 u = between(pair) - shift - t * d;
    const double window = std::min(kWindow, limit - t);
    const PairGap gap = geometry.measure(u, window, window, kMaxRows, cache);
    if (gap.overlap) return t;
    double step = gap.found ? gap.range : window;
    if (gap.found)
      for (const PlaneRow& row : gap.rows) step = std::min(step, until(row.n.dot(u) - row.reach, row.n.dot(d)));
    t += step;
    if (step < grain) break;
  }
  return std::min(t, limit);
}

std::vector<Vec3> Layout::shifts() const {
  std::vector<Vec3> shifts(scene_.bodies.size(), Vec3::Zero());
  for (std::size_t b = 0; b < shifts.size(); ++b)
    if (const int u = model_.unit_of_body[b]; u >= 0 && displaced(u))
      shifts[b] = (p_[u] - model_.units[u].centre) * metres();
  return shifts;
}

bool may_shift(const Layout& layout, int unit, const Vec3& shift, const std::vector<Pose>& X_from,
               const std::vector<Pose>& X_WB, const std::optional<double>& max_shift) {
  const Model& model = layout.model();
  const Unit& u = model.units[unit];
  if (!allows(layout.motion(unit), shift)) return false;
  if (!max_shift) return true;
  const Vec3 since = (layout.centre(unit) + shift - u.centre) * layout.metres();  // X_WB is where the layout began
  for (std::size_t b = 0; b < X_WB.size(); ++b)
    if (model.unit_of_body[b] == unit && (X_WB[b].p + since - X_from[b].p).norm() > *max_shift) return false;
  return true;
}

}  // namespace s4r
