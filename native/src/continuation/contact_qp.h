// From contacts to a displacement: active set, rows, limits, QP, warm start (Sec. 3.3 and 3.4.3).
#pragma once

#include "continuation/pair_policy.h"
#include "continuation/warm_start.h"
#include "qp/qp.h"

namespace s4r {

struct ContactQpSettings {
  double tolerance = 1e-6;
  int max_iterations = 4000;
  bool sparse = true;  // only bodies whose rows need something enter
  bool warm_start = true;
  double max_shift = 0.0;  // internal units; 0: no limit
};

struct ContactQpStats {
  int solves = 0;
  long iterations = 0;
  int variables_max = 0;
  double variables_sum = 0.0;
};

struct Correction {
  QpResult::Status status = QpResult::Status::kSolved;
  std::vector<Vec3> dp;                // per unit; exactly zero where no row pushes
  bool contact_free = true;            // no row was active
  std::vector<Contact> contradicting;  // without a solution: the rows that contradict each other, strongest first
  bool fixed_rows = false;             // without a solution: rows against obstacles or limits take part
};

class ContactQp {
 public:
  ContactQp(const Model& model, const PairPolicy& policy, const ContactQpSettings& settings)
      : model_(model), policy_(policy), settings_(settings) {}

  // Minimum-norm displacement after which every active contact keeps its margin once the scale has grown by ds.
  Correction solve(const std::vector<Contact>& contacts, const State& state, double ds);

  ContactQpStats stats;

 private:
  std::vector<const Contact*> active_rows(const std::vector<Contact>& contacts, const State& state, double ds) const;

  const Model& model_;
  const PairPolicy& policy_;
  ContactQpSettings settings_;
  WarmStart warm_start_;
};

}  // namespace s4r
