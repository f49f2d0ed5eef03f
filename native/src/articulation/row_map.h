// Rows between links as rows on coordinates.
#pragma once

#include <algorithm>
#include <cmath>

#include "articulation/bounded_projection.h"
#include "articulation/mechanism.h"
#include "separation/projection.h"

namespace s4r {

// What each link's velocity owes to each coordinate, at one configuration.
class RowMap {
 public:
  RowMap(const Jacobian& jacobian, std::size_t links) : of_link_(links), sums_(jacobian.size(), 0.0) {
    for (std::size_t k = 0; k < jacobian.size(); ++k)
      for (const LinkVelocity& velocity : jacobian[k])
        of_link_[velocity.link].push_back({static_cast<int>(k), velocity});
  }

  // n . (x_j - x_i) + lever_j . w_j - lever_i . w_i >= b, on coordinates.
  BoundedRow row(const ProjectionRow& given) {
    BoundedRow row;
    row.b = given.b;
    row.lambda = given.lambda;
    touched_.clear();
    add(given.j, given.n, given.lever_j, 1.0);
    add(given.i, given.n, given.lever_i, -1.0);
    for (const int k : touched_) {
      if (std::abs(sums_[k]) > kLeast) row.terms.emplace_back(k, sums_[k]);
      sums_[k] = 0.0;
    }
    return row;
  }

 private:
  // Coordinates that change the gap by less, per unit, are left out: what they owe to rounding alone must not be used.
  static constexpr double kLeast = 1e-6;

  struct Owed {
    int coordinate = 0;
    LinkVelocity velocity;
  };

  void add(int link, const Vec3& n, const Vec3& lever, double sign) {
    if (link < 0) return;
    for (const auto& [k, velocity] : of_link_[link]) {
      if (sums_[k] == 0.0 && std::find(touched_.begin(), touched_.end(), k) == touched_.end()) touched_.push_back(k);
      sums_[k] += sign * (n.dot(velocity.v) + lever.dot(velocity.w));
    }
  }

  std::vector<std::vector<Owed>> of_link_;
  std::vector<double> sums_;  // zero between calls
  std::vector<int> touched_;
};

}  // namespace s4r
