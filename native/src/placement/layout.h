// A scene whose units are displaced one by one, and exact queries of pairs at displaced places. Internal units.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "separation/pair_geometry.h"

namespace s4r {

using GeomPair = std::pair<int, int>;  // a geom of a unit, and one of something else

class Layout {
 public:
  Layout(const Scene& scene, const std::vector<Pose>& X_WB);
  // The same scene in another state; shares the shapes of `other`.
  Layout(const Layout& other, const std::vector<Pose>& X_WB);

  const Model& model() const { return model_; }
  const Vec3& up() const { return scene_.up; }
  const Motion& motion(int unit) const { return motions_[model_.units[unit].root_body]; }
  double metres() const { return model_.unit_length; }
  int unit_of(int geom) const { return model_.geoms[geom].unit; }

  const Vec3& centre(int unit) const { return p_[unit]; }
  void displace(int unit, const Vec3& shift) { p_[unit] += shift; }
  // Back to a centre it had.
  void restore(int unit, const Vec3& centre) { p_[unit] = centre; }
  bool displaced(int unit) const { return p_[unit] != model_.units[unit].centre; }
  // Taken out: no query meets it.
  void set_absent(int unit, bool absent) { absent_[unit] = absent ? 1 : 0; }

  // Farthest the geom or the unit reaches along the unit vector n, from the model's origin.
  double extent(int geom, const Vec3& n) const;
  double unit_extent(int unit, const Vec3& n) const;

  // Pairs that may collide while the unit goes straight from one displacement to the other, in ascending order.
  std::vector<GeomPair> neighbours(int unit, const Vec3& from, const Vec3& to) const;
  // Those of them with one of the geoms `others`.
  std::vector<GeomPair> neighbours(int unit, const Vec3& from, const Vec3& to, const std::vector<int>& others) const;
  const std::vector<int>& geoms_of(int body) const { return geoms_of_[body]; }
  // Do they overlap with the first one's unit displaced by `shift`? Convex solids that touch do not.
  bool overlap(const GeomPair& pair, const Vec3& shift) const;
  bool any_overlap(const std::vector<GeomPair>& pairs, const Vec3& shift) const;
  // How far the first one's unit, displaced by `shift`, can go along the unit vector d before the two meet, short by
  // less than `grain`, or by more where it squeezes through; at most `limit`, 0 if they overlap.
  double travel(const GeomPair& pair, const Vec3& shift, const Vec3& d, double limit, double grain) const;

  // Displacement of every body's origin since X_WB [m].
  std::vector<Vec3> shifts() const;

 private:
  void list_geoms();
  Vec3 between(const GeomPair& pair) const;
  double above(const GeomPair& pair, const Vec3& shift) const;

  Scene scene_;
  std::vector<Motion> motions_;  // by body
  Model model_;
  std::shared_ptr<const SeparationAssets> assets_;
  std::vector<Vec3> p_;
  std::vector<char> absent_;
  std::vector<std::vector<int>> geoms_of_;  // by body
  std::vector<int> all_geoms_;
};

// Whether a unit may be displaced so: by its motion, and with none of its bodies farther than `max_shift` from X_from
// [m].
bool may_shift(const Layout& layout, int unit, const Vec3& shift, const std::vector<Pose>& X_from,
               const std::vector<Pose>& X_WB, const std::optional<double>& max_shift);

}  // namespace s4r
