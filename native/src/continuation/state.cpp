#include "continuation/state.h"

#include <algorithm>

namespace s4r {

State initial_state(const Model& model) {
  State state;
  bool turns = false;
  for (const Unit& u : model.units) {
    state.p.push_back(u.centre);
    turns = turns || u.may_turn() || u.motion.stands;
    state.given_up.push_back(u.translations.isZero(0.0) && !u.may_turn() ? 1 : 0);
  }
  state.moved.assign(model.units.size(), 0);
  if (turns) {
    state.turn.assign(model.units.size(), Quat::Identity());
    state.turned.assign(model.units.size(), 0);
    state.yaw.assign(model.units.size(), 0.0);
  }
  for (const ModelGeom& g : model.geoms) state.geoms.push_back({g.offset, g.q, g.box});
  return state;
}

void State::set_turn(const Model& model, int unit, const Quat& q) {
  if (turn[unit].coeffs() == q.coeffs()) return;
  turn[unit] = q;
  turned[unit] = 1;
  for (const int id : model.units[unit].geoms) {
    const ModelGeom& g = model.geoms[id];
    geoms[id].offset = q * g.offset;
    geoms[id].q = q * g.q;
    geoms[id].box = bounds(model.shape(g), {geoms[id].offset, geoms[id].q});
  }
}

}  // namespace s4r
