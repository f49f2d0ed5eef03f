// From contacts to a motion: active set, QP, warm start (Sec. 3.3 and 3.4.3; turns App. A.10 and A.11).
#pragma once

#include "continuation/contact_rows.h"
#include "continuation/pair_policy.h"
#include "continuation/warm_start.h"

namespace s4r {

struct ContactQpSettings {
  double tolerance = 1e-6;
  int max_iterations = 4000;
  bool sparse = true;  // only bodies whose rows need something enter
  bool warm_start = true;
  MoveLimits limits;
  double turn_step = 0.1;      // [rad], of each component of a step's rotation vector (App. A.10)
  double standing_yaw = 0.08;  // [rad], of a unit that stands, and its longest step in the plane [units] (App. A.11)
  double standing_step = 0.03;
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
  std::vector<Vec3> turn;              // rotation vectors in world axes, the same way; empty where no unit turns
  double largest = 0.0;                // of all displacements and arcs
  bool contact_free = true;            // no row was active
  std::vector<Contact> contradicting;  // without a solution: the rows that contradict each other, strongest first
  bool fixed_rows = false;             // without a solution: rows against obstacles or limits take part
};

class ContactQp {
 public:
  ContactQp(const Model& model, const PairPolicy& policy, const Standing& standing, const ContactQpSettings& settings);

  // Minimum-norm motion after which every active contact keeps its margin once the scale has grown by ds.
  Correction solve(const std::vector<Contact>& contacts, const State& state, double ds);
  // The unit has turned: what the last QPs say of it no longer holds.
  void forget(int unit);

  ContactQpStats stats;

 private:
  // A contact and the gap it lacks.
  struct Row {
    const Contact* contact;
    double need;
  };

  std::vector<Row> active_rows(const std::vector<Contact>& contacts, const State& state, double ds) const;
  std::vector<int> bodies_of(const std::vector<Row>& rows, const State& state) const;
  void read(const std::vector<int>& bodies, const Blocks& blocks, const QpResult& result, Correction& correction) const;

  const Model& model_;
  const PairPolicy& policy_;
  const Standing& standing_;
  ContactQpSettings settings_;
  ContactRows rows_;
  WarmStart warm_start_;
};

}  // namespace s4r
