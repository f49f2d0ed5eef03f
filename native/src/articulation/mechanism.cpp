#include "articulation/mechanism.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "geometry/rotation.h"
#include "scene/links.h"
#include "util/groups.h"

namespace s4r {
namespace {

constexpr double kShortestReach = 0.01;  // of a hinge, in internal units: what it turns may lie on its axis

// Every link a unit of its own that may move in any way, every other body fixed.
Scene scene_of_links(const Scene& scene, const std::vector<int>& links) {
  Scene of_links = scene;
  of_links.joints.clear();
  std::vector<int> first(scene.bodies.size(), -1);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    Body& body = of_links.bodies[b];
    body.movable = links[b] >= 0;
    body.unit = static_cast<int>(b);
    body.motion = {};
    body.motion.turn = Motion::Turn::kAll;
    if (!body.movable) continue;
    int& root = first[links[b]];
    if (root < 0) root = static_cast<int>(b);
    body.unit = root;
  }
  return of_links;
}

// Orthonormal directions that span the range of a projector; the axes themselves if that is everything.
std::vector<Vec3> basis_of(const Mat3& projector) {
  if (projector.isIdentity(0.0)) return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(projector);
  std::vector<Vec3> basis;
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > 0.5) basis.emplace_back(eigen.eigenvectors().col(k));
  return basis;
}

Pose compose(const Pose& a, const Pose& b) { return {a.p + a.q * b.p, a.q * b.q}; }

}  // namespace

Mechanism::Mechanism(const Scene& scene)
    : scene_(scene), bodies_(scene), link_scene_(scene_of_links(scene, links_of(scene))), links_(link_scene_, bodies_) {
  const auto in_links = [&](const Vec3& point) { return Vec3((point - links_.origin) / links_.unit_length); };
  for (const Unit& u : bodies_.units) centre_.push_back(in_links(bodies_.origin + bodies_.unit_length * u.centre));
  for (const Joint& joint : scene.joints) anchor_.push_back(in_links(joint.anchor));
  unit_.resize(links_.units.size());
  chain_.resize(links_.units.size());
  moved_.resize(scene.joints.size());
  carried_.resize(bodies_.units.size());
  for (std::size_t l = 0; l < links_.units.size(); ++l) {
    unit_[l] = bodies_.unit_of_body[links_.units[l].root_body];
    if (unit_[l] >= 0) carried_[unit_[l]].push_back(static_cast<int>(l));
  }
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    for (const int body : scene.joints[j].bodies) {
      const int link = links_.unit_of_body[body];
      if (!chain_[link].empty() && chain_[link].back() == static_cast<int>(j)) continue;
      chain_[link].push_back(static_cast<int>(j));
      moved_[j].push_back(link);
    }
  for (std::size_t u = 0; u < bodies_.units.size(); ++u) add_unit(static_cast<int>(u));
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (scene.joints[j].leader < 0) add_joint(static_cast<int>(j));
  connect();
}

bool Mechanism::free_unit(int unit) const {
  const Motion& motion = bodies_.units[unit].motion;
  return motion.translate == Motion::Translate::kAll;
}

void Mechanism::add_unit(int u) {
  const Unit& unit = bodies_.units[u];
  double size = 0.1;
  for (const int g : unit.geoms) size = std::max(size, bodies_.geoms[g].size);
  for (const Vec3& axis : basis_of(unit.translations))
    coordinates_.push_back({Coordinate::Kind::kTranslation, u, axis, 1.0, 1e300, unit.weight, -1e300, 1e300, size});
  if (!unit.may_turn()) return;
  const double reach = std::max(unit.radius, kShortestReach);
  for (const Vec3& axis : basis_of(unit.turns))
    coordinates_.push_back({Coordinate::Kind::kTurn, u, axis, reach, reach, unit.weight, -1e300, 1e300, size});
}

void Mechanism::add_joint(int j) {
  const Joint& joint = scene_.joints[j];
  Coordinate coordinate{Coordinate::Kind::kJoint, j, joint.axis, reach_of(j)};
  if (const int link = first_link(j); link >= 0) {
    const Body& first = scene_.bodies[links_.units[link].root_body];
    coordinate.weight = first.movable ? scene_.bodies[first.unit].weight : first.weight;
  }
  double fastest = joint.hinge ? 1.0 : 0.0;  // turn per unit of its displacement
  for (std::size_t f = 0; f < scene_.joints.size(); ++f) {
    const Joint& follower = scene_.joints[f];
    if (follower.leader != j) continue;
    const double rate = std::abs(rate_of(follower));
    coordinate.reach = std::max(coordinate.reach, rate * reach_of(static_cast<int>(f)));
    if (follower.hinge) fastest = std::max(fastest, rate);
  }
  if (fastest > 0.0) coordinate.radian = coordinate.reach / fastest;
  const double length = coordinate.reach / unit_of(joint);
  coordinate.lower = std::max(-1e300, joint.lower * length);
  coordinate.upper = std::min(1e300, joint.upper * length);
  for (const ModelGeom& g : links_.geoms)
    if (std::find(moved_[j].begin(), moved_[j].end(), g.unit) != moved_[j].end())
      coordinate.size = std::max(coordinate.size, g.size);
  coordinates_.push_back(coordinate);
}

// The first one that the joint or a follower displaces; -1: none.
int Mechanism::first_link(int j) const {
  for (std::size_t k = 0; k < scene_.joints.size(); ++k)
    if ((static_cast<int>(k) == j || scene_.joints[k].leader == j) && !moved_[k].empty()) return moved_[k].front();
  return -1;
}

// Largest distance of a point that the hinge turns from its axis; 1 of a slide.
double Mechanism::reach_of(int j) const {
  const Joint& joint = scene_.joints[j];
  if (!joint.hinge) return 1.0;
  double reach = kShortestReach;
  for (const ModelGeom& g : links_.geoms) {
    if (g.unit < 0 || g.halfspace || std::find(moved_[j].begin(), moved_[j].end(), g.unit) == moved_[j].end()) continue;
    const Vec3 at = links_.units[g.unit].centre + g.offset;
    const Vec3 middle = at + g.q * links_.collidables[g.shape]->box().centre();
    const Vec3 on_axis = anchor_[j] + joint.axis.dot(middle - anchor_[j]) * joint.axis;
    reach = std::max(reach, radius_about(links_.shape(g), g.q.conjugate() * (on_axis - at)));
  }
  return reach;
}

void Mechanism::connect() {
  const int links = static_cast<int>(links_.units.size());
  Groups groups(links);
  for (int a = 0; a < links; ++a)
    for (int b = 0; b < a; ++b) {
      const auto shares = [&](int j) {
        const auto leads = [&](int k) { return scene_.joints[k].leader < 0 ? k : scene_.joints[k].leader; };
        return std::any_of(chain_[b].begin(), chain_[b].end(), [&](int k) { return leads(k) == leads(j); });
      };
      if ((unit_[a] >= 0 && unit_[a] == unit_[b]) || std::any_of(chain_[a].begin(), chain_[a].end(), shares))
        groups.join(a, b);
    }
  for (int l = 0; l < links; ++l) group_.push_back(groups.find(l));
  for (Coordinate& c : coordinates_) {
    if (c.kind == Coordinate::Kind::kJoint) {
      if (const int link = first_link(c.owner); link >= 0) c.group = group_[link];
      continue;
    }
    if (!carried_[c.owner].empty()) c.group = group_[carried_[c.owner].front()];
  }
}

Configuration Mechanism::input() const {
  const std::size_t units = bodies_.units.size();
  return {std::vector<Vec3>(units, Vec3::Zero()), std::vector<Quat>(units, Quat::Identity()),
          std::vector<double>(units, 0.0), std::vector<double>(scene_.joints.size(), 0.0)};
}

Pose Mechanism::base(const Configuration& at, int unit) const {
  if (unit < 0) return {};
  if (is_identity(at.turn[unit])) return {at.shift[unit], Quat::Identity()};
  return {centre_[unit] + at.shift[unit] - at.turn[unit] * centre_[unit], at.turn[unit]};
}

Pose Mechanism::motion(int j, double displacement) const {
  const Joint& joint = scene_.joints[j];
  if (!joint.hinge) return {displacement * joint.axis, Quat::Identity()};
  const Quat turn = exp_map(displacement * joint.axis);
  return {anchor_[j] - turn * anchor_[j], turn};
}

Pose Mechanism::transform(const Configuration& at, int link, int joint) const {
  Pose X = base(at, unit_[link]);
  for (const int j : chain_[link]) {
    if (j == joint) break;
    if (at.joints[j] != 0.0) X = compose(X, motion(j, at.joints[j]));
  }
  return X;
}

std::vector<UnitPose> Mechanism::poses(const Configuration& at) const {
  std::vector<UnitPose> poses;
  for (std::size_t l = 0; l < links_.units.size(); ++l) {
    const Vec3& centre = links_.units[l].centre;
    const Pose X = transform(at, static_cast<int>(l));
    // A link that is not moved keeps its bits.
    if (is_identity(X.q))
      poses.push_back({X.p.isZero(0.0) ? centre : Vec3(centre + X.p), Quat::Identity()});
    else
      poses.push_back({X.p + X.q * centre, X.q.normalized()});
  }
  return poses;
}

Jacobian Mechanism::jacobian(const Configuration& at) const {
  const std::vector<UnitPose> pose = poses(at);
  Jacobian jacobian;
  const auto turning = [&](int link, const Vec3& w, const Vec3& through) -> LinkVelocity {
    return {link, w.cross(pose[link].p - through), w};
  };
  for (const Coordinate& c : coordinates_) {
    std::vector<LinkVelocity>& column = jacobian.emplace_back();
    if (c.kind != Coordinate::Kind::kJoint) {
      for (const int l : carried_[c.owner])
        column.push_back(c.kind == Coordinate::Kind::kTranslation
                             ? LinkVelocity{l, c.axis, Vec3::Zero()}
                             : turning(l, c.axis / c.reach, centre_[c.owner] + at.shift[c.owner]));
      continue;
    }
    std::vector<LinkVelocity> of_link(unit_.size());
    std::vector<char> is_moved(unit_.size(), 0);
    for (int j = 0; j < static_cast<int>(scene_.joints.size()); ++j) {
      const Joint& joint = scene_.joints[j];
      if ((j != c.owner && joint.leader != c.owner) || moved_[j].empty()) continue;
      const double rate = (j == c.owner ? 1.0 : rate_of(joint)) / c.reach;
      const Pose X = transform(at, moved_[j].front(), j);
      const Vec3 axis = X.q * joint.axis * rate, anchor = X.p + X.q * anchor_[j];
      for (const int l : moved_[j]) {
        const LinkVelocity own = joint.hinge ? turning(l, axis, anchor) : LinkVelocity{l, axis, Vec3::Zero()};
        of_link[l].v += own.v;
        of_link[l].w += own.w;
        is_moved[l] = 1;
      }
    }
    for (int l = 0; l < static_cast<int>(unit_.size()); ++l)
      if (is_moved[l] != 0) column.push_back({l, of_link[l].v, of_link[l].w});
  }
  return jacobian;
}

std::vector<double> Mechanism::way_back(const Configuration& at) const {
  std::vector<double> step;
  for (const Coordinate& c : coordinates_) {
    switch (c.kind) {
      case Coordinate::Kind::kTranslation: step.push_back(-c.axis.dot(at.shift[c.owner])); break;
      case Coordinate::Kind::kTurn: step.push_back(-c.axis.dot(log_map(at.turn[c.owner])) * c.reach); break;
      case Coordinate::Kind::kJoint: step.push_back(-at.joints[c.owner] * c.reach); break;
    }
  }
  return step;
}

Configuration Mechanism::after(const Configuration& at, const std::vector<double>& step) const {
  Configuration next = at;
  std::vector<Vec3> w(at.turn.size(), Vec3::Zero());
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Coordinate& c = coordinates_[k];
    if (step[k] == 0.0) continue;
    switch (c.kind) {
      case Coordinate::Kind::kTranslation: next.shift[c.owner] += step[k] * c.axis; break;
      case Coordinate::Kind::kTurn: w[c.owner] += step[k] / c.reach * c.axis; break;
      case Coordinate::Kind::kJoint: {
        const Joint& joint = scene_.joints[c.owner];
        const double unit = unit_of(joint);
        const double moved = at.joints[c.owner] + step[k] / c.reach;
        next.joints[c.owner] = std::clamp(moved, joint.lower / unit, joint.upper / unit);
        for (std::size_t f = 0; f < scene_.joints.size(); ++f) {
          const Joint& follower = scene_.joints[f];
          if (follower.leader == c.owner) next.joints[f] = rate_of(follower) * next.joints[c.owner];
        }
      }
    }
  }
  for (std::size_t u = 0; u < w.size(); ++u) {
    if (w[u].isZero(0.0)) continue;
    const Motion& motion = bodies_.units[u].motion;
    if (motion.turn == Motion::Turn::kAbout) {
      next.angle[u] += w[u].dot(motion.turn_axis);
      next.turn[u] = exp_map(next.angle[u] * motion.turn_axis);
    } else {
      next.turn[u] = (exp_map(w[u]) * at.turn[u]).normalized();
    }
  }
  return next;
}

Configuration Mechanism::without(const Configuration& at, const Coordinate& c) const {
  Configuration next = at;
  if (c.kind != Coordinate::Kind::kJoint) {
    next.shift[c.owner] = Vec3::Zero();
    next.turn[c.owner] = Quat::Identity();
    next.angle[c.owner] = 0.0;
    return next;
  }
  for (std::size_t j = 0; j < scene_.joints.size(); ++j)
    if (static_cast<int>(j) == c.owner || scene_.joints[j].leader == c.owner) next.joints[j] = 0.0;
  return next;
}

bool Mechanism::moved(const Configuration& at, const Coordinate& c) const {
  if (c.kind == Coordinate::Kind::kJoint) return at.joints[c.owner] != 0.0;
  return !at.shift[c.owner].isZero(0.0) || !is_identity(at.turn[c.owner]);
}

double Mechanism::squared_move(const Configuration& at) const {
  const std::vector<double> back = way_back(at);
  double sum = 0.0;
  for (std::size_t k = 0; k < back.size(); ++k) sum += coordinates_[k].weight * back[k] * back[k];
  return sum;
}

void Mechanism::write(const Configuration& at, Solution& solution) const {
  solution.shifts.assign(scene_.bodies.size(), Vec3::Zero());
  solution.turns.assign(scene_.bodies.size(), Quat::Identity());
  solution.joints.assign(scene_.joints.size(), 0.0);
  for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
    const Joint& joint = scene_.joints[j];
    const double displacement = at.joints[j] * unit_of(joint);
    // Of what is at its limit, the change of units must not go beyond it.
    solution.joints[j] = joint.leader < 0 ? std::clamp(displacement, joint.lower, joint.upper) : displacement;
  }
  const std::vector<UnitPose> moved = poses(at);
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const Body& body = scene_.bodies[b];
    const int l = links_.unit_of_body[b], u = bodies_.unit_of_body[b];
    solution.centres.push_back(u < 0 ? body.X_WB.p
                                     : Vec3(bodies_.origin + bodies_.unit_length * bodies_.units[u].centre));
    if (l < 0) continue;
    const Vec3 centre = links_.units[l].centre;
    solution.shifts[b] = (moved[l].p - centre) * links_.unit_length;
    if (is_identity(moved[l].turn)) continue;
    solution.turns[b] = moved[l].turn;
    const Vec3 arm = body.X_WB.p - (links_.origin + links_.unit_length * centre);
    solution.shifts[b] += moved[l].turn * arm - arm;
  }
}

}  // namespace s4r
