#include <algorithm>

#include "articulation/run.h"
#include "separation/unit_motion.h"
#include "util/interruptible.h"
#include "util/stopwatch.h"

namespace s4r {

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
  interruptible_for(pairs_.size(), settings_.threads, kBlock, interrupt_, [&](std::size_t k) {
    SeparationPair& pair = pairs_[k];
    if (pair.fresh && pair.grown()) update_.look(pair, between(pair));
  });
  for (const SeparationPair& pair : pairs_)
    for (const int link : {pair.unit_a, pair.unit_b})
      if (link >= 0 && pair.conflict) stirred_[mechanism_.group_of(link)] = 1;
  interruptible_for(pairs_.size(), settings_.threads, kBlock, interrupt_, [&](std::size_t k) {
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

}  // namespace s4r
