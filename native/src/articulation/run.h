// The state of a run in coordinates of trees. Its parts: the loop (articulation.cpp), what is known of pairs
// (pairs.cpp), one step (step.cpp), pairs that cannot come apart (given_up.cpp), and what is measured anew
// (verification.cpp).
#pragma once

#include <map>

#include "articulation/articulation.h"
#include "articulation/link_limits.h"
#include "articulation/row_map.h"
#include "separation/pair_update.h"

namespace s4r {

class Articulation {
 public:
  Articulation(const Mechanism& mechanism, const SeparationAssets& assets, const SeparationSettings& settings,
               const Interrupt& interrupt)
      : mechanism_(mechanism),
        links_(mechanism.links()),
        assets_(assets),
        settings_(settings),
        interrupt_(interrupt),
        update_(links_, assets, settings_),
        start_(mechanism.poses(mechanism.input())),
        limits_(mechanism, settings.limits) {
    result_.at = mechanism.input();
    for (const Coordinate& c : mechanism.coordinates()) weights_.push_back(c.weight);
  }

  ArticulationResult run();

 private:
  static constexpr std::size_t kBlock = 256;  // pairs between two looks at the interrupt

  bool interrupted() const { return interrupt_.check() != Interrupt::Reason::kNone; }
  void reset(bool shrunk);
  bool attempt_from(bool shrunk);
  void separate_rest();
  void give_up();
  double depth(const SeparationPair& pair) const;
  bool deeper() const;
  bool given_up(const SeparationPair& pair) const { return given_up_.contains({pair.geom_a, pair.geom_b}); }
  void note_left();
  void place(const Configuration& at) {
    at_ = at;
    poses_ = mechanism_.poses(at);
  }
  UnitPose pose(int link, int geom) const { return link >= 0 ? poses_[link] : UnitPose{links_.geoms[geom].offset}; }
  Relative between(const SeparationPair& pair) const {
    return relative(pose(pair.unit_a, pair.geom_a), pose(pair.unit_b, pair.geom_b));
  }
  bool stirred(int link) const { return link >= 0 && stirred_[mechanism_.group_of(link)] != 0; }
  // Nothing happened to it and nothing needs to.
  bool idle(const SeparationPair& pair) const { return !stirred(pair.unit_a) && !stirred(pair.unit_b); }
  void relist();
  bool left_list() const;
  int detect();
  void choose_planes();
  void choose_plane(SeparationPair& pair, RowMap& map, const BoundedCoordinates& room);
  BoundedCoordinates room() const;
  void step(double pull);
  bool keep_if_better();
  bool attempt();
  std::vector<char> separated(const std::vector<char>& concerned, double clearance);
  std::vector<char> differing(const std::vector<UnitPose>& from) const;
  bool verify();
  void snap_back();

  const Mechanism& mechanism_;
  const Model& links_;
  const SeparationAssets& assets_;
  const SeparationSettings& settings_;
  const Interrupt& interrupt_;
  PairUpdate update_;
  std::vector<UnitPose> start_, poses_, at_list_;
  LinkLimits limits_;
  Configuration at_;
  std::vector<double> weights_;
  std::vector<char> stirred_;  // by group: it moved, or a link of it is in conflict
  std::vector<SeparationPair> pairs_;
  std::map<std::pair<int, int>, Vec3> planes_;  // chosen last
  std::map<std::pair<int, int>, double>
      given_up_;                           // pairs that may only not get deeper: what their rows ask for in the input
  double deepest_ = 0.0;                   // of all pairs in the input, as the evaluator states it
  std::vector<std::pair<int, int>> left_;  // of the state with the fewest pairs left so far
  int fewest_left_ = 1 << 30;
  bool shrunk_ = false;
  double scale_ = 1.0;  // of pairs that are new
  double best_ = 1e300;
  int idle_polish_ = 0;
  ArticulationResult result_;
};

}  // namespace s4r
