// Everything one solve carries from stage to stage.
#pragma once

#include <string>

#include "continuation/contact_qp.h"
#include "continuation/detector.h"
#include "s4r/interrupt.h"

namespace s4r {

struct Run {
  const Model& model;
  const ReferenceOptions& options;
  const PairPolicy& policy;
  Detector& detector;
  const Interrupt& interrupt;
  Standing standing;
  State state;
  double target_scale;        // where the run ends
  std::vector<char> escaped;  // per unit: has used its way out of the scenery
  SolveStats stats = {};
  std::string reason = {};
  bool gave_up = false;  // at least one unit was given up
  int wedged = 0;        // units given up for want of room

  // Why the run did not end as solved; a unit that was given up explains more than what came after.
  void explain(std::string why) {
    if (!gave_up) reason = std::move(why);
  }
  MoveLimits limits() const;
  ContactQpSettings qp_settings(bool tail) const;
  // Takes the share `factor` of the correction, kept inside the limits, and goes on to scale s.
  void apply(const Correction& correction, double factor, double s);
  // Moves the two units apart along the contact's normal, by `push` in all and split equally; what may not move along
  // it takes no share.
  void nudge_apart(const Contact& c, double push);
  // Pulls units that left their limits back inside.
  void enforce_limits();
  // A unit that ends upright where it stood upright keeps its input pose to the last bit.
  void keep_untouched();
  // The unit goes back to its input pose; one that stands is set upright there.
  void put_back(int unit);
  // Full detection of all relevant pairs for a step ds, half-spaces not included.
  std::vector<Contact> detect(double ds);
  // The same for the pairs of the units that `turned`, whose contacts so far are replaced.
  void renew(std::vector<Contact>& contacts, const std::vector<char>& turned, double ds);
  void count(const ContactQpStats& qp);

 private:
  DetectRequest request(double ds) const;
};

// Rows contradict each other even without growth. Lets a unit that obstacles wedge in leave by the cheapest way out
// (once per unit); if none can, gives some up: they go back to their input position, and the rest is solved around
// them. Records the reason. False if no unit is left to act on.
bool make_room(Run& run, const Correction& correction);

// Scale loop of Algorithm 1: from state.s to the target scale.
SolveStatus grow(Run& run);

// Tail refinement at the target scale (Sec. 3.5).
SolveStatus refine_tail(Run& run);

// Optional pairwise penalty pass (App. A.2).
SolveStatus penalty_cleanup(Run& run);

}  // namespace s4r
