// Everything one solve carries from stage to stage.
#pragma once

#include <string>

#include "continuation/contact_qp.h"
#include "continuation/detector.h"
#include "s4r/interrupt.h"

namespace s4r {

// Every unit where the scene has it, at full scale.
State initial_state(const Model& model);

struct Run {
  const Model& model;
  const ReferenceOptions& options;
  const PairPolicy& policy;
  Detector& detector;
  const Interrupt& interrupt;
  State state;
  SolveStats stats;
  std::string reason;
  std::vector<char> escaped;  // per unit: has used its way out of the scenery
  bool gave_up = false;       // at least one unit was given up

  // Why the run did not end as solved; a unit that was given up explains more than what came after.
  void explain(std::string why) {
    if (!gave_up) reason = std::move(why);
  }
  double max_shift() const { return options.max_shift ? *options.max_shift / model.unit_length : 0.0; }
  ContactQpSettings qp_settings(bool tail) const;
  // p += factor dp, kept inside the max-shift ball of each unit.
  void apply(const std::vector<Vec3>& dp, double factor);
  // Pulls units that left their max-shift ball back onto it.
  void enforce_max_shift();
  // Full detection of all relevant pairs for a step ds, half-spaces not included.
  std::vector<Contact> detect(double ds);
  void count(const ContactQpStats& qp);
};

// Rows contradict each other even without growth. Lets a unit that obstacles wedge in leave by the cheapest way out
// (once per unit); if none can, gives some up: they go back to their input position, and the rest is solved around
// them. Records the reason. False if no unit is left to act on.
bool make_room(Run& run, const Correction& correction);

// Scale loop of Algorithm 1: from state.s to 1.
SolveStatus grow(Run& run);

// Tail refinement at full scale (Sec. 3.5).
SolveStatus refine_tail(Run& run);

// Optional pairwise penalty pass (App. A.2).
SolveStatus penalty_cleanup(Run& run);

}  // namespace s4r
