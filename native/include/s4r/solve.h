// The solver profiles: `default`, and `reference`, Algorithm 1 of the paper on FCL and OSQP with Table A7's defaults.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "s4r/interrupt.h"
#include "s4r/scene.h"

namespace s4r {

// Lengths without a unit note are in internal units, in which the movable bodies have a median extent of 0.1
// (App. A.7). Names and defaults: Table A7; what each does: src/core/options.ts.
struct ReferenceOptions {
  std::optional<double> margin;     // [m]; absent: 0.02 units between bodies, 1e-4 units to half-spaces
  std::optional<double> max_shift;  // [m]
  std::optional<double> max_turn;   // [rad]
  double initial_scale = 0.01;
  double stride = 0.05;
  double min_stride = 1e-6;
  int max_attempts = 200;
  int refresh_interval = 3;
  double separation_padding = 1e-6;
  double qp_tolerance = 1e-6;
  int qp_max_iterations = 4000;
  double tail_qp_tolerance = 1e-7;
  int tail_qp_max_iterations = 8000;
  int tail_max_iterations = 20;
  int tail_stagnation = 3;
  int cleanup_iterations = 0;
  bool event_jumps = true;
  bool adaptive_skip = true;
  bool warm_start = true;
  bool sparse_qp = true;
  bool progressive_scaling = true;
  bool literal_pad = false;
  bool scope_all = false;
  double tolerance = 0.0;  // [m]
  int threads = 0;         // 0: one per core
  // The input is a layout of bodies shrunk about their centres to this scale: it is grown from there, with scope `all`.
  std::optional<double> start_scale;
  // The run ends with a layout of shrunk bodies at this scale instead of 1.
  std::optional<double> stop_scale;
};

enum class SolveStatus {
  kSolved,               // the detector reports no penetrating pair
  kStagnation,           // tail: no progress for tail_stagnation iterations
  kTailBudget,           // tail: iterations used up
  kQpFailure,            // step halving reached its floor, or a tail QP failed
  kContainerInfeasible,  // rows of obstacles and limits contradict each other
  kIncomplete,           // attempts used up below full scale
  kCancelled,
  kTimeLimit,
};

struct SolveStats {
  int steps = 0;
  int attempts = 0;
  double final_scale = 0.0;
  int detections = 0;
  int tail_iterations = 0;
  int cleanup_iterations = 0;
  int tail_left = -1, cleanup_left = -1;  // overlapping pairs after the tail and the clean-up; -1: did not run
  long queries = 0;
  int qp_solves = 0;
  long qp_iterations = 0;
  int qp_variables_max = 0;
  double qp_variables_mean = 0.0;
  double length_unit = 0.0;  // [m]
  double margin = 0.0;       // [m]
  int threads = 1;
  double ms_setup = 0.0, ms_detect = 0.0, ms_qp = 0.0, ms_tail = 0.0, ms_cleanup = 0.0, ms_total = 0.0;
};

struct Solution {
  SolveStatus status = SolveStatus::kSolved;
  std::string reason;          // one sentence when not solved
  int initial_overlaps = -1;   // repairable pairs the solver's own detection found in the input; -1: not counted
  std::vector<Vec3> shifts;    // displacement of each body's origin in W [m]; exactly zero for unmoved units
  std::vector<Quat> turns;     // rotation of each body in W: q' = turn q; exactly the identity for unturned units
  std::vector<double> joints;  // displacement of each joint [rad], [m]; exactly zero for those that stay
  // World points [m] the bodies are shrunk about, in the input: the centre of each body's unit; a fixed body's origin.
  std::vector<Vec3> centres;
  SolveStats stats;
};

// Poses after the solution is applied to X_WB (by body index).
std::vector<Pose> moved_poses(const std::vector<Pose>& X_WB, const Solution& solution);

// Parts of the `default` profile, to be switched off for comparison; what each does: src/core/options.ts.
struct SeparationParts {
  int max_rows = 8;  // of a pair
  bool certificate = true;
  bool contour_push = true;
  bool pair_scale = true;
  bool pile = true;
  bool islands = true;
  bool pull = true;
  bool snap_back = true;
};

// The `default` profile (and `quick`: no polish).
struct DefaultOptions {
  std::optional<double> margin;     // [m]; absent: 1e-4 units
  std::optional<double> max_shift;  // [m]; holds for the origin of every body
  std::optional<double> max_turn;   // [rad]
  double tolerance = 0.0;           // [m]
  int threads = 0;                  // 0: one per core
  bool polish = true;
  SeparationParts parts;
};

Solution solve_default(const Scene& scene, const DefaultOptions& options, const Interrupt& interrupt = {});

// The same for many states of one scene: trees are built once. Thread-safe.
class PreparedSolver {
 public:
  PreparedSolver(const Scene& scene, const DefaultOptions& options);
  ~PreparedSolver();

  // Solves the scene with its bodies at X_WB (by index).
  Solution solve(const std::vector<Pose>& X_WB, const Interrupt& interrupt = {}) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

Solution solve_reference(const Scene& scene, const ReferenceOptions& options, const Interrupt& interrupt = {});

// Name of a status as the paper writes it: "solved", "container-infeasible", ...
const char* to_string(SolveStatus status);

}  // namespace s4r
