#include <algorithm>

#include "articulation/cheapest_plane.h"
#include "articulation/run.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

constexpr double kDearer = 1.2;  // rows that cost this much more than the cheapest plane give way to it

}  // namespace

// What each coordinate may still do.
BoundedCoordinates Articulation::room() const {
  BoundedCoordinates room{weights_, {}, {}};
  const std::vector<double> back = mechanism_.way_back(at_);
  for (std::size_t k = 0; k < back.size(); ++k) {
    const Coordinate& c = mechanism_.coordinates()[k];
    room.lower.push_back(std::min(0.0, c.lower + back[k]));
    room.upper.push_back(std::max(0.0, c.upper + back[k]));
  }
  return room;
}

// A pair knows nothing of joints: the way out it takes may be one that they do not have.
void Articulation::choose_planes() {
  if (shrunk_) return;
  const Stopwatch watch(result_.ms_detect);
  RowMap map(mechanism_.jacobian(at_), links_.units.size());
  const BoundedCoordinates bounds = room();
  const auto plain = [&](int link) { return link < 0 || mechanism_.plain(link); };
  for (SeparationPair& pair : pairs_) {
    if (interrupted()) return;
    if (!pair.bad || !pair.conflict || pair.halfspace || idle(pair)) continue;
    if (!plain(pair.unit_a) || !plain(pair.unit_b)) choose_plane(pair, map, bounds);
  }
}

void Articulation::choose_plane(SeparationPair& pair, RowMap& map, const BoundedCoordinates& bounds) {
  const Relative at = between(pair);
  double cost = 0.0;
  for (std::size_t k = 0; k < pair.rows.size(); ++k)
    cost = std::max(cost, least_cost(map.row(update_.row_at(pair, k, at)), bounds));
  Vec3& last = planes_.try_emplace({pair.geom_a, pair.geom_b}, Vec3::Zero()).first->second;
  const auto plane = cheapest_plane(links_, assets_, pair, at, update_.margin(pair), last, map, bounds);
  // Rows of convex solids that overlap know no point where the two touch.
  const bool deep = links_.geoms[pair.geom_a].convex && links_.geoms[pair.geom_b].convex && pair.distance < 0.0;
  if (!plane || (!pair.rows.empty() && !deep && cost <= kDearer * plane->cost)) return;
  last = plane->row.n;
  double lambda = 0.0;
  for (std::size_t k = 0; k < pair.rows.size(); ++k)
    if (pair.rows[k].n.dot(last) > 0.9) lambda += pair.lambda[k];
  pair.rows = {plane->row};
  pair.lambda = {lambda};
  pair.scale = pair.target = 1.0;
  pair.u_q = at.offset;
  pair.turn_a_q = at.turn_a;
  pair.turn_b_q = at.turn_b;
}

void Articulation::step(double pull) {
  const Stopwatch watch(result_.ms_project);
  const std::vector<Coordinate>& coordinates = mechanism_.coordinates();
  RowMap map(mechanism_.jacobian(at_), links_.units.size());
  std::vector<ProjectionRow> given;
  std::vector<double*> multiplier;
  for (SeparationPair& pair : pairs_) {
    if (idle(pair)) continue;
    const Relative at = between(pair);
    const auto kept = given_up_.find({pair.geom_a, pair.geom_b});
    for (std::size_t k = 0; k < pair.rows.size(); ++k) {
      given.push_back(update_.row_at(pair, k, at));
      if (kept != given_up_.end()) given.back().b = std::min(given.back().b, given.back().b - kept->second);
      multiplier.push_back(&pair.lambda[k]);
    }
  }
  limits_.add_rows(poses_, given);
  std::vector<double> longest;
  for (const Coordinate& c : coordinates) longest.push_back(settings_.largest_step * c.size);
  std::vector<BoundedRow> rows;
  for (const ProjectionRow& row : given) {
    rows.push_back(map.row(row));
    // A body deeper in something than it is large would never get out by steps of its own size.
    for (const auto& [k, a] : rows.back().terms)
      if (row.b > coordinates[k].size) longest[k] = std::max(longest[k], 0.5 * row.b);
  }
  BoundedCoordinates bounds = room();
  std::vector<double> back = mechanism_.way_back(at_);
  // All shortened by one factor: at rest, what is balanced is then the whole way back.
  double share = 1.0;
  for (std::size_t k = 0; k < back.size(); ++k)
    share = std::min(share, pull * coordinates[k].size / std::max(std::abs(back[k]), 1e-300));
  for (std::size_t k = 0; k < back.size(); ++k) {
    back[k] = std::clamp(share * back[k], bounds.lower[k], bounds.upper[k]);
    longest[k] = std::min(longest[k], settings_.largest_turn * coordinates[k].radian);
  }
  std::vector<double> step = project(rows, bounds, back, interrupt_);
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = std::clamp(step[k], -longest[k], longest[k]);
  for (std::size_t r = 0; r < multiplier.size(); ++r) *multiplier[r] = rows[r].lambda;
  for (std::size_t k = 0; k < step.size(); ++k) {
    if (std::abs(step[k]) <= settings_.still) step[k] = 0.0;
    if (step[k] != 0.0) stirred_[coordinates[k].group] = 1;
  }
  place(limits_.within(at_, step));
  for (SeparationPair& pair : pairs_)
    if (!pair.grown()) pair.scale = idle(pair) ? std::min(1.0, pair.scale + pair.stride) : pair.target;
  if (shrunk_) scale_ = std::min(1.0, scale_ + settings_.pile_stride);
}

}  // namespace s4r
