// Putting one unit back on what carried it.
#pragma once

#include "placement/rest.h"
#include "s4r/placement.h"

namespace s4r {

class Seating {
 public:
  // `before`: the state in which `rests` were found; `now`: the one that is changed, which began at X_after. Outlived
  // by all of them.
  Seating(const Layout& before, Layout& now, const std::vector<Rest>& rests, const std::vector<Pose>& X_before,
          const std::vector<Pose>& X_after, const SettleOptions& options);

  const std::vector<std::vector<const Rest*>>& own() const { return own_; }
  // Does it have the pose it had before?
  bool unmoved(int unit) const;
  // Does it still rest there? On scenery: on the same geom, or as high as it was on another one of the body.
  bool holds(const Rest& rest) const;
  // Displaces the unit, if it has to be and can, as if nothing stood on it: that follows.
  void seat(int unit);
  // Sends back who was displaced into an overlap that X_after did not have, with all that stands on it: what should
  // have followed could not.
  void undo_overlaps();

 private:
  // How well a unit stands: on something that carried it, with its centre above that, and as high over it as it was.
  enum class Stand { kNone, kSomehow, kAsBefore };
  Stand stand(int unit) const;
  bool as_high(const Rest& rest) const;
  // All that stands on the unit, directly or not.
  std::vector<int> tower(int unit) const;
  // Did the pair overlap in X_after?
  bool overlapped(const GeomPair& pair) const;
  bool sunk(int unit) const;
  Vec3 ride(int unit, const Rest& rest) const;
  // Displaces the unit by `start`, and from there down to what is below it. False, and it is where it was, if it may
  // not, would overlap more, or there is nothing.
  bool place(int unit, const Vec3& start);

  const Layout& before_;
  Layout& now_;
  const std::vector<Pose>& X_before_;
  const std::vector<Pose>& X_after_;
  const std::optional<double> max_shift_;
  std::vector<std::vector<const Rest*>> own_;  // by unit: what it rests on
  std::vector<std::vector<int>> on_;           // and the units that rest on it
  double tolerance_, touching_, clearance_;    // internal units
  std::vector<char> was_balanced_;             // by unit, before
};

}  // namespace s4r
