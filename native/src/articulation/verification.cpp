#include <algorithm>

#include "articulation/run.h"
#include "util/interruptible.h"

namespace s4r {

// By link: whether it is elsewhere than in `from`.
std::vector<char> Articulation::differing(const std::vector<UnitPose>& from) const {
  std::vector<char> differs;
  for (std::size_t l = 0; l < poses_.size(); ++l)
    differs.push_back(poses_[l].p != from[l].p || poses_[l].turn.coeffs() != from[l].turn.coeffs() ? 1 : 0);
  return differs;
}

// By pair: whether it is `clearance` apart, or as far as it was in the input; true of pairs without a link of concern.
std::vector<char> Articulation::separated(const std::vector<char>& concerned, double clearance) {
  std::vector<char> apart(pairs_.size(), 1);
  const auto concerns = [&](int link) { return link >= 0 && concerned[link] != 0; };
  interruptible_for(pairs_.size(), settings_.threads, kBlock, interrupt_, [&](std::size_t k) {
    if (!concerns(pairs_[k].unit_a) && !concerns(pairs_[k].unit_b)) return;
    SeparationPair pair = pairs_[k];
    if (pair.fresh) {  // it was far apart on the way
      const auto at_start = [&](int link, int geom) {
        return link >= 0 ? start_[link] : UnitPose{links_.geoms[geom].offset};
      };
      update_.look(pair, relative(at_start(pair.unit_a, pair.geom_a), at_start(pair.unit_b, pair.geom_b)));
    }
    apart[k] = update_.separated(pair, between(pair), clearance) ? 1 : 0;
  });
  return apart;
}

// Every pair near a moved link of the best state, measured anew. Those that fail are put back to work.
bool Articulation::verify() {
  place(result_.at);
  scale_ = 1.0;
  relist();
  const std::vector<char> apart = separated(differing(start_), 0.5 * settings_.accept);
  bool all = true;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (apart[k] != 0 || given_up(pairs_[k])) continue;
    all = false;
    distrust(pairs_[k]);
  }
  return all;
}

// Units and joints that need not have moved go back to exactly where they were.
void Articulation::snap_back() {
  const Coordinate* last = nullptr;
  for (const Coordinate& c : mechanism_.coordinates()) {
    // All coordinates of a unit go back at once.
    const auto is_joint = [](const Coordinate& of) { return of.kind == Coordinate::Kind::kJoint; };
    const bool tried = last != nullptr && !is_joint(c) && !is_joint(*last) && c.owner == last->owner;
    last = &c;
    if (interrupted()) break;
    if (tried || !mechanism_.moved(result_.at, c)) continue;
    const Configuration without = mechanism_.without(result_.at, c);
    place(without);
    relist();
    const std::vector<char> apart = separated(differing(mechanism_.poses(result_.at)), settings_.accept);
    bool all = true;
    for (std::size_t k = 0; k < pairs_.size(); ++k) all = all && (apart[k] != 0 || given_up(pairs_[k]));
    if (all && !interrupted() && !deeper() && limits_.keep(poses_)) result_.at = without;
  }
  place(result_.at);
}

}  // namespace s4r
