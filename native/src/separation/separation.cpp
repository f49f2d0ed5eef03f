#include "separation/separation.h"

#include <algorithm>

#include "separation/islands.h"
#include "separation/pair_update.h"
#include "separation/projection.h"
#include "separation/snap_back.h"
#include "separation/unit_motion.h"
#include "util/interruptible.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

constexpr std::size_t kBlock = 4096;  // pairs between two looks at the interrupt
constexpr int kVerifications = 3;     // of a finished state; one is enough unless a certificate is wrong
constexpr double kTail = 0.03;        // fewer bad pairs than this share of the active ones: an island is enough
constexpr int kFew = 8;               // bad pairs that are no sign of a dense scene, whatever their share
constexpr int kHops = 4;              // reach of an island at first, in pairs
constexpr int kHopsPerFailure = 2;    // and what each failure of the same pair adds

class Separation {
 public:
  Separation(const Model& model, const SeparationAssets& assets, const SeparationSettings& settings)
      : model_(model), settings_(settings), update_(model, assets, settings_) {
    for (const Unit& u : model.units) {
      start_.push_back(start_of(model, u));
      // The input of the bodies that need not stand; the others begin to move with their first step.
      begun_.push_back(start_.back().p != u.centre || !is_identity(start_.back().turn));
      inverse_weights_.push_back(1.0 / u.weight);
      freedoms_.push_back(freedom_of(u));
      double size = 0.1;
      for (const int g : u.geoms) size = std::max(size, model.geoms[g].size);
      size_.push_back(size);
    }
    reset();
  }

  SeparationResult run(const Interrupt& interrupt) {
    relist(1.0);
    if (!attempt(interrupt) && settings_.parts.pile) {
      restart_as_pile(interrupt);
      attempt(interrupt);
    }
    if (!result_.separated) {
      result_.poses = poses_;
      result_.moved = moved_;
    } else if (settings_.parts.snap_back && interrupt.check() == Interrupt::Reason::kNone) {
      snap_back(model_, update_, pairs_, settings_.margin, start_, result_.poses, result_.moved);
    }
    return result_;
  }

 private:
  void reset() {
    poses_ = start_;
    angle_.assign(poses_.size(), 0.0);
    edge_lambda_.clear();
    for (const Unit& u : model_.units) edge_lambda_.emplace_back(u.motion.edges.size(), 0.0);
    moved_ = last_step_ = stirred_ = begun_;
  }
  UnitPose pose(int unit, int geom) const { return unit >= 0 ? poses_[unit] : UnitPose{model_.geoms[geom].offset}; }
  Relative between(const SeparationPair& pair) const {
    return relative(pose(pair.unit_a, pair.geom_a), pose(pair.unit_b, pair.geom_b));
  }
  bool moved(int unit) const { return unit >= 0 && moved_[unit] != 0; }
  bool moving(int unit) const { return unit >= 0 && last_step_[unit] != 0; }
  double step_of(int unit) const { return unit >= 0 ? size_[unit] : 0.0; }
  bool stirred(int unit) const { return unit >= 0 && stirred_[unit] != 0; }
  // Nothing happened to it and nothing needs to.
  bool idle(const SeparationPair& pair) const { return !stirred(pair.unit_a) && !stirred(pair.unit_b) && !pair.fresh; }
  void relist(double scale) {
    const Stopwatch watch(result_.ms_list);
    const double reach = 2.0 * settings_.slack + 2.0 * settings_.motion + settings_.extra;
    rebuild_pairs(model_, poses_, reach + std::max(settings_.margin, model_.rule.largest_margin() / model_.unit_length),
                  scale, pile_ ? settings_.pile_stride : settings_.stride, settings_.threads, pairs_);
    at_list_ = poses_;
  }
  void restart_as_pile(const Interrupt& interrupt);
  void first_look(const Interrupt& interrupt);
  void stir();
  bool attempt(const Interrupt& interrupt);
  bool verify();
  template <typename F>
  void for_each_due(const std::vector<std::size_t>& due, const Interrupt& interrupt, F&& f);
  int detect(const Interrupt& interrupt);
  void repair(const Interrupt& interrupt);
  std::vector<char> island(int unfinished) const;
  void step(const std::vector<char>& free, double pull);
  void solve_rows(std::vector<ProjectionRow>& rows, std::vector<RigidStep>& steps) const;
  bool left_list() const;
  int over_edge() const;
  bool keep_if_better();

  const Model& model_;
  SeparationSettings settings_;
  PairUpdate update_;
  std::vector<UnitPose> start_, poses_, at_list_;
  std::vector<std::vector<double>> edge_lambda_;  // by unit and edge of its support
  std::vector<double> angle_;                     // of units that turn about one axis, since the start [rad]
  std::vector<double> inverse_weights_;
  std::vector<RigidFreedom> freedoms_;
  std::vector<char> begun_;   // units that do not start where the input has them
  std::vector<double> size_;  // largest geom of the unit, at least the typical 0.1
  std::vector<char> moved_, last_step_;
  std::vector<char> stirred_;  // moved, or in conflict in the input
  std::vector<SeparationPair> pairs_;
  bool pile_ = false;
  double pull_ = 0.0;  // longest way back to the input in one step, in units of the size
  double pile_scale_ = 1.0;
  int bad_ = 0, active_ = 0;
  double best_ = 1e300;
  int idle_polish_ = 0;
  SeparationResult result_;
};

// Back to the input, with every two bodies shrunk to where they cannot meet. What the input was is remembered.
void Separation::restart_as_pile(const Interrupt& interrupt) {
  reset();
  relist(1.0);
  first_look(interrupt);  // at pairs that were not near while the first attempt ran
  stir();
  pile_ = true;
  pile_scale_ = settings_.pile_scale;
  for (SeparationPair& pair : pairs_) {
    if (pair.halfspace) continue;
    restart(pair, pair.unit_a >= 0 && pair.unit_b >= 0 ? pile_scale_ : 1.0, settings_.pile_stride);
  }
}

// In parallel. What an interrupt leaves out stays as it was; the caller asks again.
template <typename F>
void Separation::for_each_due(const std::vector<std::size_t>& due, const Interrupt& interrupt, F&& f) {
  interruptible_for(due.size(), settings_.threads, kBlock, interrupt, [&](std::size_t k) {
    SeparationPair& pair = pairs_[due[k]];
    f(pair, between(pair));
  });
}

// At pairs that are new: which units are in conflict?
void Separation::first_look(const Interrupt& interrupt) {
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    if (pairs_[k].fresh && pairs_[k].grown()) due.push_back(k);
  if (due.empty()) return;
  result_.queries += static_cast<long>(due.size());
  for_each_due(due, interrupt, [&](SeparationPair& pair, const Relative& at) { update_.look(pair, at); });
  stir();
}

void Separation::stir() {
  for (const SeparationPair& pair : pairs_)
    for (const int unit : {pair.unit_a, pair.unit_b})
      if (unit >= 0 && pair.conflict) stirred_[unit] = 1;
}

// Number of pairs that are not known to be apart at full scale.
int Separation::detect(const Interrupt& interrupt) {
  const Stopwatch watch(result_.ms_detect);
  first_look(interrupt);
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const SeparationPair& pair = pairs_[k];
    if (idle(pair) || pair.overlap) continue;
    const bool still = !moving(pair.unit_a) && !moving(pair.unit_b) && pair.grown();
    if (!still || pair.bad || !pair.measured) due.push_back(k);
  }
  result_.queries += static_cast<long>(due.size());
  for_each_due(due, interrupt, [&](SeparationPair& pair, const Relative& at) { update_.refresh(pair, at); });
  int unfinished = 0;
  bad_ = active_ = 0;
  for (const SeparationPair& pair : pairs_) {
    if (idle(pair)) continue;
    bad_ += pair.bad ? 1 : 0;
    active_ += pair.rows.empty() ? 0 : 1;
    unfinished += pair.finished() ? 0 : 1;
  }
  return unfinished + over_edge();
}

// Number of edges that units which moved reach over with what has to stay over their support.
int Separation::over_edge() const {
  int count = 0;
  for (std::size_t u = 0; u < poses_.size(); ++u) {
    for (std::size_t k = 0; k < edge_lambda_[u].size() && moved_[u] != 0; ++k)
      count += edge_row(model_.units[u], k, poses_[u]).b > settings_.still ? 1 : 0;
  }
  return count;
}

// Rows for the pairs found overlapping.
void Separation::repair(const Interrupt& interrupt) {
  const Stopwatch watch(result_.ms_detect);
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    if (pairs_[k].overlap && !idle(pairs_[k])) due.push_back(k);
  for_each_due(due, interrupt, [&](SeparationPair& pair, const Relative& at) {
    update_.repair(pair, at);
    pair.overlap = false;
  });
}

// Units that may move in the coming step; empty: all.
std::vector<char> Separation::island(int unfinished) const {
  if (!settings_.parts.islands || unfinished == 0 || unfinished > kTail * active_ || over_edge() > 0) return {};
  int failures = 0;
  for (const SeparationPair& pair : pairs_)
    if (!pair.finished()) failures = std::max(failures, pair.failures);
  return units_near(pairs_, poses_.size(), kHops + kHopsPerFailure * std::max(0, failures - 1));
}

void Separation::solve_rows(std::vector<ProjectionRow>& rows, std::vector<RigidStep>& steps) const {
  if (model_.rigid) return project(rows, freedoms_, steps, {}, settings_.threads);
  std::vector<Vec3> x;
  for (const RigidStep& step : steps) x.push_back(step.p);
  project(rows, inverse_weights_, x, {}, settings_.threads);
  for (std::size_t u = 0; u < x.size(); ++u) steps[u].p = x[u];
}

void Separation::step(const std::vector<char>& free, double pull) {
  const Stopwatch watch(result_.ms_project);
  const auto held = [&](int unit) { return unit < 0 || (!free.empty() && free[unit] == 0); };
  std::vector<ProjectionRow> rows;
  std::vector<std::pair<SeparationPair*, std::size_t>> origin;
  std::vector<double> limit;  // of each unit's step
  for (const double size : size_) limit.push_back(settings_.largest_step * size);
  for (SeparationPair& pair : pairs_) {
    if (pair.rows.empty() || idle(pair) || (held(pair.unit_a) && held(pair.unit_b))) continue;
    const Relative at = between(pair);
    const double reach =
        settings_.largest_step * (step_of(pair.unit_a) + step_of(pair.unit_b));  // what one step can cross
    for (std::size_t k = 0; k < pair.rows.size(); ++k) {
      ProjectionRow row = update_.row_at(pair, k, at);
      if (-row.b > reach) continue;
      // The row of a half-space is exact however deep the body is: nothing is gained by small steps. A body deeper in
      // something than it is large would never get out by steps of its own size.
      for (const int unit : {pair.unit_a, pair.unit_b})
        if (unit >= 0 && (pair.halfspace || row.b > size_[unit]))
          limit[unit] = std::max(limit[unit], pair.halfspace ? row.b : 0.5 * row.b);
      if (held(row.i)) row.i = -1;
      if (held(row.j)) row.j = -1;
      rows.push_back(row);
      origin.emplace_back(&pair, k);
    }
  }
  std::vector<double*> multiplier;  // of the rows so far
  for (const auto& [pair, k] : origin) multiplier.push_back(&pair->lambda[k]);
  for (int u = 0; u < static_cast<int>(poses_.size()); ++u) {
    if (stirred_[u] == 0 || held(u)) continue;
    for (std::size_t k = 0; k < edge_lambda_[u].size(); ++k) {
      rows.push_back(edge_row(model_.units[u], k, poses_[u]));
      rows.back().j = u;
      rows.back().lambda = edge_lambda_[u][k];
      multiplier.push_back(&edge_lambda_[u][k]);
    }
  }
  std::vector<RigidStep> steps(poses_.size());
  for (std::size_t u = 0; u < steps.size(); ++u)
    if (free.empty() || free[u] != 0)
      steps[u] =
          way_back(model_.units[u], start_[u], poses_[u], pull * size_[u], std::min(pull, settings_.largest_turn));
  solve_rows(rows, steps);
  for (std::size_t r = 0; r < rows.size(); ++r) *multiplier[r] = rows[r].lambda;
  for (std::size_t u = 0; u < steps.size(); ++u) {
    const Unit& unit = model_.units[u];
    const double length = steps[u].p.norm();
    last_step_[u] = length > settings_.still || steps[u].w.norm() * unit.radius > settings_.still ? 1 : 0;
    if (!last_step_[u]) continue;
    if (length > limit[u]) steps[u].p *= limit[u] / length;
    advance(unit, start_[u], steps[u], settings_.largest_turn, angle_[u], poses_[u]);
    if (begun_[u] != 0)
      keep_limits(unit, settings_.limits, start_[u].p, start_[u].turn, poses_[u].p, poses_[u].turn);
    else
      keep_limits(unit, settings_.limits, poses_[u].p, poses_[u].turn);
    moved_[u] = stirred_[u] = 1;
  }
  for (SeparationPair& pair : pairs_)
    if (!pair.grown()) pair.scale = idle(pair) ? std::min(1.0, pair.scale + pair.stride) : pair.target;
  if (pile_) pile_scale_ = std::min(1.0, pile_scale_ + settings_.pile_stride);
}

// Has some unit moved farther than the pair list allows?
bool Separation::left_list() const {
  for (std::size_t u = 0; u < poses_.size(); ++u)
    if (travelled(model_.units[u], at_list_[u], poses_[u]) > settings_.slack) return true;
  return false;
}

// Remembers the state if it is closer to the input than the best one. True while that is worth going on for.
bool Separation::keep_if_better() {
  double sum = 0.0, weights = 0.0;  // displacement as the objective weighs it
  for (std::size_t u = 0; u < poses_.size(); ++u) {
    sum += squared_move(model_.units[u], start_[u], poses_[u]) / inverse_weights_[u];
    weights += 1.0 / inverse_weights_[u];
  }
  const double now = weights > 0.0 ? std::sqrt(sum / weights) : 0.0;
  const double gain = best_ - now;
  if (now < best_) {
    best_ = now;
    result_.separated = true;
    result_.poses = poses_;
    result_.moved = moved_;
  }
  idle_polish_ = gain <= settings_.polish_gain * now ? idle_polish_ + 1 : 0;
  return idle_polish_ < 2;
}

// Every pair near a moved unit of the best state, measured anew. Those that fail are put back to work.
bool Separation::verify() {
  poses_ = result_.poses;
  moved_ = result_.moved;
  relist(1.0);
  std::vector<char> apart(pairs_.size(), 1);
  parallel_for(pairs_.size(), settings_.threads, [&](std::size_t k) {
    const SeparationPair& pair = pairs_[k];
    if (moved(pair.unit_a) || moved(pair.unit_b))
      apart[k] = update_.separated(pair, between(pair), 0.5 * settings_.accept) ? 1 : 0;
  });
  bool all = true;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (apart[k] != 0) continue;
    all = false;
    distrust(pairs_[k]);
  }
  return all;
}

// Iterates until all pairs are apart and the way back to the input is used up. False: stuck or, at the start, a pile;
// an interrupt is neither.
bool Separation::attempt(const Interrupt& interrupt) {
  const int budget = pile_ ? settings_.max_pile_iterations : settings_.max_iterations;
  int polish = 0, since_separated = 0, fewest = 1 << 30, since_fewest = 0, verifications = 0;
  bool polished = false, stuck = false;
  best_ = 1e300;
  idle_polish_ = 0;
  pull_ = pile_ ? settings_.pile_pull : settings_.largest_pull;
  for (int iteration = 0; iteration < budget; ++iteration) {
    if (interrupt.check() != Interrupt::Reason::kNone) return true;
    ++result_.iterations;
    const int unfinished = detect(interrupt);
    if (interrupt.check() != Interrupt::Reason::kNone) return true;
    result_.bad_pairs = bad_;
    interrupt.progress(Stage::kScale, static_cast<double>(iteration) / budget, bad_);
    if (result_.iterations == 1) {
      result_.initial_overlaps = static_cast<int>(
          std::count_if(pairs_.begin(), pairs_.end(), [](const SeparationPair& pair) { return pair.conflict; }));
      if (settings_.parts.pile && bad_ > settings_.pile_pairs * static_cast<double>(poses_.size())) return false;
    }
    repair(interrupt);
    if (unfinished < fewest || unfinished == 0) {
      fewest = unfinished;
      since_fewest = 0;
    } else if (++since_fewest > settings_.patience) {
      break;
    }
    // Where a step back breaks what was apart, mending it costs more than it gains.
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
    // In a dense scene the pull is what keeps the sweeps from converging: shorter next time, and none while repairing
    // what it broke or while stuck.
    const bool many = bad_ > std::max<double>(kFew, kTail * active_);
    if (polished && many) pull_ *= 0.5;
    polished = unfinished == 0;
    stuck = unfinished > 0 && (stuck || since_fewest > settings_.wait);
    const bool repairing = (many && result_.separated) || stuck;
    step(island(unfinished), repairing || !settings_.parts.pull ? 0.0 : pull_);
    if (left_list()) relist(pile_scale_);
  }
  if (result_.separated && verify()) return true;
  return result_.separated = false;
}

}  // namespace

SeparationResult separate(const Model& model, const SeparationAssets& assets, const SeparationSettings& settings,
                          const Interrupt& interrupt) {
  return Separation(model, assets, settings).run(interrupt);
}

}  // namespace s4r
