// What every baseline starts from: the scene as the reference profile sees it, detection at full scale on the same
// pairs by the same queries, and the common form of a method.
#pragma once

#include "continuation/run.h"

namespace s4r::bench {

class Problem {
 public:
  // `clearance` [units]: what every pair is asked to keep. Free bodies only.
  Problem(const Scene& scene, double clearance, const Interrupt& interrupt);

  // Pairs whose boxes come within `reach` [units], ascending. A pair of which neither side moved since the last call
  // keeps its score, which is exact and saves every method its idle queries.
  const std::vector<Contact>& detect(double reach);

  void move(int unit, const Vec3& shift);
  bool out_of_time() const { return interrupt_.check() != Interrupt::Reason::kNone; }
  const Vec3& input(int unit) const { return model.units[unit].centre; }

 private:
  ReferenceOptions options_;
  const Interrupt& interrupt_;
  std::vector<Contact> contacts_;
  std::vector<Vec3> measured_at_;  // positions that contacts_ belong to

 public:
  Model model;
  PairPolicy policy;
  Detector detector;
  State state;
  SolveStats stats;
};

// Pairs that penetrate or contain each other.
int overlaps(const std::vector<Contact>& contacts);

// kTailBudget: iterations used up; kStagnation: all the method does is done, and pairs are left.
struct Method {
  const char* name;
  double clearance;  // [units]
  SolveStatus (*solve)(Problem&);
};

// d_hat of Table A7; PD-PGS has its own default.
inline constexpr double kClearance = 0.02;
inline constexpr double kPdPgsClearance = 1e-3;

SolveStatus direct_qp_once(Problem& problem);
SolveStatus direct_qp(Problem& problem);
SolveStatus global_qp(Problem& problem);
SolveStatus pd_pgs(Problem& problem);
SolveStatus soft_penalty(Problem& problem);
SolveStatus rejection_sampling(Problem& problem);

// The method of this name; throws std::invalid_argument if there is none.
const Method& method_named(const std::string& name);

Solution solve_with(const Method& method, const Scene& scene, const Interrupt& interrupt);

}  // namespace s4r::bench
