// What to do where there is no room.
#include <algorithm>

#include "continuation/run.h"
#include "continuation/scenery.h"

namespace s4r {
namespace {

// One sentence naming the contradicting geoms as {geom:ID}; the caller knows their names.
std::string contradiction(const Correction& correction) {
  std::string reason = correction.fixed_rows ? "no room between obstacles or within the limits: "
                                             : "the clearances of these pairs contradict each other: ";
  const std::size_t shown = std::min<std::size_t>(4, correction.contradicting.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const Contact& c = correction.contradicting[k];
    reason += (k > 0 ? ", " : "") + std::string("{geom:") + std::to_string(c.geom_a) +
              "} against {geom:" + std::to_string(c.geom_b) + "}";
  }
  if (correction.contradicting.size() > shown) reason += ", ...";
  return reason;
}

}  // namespace

bool make_room(Run& run, const Correction& correction) {
  State& state = run.state;
  std::vector<int> wedged, others;  // units against something fixed first
  for (const Contact& c : correction.contradicting) {
    const bool a = !state.fixed(c.unit_a), b = !state.fixed(c.unit_b);
    if (a != b) wedged.push_back(a ? c.unit_a : c.unit_b);
    if (a && b) others.insert(others.end(), {c.unit_a, c.unit_b});
  }
  for (const int unit : wedged) {
    if (run.escaped[unit] != 0) continue;
    run.escaped[unit] = 1;
    if (escape_scenery(run.model, run.policy, run.standing, unit, run.limits().max_shift, state)) {
      run.standing.settle(state);
      return true;
    }
  }
  wedged.insert(wedged.end(), others.begin(), others.end());
  if (wedged.empty()) return false;
  if (!run.gave_up) run.reason = contradiction(correction);
  run.gave_up = true;
  // The more had to go already, the more go at once: a hopeless scene must not take one QP per body.
  int share = run.wedged / 2 + 1;
  for (const int unit : wedged) {
    if (share == 0) break;
    if (state.given_up[unit] != 0) continue;
    --share;
    ++run.wedged;
    state.given_up[unit] = 1;
    run.put_back(unit);
  }
  return true;
}

}  // namespace s4r
