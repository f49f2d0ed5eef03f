#include "articulation/link_limits.h"

#include <algorithm>

#include "geometry/rotation.h"

namespace s4r {
namespace {

constexpr double kNear = 0.5;  // share of a limit on displacements and turns from which it has a row
constexpr double kInside = 1.0 - 1e-9;
constexpr int kBisections = 40;

}  // namespace

LinkLimits::LinkLimits(const Mechanism& mechanism, const MoveLimits& limits)
    : mechanism_(mechanism), links_(mechanism.links()), limits_(limits), start_(mechanism.poses(mechanism.input())) {}

void LinkLimits::add_rows(const std::vector<UnitPose>& poses, std::vector<ProjectionRow>& rows) const {
  const auto [max_shift, max_turn] = limits_;
  for (int l = 0; l < static_cast<int>(poses.size()); ++l) {
    const Quat& turn = poses[l].turn;
    if (max_turn > 0.0 && angle_of(turn) > kNear * max_turn) {
      const double radius = links_.units[l].radius;
      ProjectionRow row{-1, l, Vec3::Zero(), -(max_turn * kInside - angle_of(turn)) * radius};
      row.lever_j = -log_map(turn).normalized() * radius;
      rows.push_back(row);
    }
    if (max_shift <= 0.0) continue;
    for (const Vec3& arm : links_.units[l].arms) {
      const Vec3 shift = poses[l].p + turn * arm - (start_[l].p + arm);
      if (shift.norm() <= kNear * max_shift) continue;
      const Vec3 n = -shift.normalized();
      ProjectionRow row{-1, l, n, -(max_shift * kInside - shift.norm())};
      row.lever_j = (turn * arm).cross(n);
      rows.push_back(row);
    }
  }
}

bool LinkLimits::keeps(const UnitPose& pose, int l) const {
  const auto [max_shift, max_turn] = limits_;
  if (max_turn > 0.0 && angle_of(pose.turn) > max_turn * kInside) return false;
  if (max_shift <= 0.0) return true;
  const auto& arms = links_.units[l].arms;
  return std::all_of(arms.begin(), arms.end(), [&](const Vec3& arm) {
    return (pose.p + pose.turn * arm - (start_[l].p + arm)).norm() <= max_shift * kInside;
  });
}

std::vector<char> LinkLimits::broken(const std::vector<UnitPose>& poses) const {
  std::vector<char> broken(poses.size(), 0);
  for (int l = 0; l < static_cast<int>(poses.size()); ++l)
    if (!keeps(poses[l], l)) broken[mechanism_.group_of(l)] = 1;
  return broken;
}

bool LinkLimits::keep(const std::vector<UnitPose>& poses) const {
  for (int l = 0; l < static_cast<int>(poses.size()); ++l)
    if (!keeps(poses[l], l)) return false;
  return true;
}

Configuration LinkLimits::within(const Configuration& at, const std::vector<double>& step) const {
  const Configuration whole = mechanism_.after(at, step);
  const std::vector<char> over = broken(mechanism_.poses(whole));
  if (std::none_of(over.begin(), over.end(), [](char is) { return is != 0; })) return whole;
  // All groups at once: none of them moves links of another.
  std::vector<double> inside(over.size(), 0.0), outside(over.size(), 1.0);
  const auto with = [&](const auto& share) {
    std::vector<double> scaled = step;
    for (std::size_t k = 0; k < step.size(); ++k) {
      const int group = mechanism_.coordinates()[k].group;
      if (over[group] != 0) scaled[k] = share(group) * step[k];
    }
    return mechanism_.after(at, scaled);
  };
  for (int i = 0; i < kBisections; ++i) {
    const auto middle = [&](int group) { return 0.5 * (inside[group] + outside[group]); };
    const std::vector<char> still_over = broken(mechanism_.poses(with(middle)));
    for (std::size_t group = 0; group < over.size(); ++group)
      (still_over[group] != 0 ? outside : inside)[group] = middle(static_cast<int>(group));
  }
  return with([&](int group) { return inside[group]; });
}

}  // namespace s4r
