// The evaluator: the only judge of success (paper App. A.9, Algorithm 2, plus containment).
// It shares no state with the solver and builds everything it needs from the scene.
#pragma once

#include <memory>
#include <vector>

#include "s4r/interrupt.h"
#include "s4r/scene.h"

namespace s4r {

struct EvaluateOptions {
  double tolerance = 0.0;  // depth that still counts as touching [m]
  int threads = 0;         // 0: one per core
};

enum class OverlapKind { kPenetrating, kContained };

struct Overlap {
  int geom_a = 0;  // < geom_b
  int geom_b = 0;
  OverlapKind kind = OverlapKind::kPenetrating;
  bool constant = false;       // no allowed motion changes the pair's relative pose
  double depth = 0.0;          // [m], > 0
  Vec3 point = Vec3::Zero();   // in W [m]
  Vec3 normal = Vec3::Zero();  // unit, from A to B, in W
};

struct Evaluation {
  std::vector<Overlap> overlaps;  // deepest first, then by geom ids
  long candidates = 0;            // pairs the filters allow and whose boxes overlap
  bool interrupted = false;       // cancelled or out of time: overlaps are incomplete
};

// The evaluator of one scene in many states: trees are built once. Thread-safe.
class Evaluator {
 public:
  explicit Evaluator(const Scene& scene);  // its poses are not used
  ~Evaluator();

  // X_WB: pose of every body, by index.
  Evaluation evaluate(const std::vector<Pose>& X_WB, const EvaluateOptions& options,
                      const Interrupt& interrupt = {}) const;
  // The repairable pairs among them, in ascending order, without depths: FCL's Boolean test first, the full score only
  // for pairs it does not clear. The same pairs, many times sooner.
  std::vector<std::pair<int, int>> repairable_pairs(const std::vector<Pose>& X_WB,
                                                    const EvaluateOptions& options) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

// One state of one scene.
Evaluation evaluate(const Scene& scene, const std::vector<Pose>& X_WB, const EvaluateOptions& options,
                    const Interrupt& interrupt = {});

}  // namespace s4r
