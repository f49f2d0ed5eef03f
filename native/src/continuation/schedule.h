// Event-aware scale increments (Sec. 3.4.1).
#pragma once

#include "continuation/detector.h"

namespace s4r {

class Schedule {
 public:
  // With `event_jumps`: event scales of all pairs in the start state, in ascending order.
  Schedule(const Model& model, const Detector& detector, const ReferenceOptions& options, bool event_jumps,
           const State& start);

  // Increment from s: up to three strides towards the next event, two after a contact-free step, else one.
  double increment(double s, bool previous_contact_free) const;

 private:
  double stride_;
  bool event_jumps_;
  bool adaptive_skip_;
  std::vector<double> events_;
};

}  // namespace s4r
