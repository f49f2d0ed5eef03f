// The caller's limits on how far links may be displaced and turned.
#pragma once

#include "articulation/mechanism.h"
#include "continuation/limits.h"
#include "separation/projection.h"

namespace s4r {

class LinkLimits {
 public:
  LinkLimits(const Mechanism& mechanism, const MoveLimits& limits);

  // Rows of links that have used up a good part of what they may do.
  void add_rows(const std::vector<UnitPose>& poses, std::vector<ProjectionRow>& rows) const;
  // Whether all links are within the limits.
  bool keep(const std::vector<UnitPose>& poses) const;
  // The configuration after as much of the step as the limits allow, group by group.
  Configuration within(const Configuration& at, const std::vector<double>& step) const;

 private:
  bool keeps(const UnitPose& pose, int link) const;
  // By group.
  std::vector<char> broken(const std::vector<UnitPose>& poses) const;

  const Mechanism& mechanism_;
  const Model& links_;
  const MoveLimits limits_;
  const std::vector<UnitPose> start_;
};

}  // namespace s4r
