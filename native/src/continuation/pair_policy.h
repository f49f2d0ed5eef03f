// Which pairs take part and how much clearance each is asked to keep.
#pragma once

#include <unordered_map>

#include "continuation/contact.h"
#include "continuation/state.h"
#include "s4r/solve.h"

namespace s4r {

class PairPolicy {
 public:
  PairPolicy(const Model& model, const ReferenceOptions& options);

  // Full-scale scores of the input state: which pairs are in conflict, and what clearance the others have.
  void learn_initial(const std::vector<Contact>& full_scale);

  // Clearance of a pair. Scope `all`: the paper's d_hat. Scope `conflict`: a pair that starts apart keeps at most what
  // it had.
  double margin(int geom_a, int geom_b) const;
  // Nothing to do for the pair: neither side can move; or (scope `conflict`) neither has moved and the pair did not
  // overlap at the start: its full-scale state is known to be free, so whatever the shrunken bodies do there needs no
  // row.
  bool idle(const Contact& c, const State& state) const;
  // The pair may need rows soon: in conflict, or one of its units moved or is in conflict.
  bool relevant(int geom_a, int geom_b, const State& state) const;
  bool in_conflict(int geom_a, int geom_b) const;
  const std::vector<char>& conflict_units() const { return conflict_units_; }

  // Largest clearance any pair is asked to keep: the reach of the broad phase.
  double reach() const { return reach_; }
  // d_hat of the paper, in internal units.
  double clearance() const { return clearance_; }
  bool scope_all() const { return scope_all_; }

 private:
  double full_margin(int geom_a, int geom_b) const;

  const Model& model_;
  bool scope_all_;
  bool explicit_;  // the caller named a margin: it holds for every pair
  double clearance_;
  double tolerance_;
  double reach_;
  std::unordered_map<std::uint64_t, double> initial_gap_;  // of pairs within reach at the start
  std::vector<char> conflict_units_;
};

}  // namespace s4r
