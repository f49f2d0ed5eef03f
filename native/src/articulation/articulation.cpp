#include <algorithm>

#include "articulation/run.h"

namespace s4r {
namespace {

constexpr int kVerifications = 3;

}  // namespace

ArticulationResult Articulation::run() {
  const bool apart = attempt_from(false) || (settings_.parts.pile && attempt_from(true));
  if (!apart) separate_rest();
  if (result_.separated && settings_.parts.snap_back && !interrupted()) snap_back();
  return result_;
}

bool Articulation::attempt_from(bool shrunk) {
  reset(shrunk);
  return attempt();
}

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
    restart(pair, scale_, settings_.pile_stride);
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
bool Articulation::attempt() {
  const int budget = shrunk_ ? settings_.max_pile_iterations : settings_.max_iterations;
  int polish = 0, since_separated = 0, fewest = 1 << 30, since_fewest = 0, verifications = 0;
  result_.separated = false;
  best_ = 1e300;
  idle_polish_ = 0;
  for (int iteration = 0; iteration < budget; ++iteration) {
    if (interrupted()) return true;
    ++result_.iterations;
    const int unfinished = detect();
    if (interrupted()) return true;
    interrupt_.progress(Stage::kScale, static_cast<double>(iteration) / budget, result_.bad_pairs);
    if (result_.iterations == 1)
      result_.initial_overlaps = static_cast<int>(
          std::count_if(pairs_.begin(), pairs_.end(), [](const SeparationPair& pair) { return pair.conflict; }));
    choose_planes();
    if (interrupted()) return true;
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

ArticulationResult articulate(const Mechanism& mechanism, const SeparationAssets& assets,
                              const SeparationSettings& settings, const Interrupt& interrupt) {
  return Articulation(mechanism, assets, settings, interrupt).run();
}

}  // namespace s4r
