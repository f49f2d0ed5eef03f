// Full detection: fresh exact scores of every pair near contact at the current positions and scale.
#pragma once

#include "continuation/pair_policy.h"

namespace s4r {

struct DetectRequest {
  double ds = 0.0;                              // scale step the rows will be used for
  double pad = 0.0;                             // boxes at scale s + ds are padded by this in total ...
  bool literal_pad = false;                     // ... or boxes at scale s by 0.2 ds nf (Sec. 3.4.1)
  bool event_cull = true;                       // drop pairs whose bounding-sphere event lies beyond 0.9 of the step
  bool all_pairs = false;                       // also pairs the policy calls irrelevant
  const std::vector<char>* touching = nullptr;  // by unit: only pairs of these
};

class Detector {
 public:
  Detector(const Model& model, const PairPolicy& policy, int threads)
      : model_(model), policy_(policy), threads_(threads) {}

  // Contacts in ascending (geom_a, geom_b) order.
  std::vector<Contact> detect(const State& state, const DetectRequest& request);
  // Rows of half-spaces are cheap and exact: fresh at every step, never cached. A geom that may turn has several, the
  // lowest point first.
  std::vector<Contact> detect_halfspaces(const State& state, bool all_pairs) const;

  // Scale at which the bounding spheres of the pair come within its margin (Sec. 3.4.1), for positions p.
  double event_scale(int geom_a, int geom_b, const std::vector<Vec3>& p) const;

  double reach() const { return policy_.reach(); }

  // The two halves of `detect`: geom pairs in ascending order, and the score of one of them. Where the scene has
  // obstacles, the second alone is for full scale only.
  std::vector<std::pair<int, int>> candidates(const State& state, const DetectRequest& request) const;
  Contact measure(int a, int b, const State& state) const;

  long queries = 0;
  int detections = 0;

 private:
  void add_arms(Contact& c, const Vec3& point, const Vec3& between, const State& state) const;
  void prepare_obstacles(const std::vector<std::pair<int, int>>& pairs, double s);

  const Model& model_;
  const PairPolicy& policy_;
  int threads_;
  // Obstacles keep their size while centres are divided by s: their shapes grow by 1/s instead.
  double obstacle_scale_ = 0.0;
  std::vector<std::unique_ptr<Collidable>> obstacles_;  // by shape
};

}  // namespace s4r
