// The rows of the step QP in the coordinates of what each unit may do (App. A.10, A.11).
#pragma once

#include <optional>

#include "continuation/contact.h"
#include "continuation/freedom.h"
#include "continuation/standing.h"
#include "qp/qp.h"

namespace s4r {

// Blocks of the QP: by unit the index of its displacement and of its turn, -1 if it has none.
struct Blocks {
  std::vector<int> move, turn;
  std::vector<int> ids;  // by block: lasting name, ascending
};

inline int move_block(int unit) { return 2 * unit; }
inline int turn_block(int unit) { return 2 * unit + 1; }

// What the prescribed motion of standing units (by unit) adds to the gap.
double prescribed_gain(const Contact& c, const std::vector<Standing::Step>& ahead);

class ContactRows {
 public:
  // Coordinates of a unit. Its turn enters as the arc of a point at `arc` from its centre: then all are lengths of the
  // same weight, and beta is arc squared: r_max squared; of a unit that stands, its longest extent squared.
  struct Coordinates {
    Freedom move, turn;
    double arc;
  };

  ContactRows(const Model& model, const Standing& standing);

  const Coordinates& of(int unit) const { return units_[unit]; }
  // Adds the blocks of the bodies (units, ascending) to the problem.
  Blocks blocks(const std::vector<int>& bodies, QpProblem& problem) const;
  // The gap grows by `need`: n.(dp_j - dp_i) + (y_j x n).w_j - (y_i x n).w_i >= need.
  std::optional<QpRow> contact(const Contact& c, double need, const State& state, const Blocks& blocks) const;
  // First order of the caller's limits and of the ends of its support, for a unit that comes near them.
  void add_limits(int unit, const State& state, const MoveLimits& limits, const Blocks& blocks,
                  QpProblem& problem) const;
  // Each component of the unit's rotation vector stays within the bound [rad].
  void bound_turn(int unit, double bound, const Blocks& blocks, QpProblem& problem) const;

 private:
  void add_terms(int unit, const Vec3& force, const Vec3& torque, const Blocks& blocks, int slot, QpRow& row) const;
  std::optional<Vec3> detour(const Contact& c, const State& state) const;

  const Model& model_;
  const Standing& standing_;
  std::vector<Coordinates> units_;
};

}  // namespace s4r
