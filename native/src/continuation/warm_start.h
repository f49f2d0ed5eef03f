// Primal warm start of the step QP from the sensitivity of the previous one (Sec. 3.4.3).
#pragma once

#include "qp/qp.h"

namespace s4r {

class WarmStart {
 public:
  // Start values for the blocks (ids of the caller's, ascending) of the next QP: ds times the sensitivity of the last
  // solve if the blocks are the same, half of it if more than half are, else the last increments.
  std::vector<Vec3> predict(const std::vector<int>& blocks, double ds) const;

  // Remembers a solved problem; closures[r] = d b_r / d ds.
  void remember(const std::vector<int>& blocks, const QpProblem& problem, const QpResult& result,
                const std::vector<double>& closures);

  // What is known of the block no longer holds: it starts at zero.
  void forget(int block);

 private:
  std::vector<int> blocks_;
  std::vector<Vec3> increments_;
  std::vector<Vec3> sensitivity_;
};

}  // namespace s4r
