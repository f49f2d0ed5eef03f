#include <algorithm>

#include "articulation/run.h"

namespace s4r {
namespace {

constexpr int kRounds = 3;          // of giving up the pairs that are left
constexpr int kRetries = 2000;      // iterations after which no pair that was given up is tried again
constexpr double kRounding = 1e-9;  // of a depth, relative: that of a pair that moved as one differs so much

}  // namespace

// What cannot come apart must not keep the rest from it. If this makes it deeper, the best state on the way has to do.
void Articulation::separate_rest() {
  const Configuration noted = result_.at;
  const std::vector<std::pair<int, int>> noted_left = left_;
  bool apart = false;
  for (int round = 0; round < kRounds && !apart && !interrupted(); ++round) {
    give_up();
    apart = attempt_from(false);
  }
  if (interrupted()) return;
  Configuration best = result_.at;
  const auto all = given_up_;
  for (const auto& [ids, need] : all) {
    if (!apart || given_up_.size() == 1 || result_.iterations > kRetries) break;
    given_up_.erase(ids);
    if (attempt_from(false))
      best = result_.at;
    else
      given_up_.emplace(ids, need);
    if (interrupted()) return;
  }
  place(best);
  relist();
  result_.separated = apart && !deeper();
  result_.at = result_.separated ? best : noted;
  result_.left = noted_left;
  if (!result_.separated) return;
  result_.left.clear();
  for (const auto& [ids, need] : given_up_) result_.left.push_back(ids);
}

// The pairs that were left are not to be separated any more.
void Articulation::give_up() {
  reset(false);
  choose_planes();
  deepest_ = 0.0;
  for (const SeparationPair& pair : pairs_) {
    if (pair.conflict) deepest_ = std::max(deepest_, depth(pair));
    const std::pair ids(pair.geom_a, pair.geom_b);
    if (std::find(left_.begin(), left_.end(), ids) == left_.end()) continue;
    double& need = given_up_[ids];
    for (std::size_t k = 0; k < pair.rows.size(); ++k) need = std::max(need, update_.row_at(pair, k, between(pair)).b);
  }
  fewest_left_ = 1 << 30;
}

double Articulation::depth(const SeparationPair& pair) const {
  const auto placed = [&](int geom) -> Pose {
    const ModelGeom& g = links_.geoms[geom];
    const UnitPose at = pose(g.unit, geom);
    return {at.p + (g.unit >= 0 ? Vec3(at.turn * g.offset) : Vec3(Vec3::Zero())), at.turn * g.q};
  };
  const Pose a = placed(pair.geom_a), b = placed(pair.geom_b);
  const ModelGeom &first = links_.geoms[pair.geom_a], &second = links_.geoms[pair.geom_b];
  if (first.halfspace) return -score_halfspace(a, links_.shape(second), b).distance;
  if (second.halfspace) return -score_halfspace(b, links_.shape(first), a).distance;
  return -score_pair(*links_.collidables[first.shape], a, *links_.collidables[second.shape], b).distance;
}

// Whether a pair that was given up is deeper than any was in the input.
bool Articulation::deeper() const {
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const SeparationPair& pair) {
    return given_up(pair) && depth(pair) > (1.0 + kRounding) * deepest_;
  });
}

}  // namespace s4r
