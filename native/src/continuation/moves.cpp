#include "continuation/moves.h"

#include "geometry/rotation.h"

namespace s4r {

void write_moves(const Model& model, const std::vector<Vec3>& p, const std::vector<Quat>& turn,
                 const std::vector<char>& moved, Solution& solution) {
  const std::vector<Body>& bodies = model.scene.bodies;
  solution.shifts.assign(bodies.size(), Vec3::Zero());
  solution.turns.assign(bodies.size(), Quat::Identity());
  solution.centres.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int u = model.unit_of_body[b];
    const Vec3 centre = u < 0 ? bodies[b].X_WB.p : Vec3(model.origin + model.unit_length * model.units[u].centre);
    solution.centres.push_back(centre);
    if (u < 0 || moved[u] == 0) continue;
    solution.shifts[b] = (p[u] - model.units[u].centre) * model.unit_length;
    if (turn.empty() || is_identity(turn[u])) continue;
    solution.turns[b] = turn[u];
    const Vec3 arm = bodies[b].X_WB.p - centre;
    solution.shifts[b] += turn[u] * arm - arm;
  }
}

std::vector<Pose> moved_poses(const std::vector<Pose>& X_WB, const Solution& solution) {
  std::vector<Pose> moved = X_WB;
  for (std::size_t b = 0; b < moved.size(); ++b) {
    moved[b].p += solution.shifts[b];
    if (!is_identity(solution.turns[b])) moved[b].q = (solution.turns[b] * moved[b].q).normalized();
  }
  return moved;
}

}  // namespace s4r
