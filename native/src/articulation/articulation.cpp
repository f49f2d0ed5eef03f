#include "articulation/articulation.h"

#include <algorithm>
#include <map>

#include "articulation/cheapest_plane.h"
#include "geometry/rotation.h"
#include "separation/pair_update.h"
#include "separation/unit_motion.h"
#include "util/parallel.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

constexpr int kVerifications = 3;
constexpr int kRounds = 3;       // of giving up the pairs that are left
constexpr double kDearer = 1.2;  // rows that cost this much more than the cheapest plane give way to it
constexpr double kNear = 0.5;    // share of a limit on displacements and turns from which it has a row
constexpr double kInside = 1.0 - 1e-9;
constexpr int kBisections = 40;
constexpr double kRounding = 1e-9;  // of a depth, relative: that of a pair that moved as one differs so much

class Articulation {
 public:
  Articulation(const Mechanism& mechanism, const SeparationAssets& assets, const SeparationSettings& settings)
      : mechanism_(mechanism),
        links_(mechanism.links()),
        assets_(assets),
        settings_(settings),
        update_(links_, assets, settings_),
        start_(mechanism.poses(mechanism.input())) {
    result_.at = mechanism.input();
    for (const Coordinate& c : mechanism.coordinates()) weights_.push_back(c.weight);
  }

  ArticulationResult run(const Interrupt& interrupt) {
    const bool apart = attempt_from(false, interrupt) || (settings_.parts.pile && attempt_from(true, interrupt));
    if (!apart) separate_rest(interrupt);
    if (result_.separated && settings_.parts.snap_back && interrupt.check() == Interrupt::Reason::kNone) snap_back();
    return result_;
  }

 private:
  void reset(bool shrunk);
  bool attempt_from(bool shrunk, const Interrupt& interrupt) {
    reset(shrunk);
    return attempt(interrupt);
  }
  void separate_rest(const Interrupt& interrupt);
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
  void add_limits(std::vector<ProjectionRow>& rows) const;
  void step(double pull);
  Configuration within_limits(const std::vector<double>& step) const;
  bool keeps_limits(const std::vector<UnitPose>& poses) const;
  bool keep_if_better();
  bool attempt(const Interrupt& interrupt);
  std::vector<char> separated(const std::vector<char>& concerned, double clearance);
  std::vector<char> differing(const std::vector<UnitPose>& from) const;
  bool verify();
  void snap_back();

  const Mechanism& mechanism_;
  const Model& links_;
  const SeparationAssets& assets_;
  const SeparationSettings& settings_;
  PairUpdate update_;
  std::vector<UnitPose> start_, poses_, at_list_;
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
  bool stopped_ = false;
  bool shrunk_ = false;
  double scale_ = 1.0;  // of pairs that are new
  double best_ = 1e300;
  int idle_polish_ = 0;
  ArticulationResult result_;
};

// To the input; `shrunk`: with every two links that move so small that they cannot meet.
void Articulation::reset(bool shrunk) {
  place(mechanism_.input());
  stirred_.assign(links_.units.size(), 0);
  planes_.clear();
  shrunk_ = shrunk;
  scale_ = 1.0;
  pairs_.clear();
  relist();
  detect();
  if (!shrunk) return;
  scale_ = settings_.pile_scale;
  for (SeparationPair& pair : pairs_) {
    if (pair.halfspace || pair.unit_a < 0 || pair.unit_b < 0) continue;
    pair.scale = scale_;
    pair.stride = settings_.pile_stride;
    pair.failures = 0;
    pair.bad = pair.overlap = pair.measured = false;
    pair.distance = pair.range = 0.0;
    pair.rows.clear();
    pair.lambda.clear();
  }
}

// The state is the best so far of those that are not free of overlaps.
void Articulation::note_left() {
  result_.at = at_;
  left_.clear();
  for (const SeparationPair& pair : pairs_)
    if (!idle(pair) && !pair.finished() && !given_up(pair)) left_.emplace_back(pair.geom_a, pair.geom_b);
  fewest_left_ = static_cast<int>(left_.size());
}

// What cannot come apart must not keep the rest from it. If this makes it deeper, the best state on the way has to do.
void Articulation::separate_rest(const Interrupt& interrupt) {
  const Configuration noted = result_.at;
  const std::vector<std::pair<int, int>> noted_left = left_;
  bool apart = false;
  for (int round = 0; round < kRounds && !apart && !stopped_; ++round) {
    give_up();
    apart = attempt_from(false, interrupt);
  }
  if (stopped_) return;
  Configuration best = result_.at;
  const auto all = given_up_;
  for (const auto& [ids, need] : all) {
    if (!apart || given_up_.size() == 1) break;
    given_up_.erase(ids);
    if (attempt_from(false, interrupt))
      best = result_.at;
    else
      given_up_.emplace(ids, need);
    if (stopped_) return;
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

void Articulation::relist() {
  const double reach = 2.0 * settings_.slack + 2.0 * settings_.motion + settings_.extra;
  rebuild_pairs(links_, poses_, reach + std::max(settings_.margin, links_.rule.largest_margin() / links_.unit_length),
                scale_, shrunk_ ? settings_.pile_stride : settings_.stride, settings_.threads, pairs_);
  at_list_ = poses_;
}

bool Articulation::left_list() const {
  for (std::size_t l = 0; l < poses_.size(); ++l)
    if (travelled(links_.units[l], at_list_[l], poses_[l]) > settings_.slack) return true;
  return false;
}

// What is known of every pair that matters, with rows for those that need them. Returns the number of pairs that are
// not known to be apart at full scale.
int Articulation::detect() {
  const Stopwatch watch(result_.ms_detect);
  parallel_for(pairs_.size(), settings_.threads, [&](std::size_t k) {
    SeparationPair& pair = pairs_[k];
    if (pair.fresh && pair.grown()) update_.look(pair, between(pair));
  });
  for (const SeparationPair& pair : pairs_)
    for (const int link : {pair.unit_a, pair.unit_b})
      if (link >= 0 && pair.conflict) stirred_[mechanism_.group_of(link)] = 1;
  parallel_for(pairs_.size(), settings_.threads, [&](std::size_t k) {
    SeparationPair& pair = pairs_[k];
    if (idle(pair)) return;
    const Relative at = between(pair);
    if (!pair.overlap) update_.refresh(pair, at);
    if (pair.overlap) update_.repair(pair, at);
    pair.overlap = false;
  });
  int unfinished = 0;
  result_.bad_pairs = 0;
  for (const SeparationPair& pair : pairs_) {
    if (idle(pair)) continue;
    ++result_.queries;
    if (given_up(pair)) continue;
    result_.bad_pairs += pair.bad ? 1 : 0;
    unfinished += pair.finished() ? 0 : 1;
  }
  return unfinished;
}

// What each coordinate may still do.
BoundedCoordinates Articulation::room() const {
  BoundedCoordinates room{weights_, {}, {}};
  const std::vector<double> back = mechanism_.way_back(at_);
  for (std::size_t k = 0; k < back.size(); ++k) {
    const Coordinate& c = mechanism_.coordinates()[k];
    room.lower.push_back(std::min(0.0, c.lower + back[k]));
    room.upper.push_back(std::max(0.0, c.upper + back[k]));
  }
  return room;
}

// A pair knows nothing of joints: the way out it takes may be one that they do not have.
void Articulation::choose_planes() {
  const Stopwatch watch(result_.ms_detect);
  RowMap map(mechanism_.jacobian(at_), links_.units.size());
  const BoundedCoordinates bounds = room();
  for (SeparationPair& pair : pairs_) {
    const auto plain = [&](int link) { return link < 0 || mechanism_.plain(link); };
    if (!pair.bad || !pair.conflict || pair.halfspace || idle(pair) || shrunk_) continue;
    if (!plain(pair.unit_a) || !plain(pair.unit_b)) choose_plane(pair, map, bounds);
  }
}

void Articulation::choose_plane(SeparationPair& pair, RowMap& map, const BoundedCoordinates& bounds) {
  const Relative at = between(pair);
  double cost = 0.0;
  for (std::size_t k = 0; k < pair.rows.size(); ++k)
    cost = std::max(cost, least_cost(map.row(update_.row_at(pair, k, at)), bounds));
  Vec3& last = planes_.try_emplace({pair.geom_a, pair.geom_b}, Vec3::Zero()).first->second;
  const auto plane = cheapest_plane(links_, assets_, pair, at, update_.margin(pair), last, map, bounds);
  // Rows of convex solids that overlap know no point where the two touch.
  const bool deep = links_.geoms[pair.geom_a].convex && links_.geoms[pair.geom_b].convex && pair.distance < 0.0;
  if (!plane || (!pair.rows.empty() && !deep && cost <= kDearer * plane->cost)) return;
  last = plane->row.n;
  double lambda = 0.0;
  for (std::size_t k = 0; k < pair.rows.size(); ++k)
    if (pair.rows[k].n.dot(last) > 0.9) lambda += pair.lambda[k];
  pair.rows = {plane->row};
  pair.lambda = {lambda};
  pair.scale = pair.target = 1.0;
  pair.u_q = at.offset;
  pair.turn_a_q = at.turn_a;
  pair.turn_b_q = at.turn_b;
}

// Rows of bodies near the caller's limits on displacement and turn.
void Articulation::add_limits(std::vector<ProjectionRow>& rows) const {
  const auto [max_shift, max_turn] = settings_.limits;
  for (int l = 0; l < static_cast<int>(poses_.size()); ++l) {
    const Quat& turn = poses_[l].turn;
    if (max_turn > 0.0 && angle_of(turn) > kNear * max_turn) {
      const double radius = links_.units[l].radius;
      ProjectionRow row{-1, l, Vec3::Zero(), -(max_turn * kInside - angle_of(turn)) * radius};
      row.lever_j = -log_map(turn).normalized() * radius;
      rows.push_back(row);
    }
    if (max_shift <= 0.0) continue;
    for (const Vec3& arm : links_.units[l].arms) {
      const Vec3 shift = poses_[l].p + turn * arm - (start_[l].p + arm);
      if (shift.norm() <= kNear * max_shift) continue;
      const Vec3 n = -shift.normalized();
      ProjectionRow row{-1, l, n, -(max_shift * kInside - shift.norm())};
      row.lever_j = (turn * arm).cross(n);
      rows.push_back(row);
    }
  }
}

bool Articulation::keeps_limits(const std::vector<UnitPose>& poses) const {
  const auto [max_shift, max_turn] = settings_.limits;
  for (std::size_t l = 0; l < poses.size(); ++l) {
    const Quat& turn = poses[l].turn;
    if (max_turn > 0.0 && angle_of(turn) > max_turn * kInside) return false;
    if (max_shift <= 0.0) continue;
    for (const Vec3& arm : links_.units[l].arms)
      if ((poses[l].p + turn * arm - (start_[l].p + arm)).norm() > max_shift * kInside) return false;
  }
  return true;
}

// The configuration after as much of the step as the caller's limits allow, group by group.
Configuration Articulation::within_limits(const std::vector<double>& step) const {
  const Configuration whole = mechanism_.after(at_, step);
  if (keeps_limits(mechanism_.poses(whole))) return whole;
  std::vector<double> kept(step.size(), 0.0);
  for (const Coordinate& first : mechanism_.coordinates()) {
    const auto with = [&](double share) {
      std::vector<double> scaled = kept;
      for (std::size_t k = 0; k < step.size(); ++k)
        if (mechanism_.coordinates()[k].group == first.group) scaled[k] = share * step[k];
      return scaled;
    };
    if (keeps_limits(mechanism_.poses(mechanism_.after(at_, with(1.0))))) {
      kept = with(1.0);
      continue;
    }
    double inside = 0.0, outside = 1.0;
    for (int i = 0; i < kBisections; ++i) {
      const double middle = 0.5 * (inside + outside);
      (keeps_limits(mechanism_.poses(mechanism_.after(at_, with(middle)))) ? inside : outside) = middle;
    }
    kept = with(inside);
  }
  return mechanism_.after(at_, kept);
}

void Articulation::step(double pull) {
  const Stopwatch watch(result_.ms_project);
  const std::vector<Coordinate>& coordinates = mechanism_.coordinates();
  RowMap map(mechanism_.jacobian(at_), links_.units.size());
  std::vector<ProjectionRow> given;
  std::vector<double*> multiplier;
  for (SeparationPair& pair : pairs_) {
    if (idle(pair)) continue;
    const Relative at = between(pair);
    const auto kept = given_up_.find({pair.geom_a, pair.geom_b});
    for (std::size_t k = 0; k < pair.rows.size(); ++k) {
      given.push_back(update_.row_at(pair, k, at));
      if (kept != given_up_.end()) given.back().b = std::min(given.back().b, given.back().b - kept->second);
      multiplier.push_back(&pair.lambda[k]);
    }
  }
  add_limits(given);
  std::vector<double> longest;
  for (const Coordinate& c : coordinates) longest.push_back(settings_.largest_step * c.size);
  std::vector<BoundedRow> rows;
  for (const ProjectionRow& row : given) {
    rows.push_back(map.row(row));
    // A body deeper in something than it is large would never get out by steps of its own size.
    for (const auto& [k, a] : rows.back().terms)
      if (row.b > coordinates[k].size) longest[k] = std::max(longest[k], 0.5 * row.b);
  }
  BoundedCoordinates bounds = room();
  std::vector<double> back = mechanism_.way_back(at_);
  // All shortened by one factor: at rest, what is balanced is then the whole way back.
  double share = 1.0;
  for (std::size_t k = 0; k < back.size(); ++k)
    share = std::min(share, pull * coordinates[k].size / std::max(std::abs(back[k]), 1e-300));
  for (std::size_t k = 0; k < back.size(); ++k) {
    back[k] = std::clamp(share * back[k], bounds.lower[k], bounds.upper[k]);
    longest[k] = std::min(longest[k], settings_.largest_turn * coordinates[k].radian);
  }
  std::vector<double> step = project(rows, bounds, back);
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = std::clamp(step[k], -longest[k], longest[k]);
  for (std::size_t r = 0; r < multiplier.size(); ++r) *multiplier[r] = rows[r].lambda;
  for (std::size_t k = 0; k < step.size(); ++k) {
    if (std::abs(step[k]) <= settings_.still) step[k] = 0.0;
    if (step[k] != 0.0) stirred_[coordinates[k].group] = 1;
  }
  place(within_limits(step));
  for (SeparationPair& pair : pairs_)
    if (!pair.grown()) pair.scale = idle(pair) ? std::min(1.0, pair.scale + pair.stride) : pair.target;
  if (shrunk_) scale_ = std::min(1.0, scale_ + settings_.pile_stride);
}

// Remembers the state if it is closer to the input than the best one. True while that is worth going on for.
bool Articulation::keep_if_better() {
  const double now = std::sqrt(mechanism_.squared_move(at_)), gain = best_ - now;
  if (now < best_) {
    best_ = now;
    result_.separated = true;
    result_.at = at_;
  }
  idle_polish_ = gain <= settings_.polish_gain * now ? idle_polish_ + 1 : 0;
  return idle_polish_ < 2;
}

// Iterates until all pairs are apart and the way back to the input is used up. False: stuck; an interrupt is not.
bool Articulation::attempt(const Interrupt& interrupt) {
  const int budget = shrunk_ ? settings_.max_pile_iterations : settings_.max_iterations;
  int polish = 0, since_separated = 0, fewest = 1 << 30, since_fewest = 0, verifications = 0;
  result_.separated = false;
  best_ = 1e300;
  idle_polish_ = 0;
  for (int iteration = 0; iteration < budget; ++iteration) {
    stopped_ = interrupt.check() != Interrupt::Reason::kNone;
    if (stopped_) return true;
    ++result_.iterations;
    const int unfinished = detect();
    interrupt.progress(Stage::kScale, static_cast<double>(iteration) / budget, result_.bad_pairs);
    if (result_.iterations == 1)
      result_.initial_overlaps = static_cast<int>(
          std::count_if(pairs_.begin(), pairs_.end(), [](const SeparationPair& pair) { return pair.conflict; }));
    choose_planes();
    if (unfinished < fewest || unfinished == 0) {
      if (!result_.separated && unfinished < fewest_left_) note_left();
      fewest = unfinished;
      since_fewest = 0;
    } else if (++since_fewest > settings_.patience) {
      break;
    }
    since_separated += result_.separated ? 1 : 0;
    const bool done = unfinished == 0 && (!keep_if_better() || ++polish > settings_.polish_iterations);
    if (done || since_separated > settings_.polish_budget) {
      if (verify()) return true;
      since_separated = 0;
      result_.separated = false;
      best_ = 1e300;
      idle_polish_ = 0;
      if (++verifications == kVerifications) break;
      continue;
    }
    const bool stuck = unfinished > 0 && since_fewest > settings_.wait;
    const double longest = shrunk_ ? settings_.pile_pull : settings_.largest_pull;
    step(stuck || !settings_.parts.pull ? 0.0 : longest);
    if (left_list()) relist();
  }
  if (result_.separated && verify()) return true;
  return result_.separated = false;
}

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
  parallel_for(pairs_.size(), settings_.threads, [&](std::size_t k) {
    SeparationPair pair = pairs_[k];
    if (!concerns(pair.unit_a) && !concerns(pair.unit_b)) return;
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
    pairs_[k].bad = true;
    pairs_[k].distance = pairs_[k].range = -1e300;
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
    if (tried || !mechanism_.moved(result_.at, c)) continue;
    const Configuration without = mechanism_.without(result_.at, c);
    place(without);
    relist();
    const std::vector<char> apart = separated(differing(mechanism_.poses(result_.at)), settings_.accept);
    bool all = true;
    for (std::size_t k = 0; k < pairs_.size(); ++k) all = all && (apart[k] != 0 || given_up(pairs_[k]));
    if (all && !deeper() && keeps_limits(poses_)) result_.at = without;
  }
  place(result_.at);
}

}  // namespace

ArticulationResult articulate(const Mechanism& mechanism, const SeparationAssets& assets,
                              const SeparationSettings& settings, const Interrupt& interrupt) {
  return Articulation(mechanism, assets, settings).run(interrupt);
}

}  // namespace s4r
