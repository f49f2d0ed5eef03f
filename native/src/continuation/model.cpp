#include "continuation/model.h"

#include <algorithm>

#include "continuation/limits.h"
#include "geometry/rotation.h"
#include "scene/length_unit.h"

namespace s4r {
namespace {

constexpr double kParallel = 1e-9;  // [rad] between `up` and the normal of a floor

bool is_halfspace(const Scene& scene, const Geom& g) { return scene.shapes[g.shape].kind == ShapeKind::kHalfspace; }

Pose geom_pose(const Scene& scene, const Geom& g) {
  const Pose& body = scene.bodies[g.body].X_WB;
  return {body.p + body.q * g.X_BG.p, body.q * g.X_BG.q};
}

// Centre of the unit's box in the axes of its root body: independent of the unit's orientation in the world.
Vec3 reference_centre(const Scene& scene, const Body& root, const std::vector<int>& geoms) {
  Box3 box;
  const Quat to_root = root.X_WB.q.conjugate();
  for (const int id : geoms) {
    const Pose X = geom_pose(scene, scene.geoms[id]);
    box.extend(bounds(scene.shapes[scene.geoms[id].shape], {to_root * (X.p - root.X_WB.p), to_root * X.q}));
  }
  return geoms.empty() ? root.X_WB.p : Vec3(root.X_WB.q * box.centre() + root.X_WB.p);
}

Mat3 projector(Motion::Translate translate, const Vec3& axis) {
  switch (translate) {
    case Motion::Translate::kNone: return Mat3::Zero();
    case Motion::Translate::kAlong: return axis * axis.transpose();
    case Motion::Translate::kAcross: return Mat3::Identity() - axis * axis.transpose();
    case Motion::Translate::kAll: break;
  }
  return Mat3::Identity();
}

Mat3 projector(Motion::Turn turn, const Vec3& axis) {
  switch (turn) {
    case Motion::Turn::kNone: return Mat3::Zero();
    case Motion::Turn::kAbout: return axis * axis.transpose();
    case Motion::Turn::kAll: break;
  }
  return Mat3::Identity();
}

}  // namespace

Model::Model(const Scene& s, Centres c)
    : scene(s), rule(s), centres(c), unit_length(length_unit(s)), origin(Vec3::Zero()), collidables(s.shapes.size()) {
  for (const Geom& g : s.geoms)
    if (!is_halfspace(s, g) && !collidables[g.shape])
      collidables[g.shape] = std::make_shared<Collidable>(scaled(s.shapes[g.shape], 1.0 / unit_length));
  place();
}

Model::Model(const Scene& s, const Model& other)
    : scene(s),
      rule(s),
      centres(other.centres),
      unit_length(other.unit_length),
      origin(Vec3::Zero()),
      collidables(other.collidables) {
  place();
}

// Everything that depends on the poses.
void Model::place() {
  const Scene& s = scene;
  std::vector<int> unit_of_root(s.bodies.size(), -1);
  unit_of_body.assign(s.bodies.size(), -1);
  Box3 all;
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    if (!s.bodies[b].movable) continue;
    int& unit = unit_of_root[s.bodies[b].unit];
    if (unit < 0) {
      unit = static_cast<int>(units.size());
      const Body& root = s.bodies[s.bodies[b].unit];
      units.push_back({s.bodies[b].unit,
                       Vec3::Zero(),
                       Vec3::Zero(),
                       0.0,
                       root.weight,
                       {},
                       {},
                       root.motion,
                       projector(root.motion.translate, root.motion.translate_axis),
                       projector(root.motion.turn, root.motion.turn_axis)});
      all.extend(root.X_WB.p);
    }
    unit_of_body[b] = unit;
  }
  if (!units.empty()) origin = all.centre();

  for (std::size_t id = 0; id < s.geoms.size(); ++id)
    if (const int unit = unit_of_body[s.geoms[id].body]; unit >= 0) units[unit].geoms.push_back(static_cast<int>(id));
  for (Unit& u : units) {
    u.motion.height = (u.motion.height + kStandingClearance - s.up.dot(origin)) / unit_length;
    rigid |= u.motion.stands || u.may_turn() || u.motion.translate != Motion::Translate::kAll;
  }
  for (Unit& u : units)
    for (Motion::Edge& edge : u.motion.edges) edge.offset = (edge.offset - edge.n.dot(origin)) / unit_length;
  for (Unit& u : units)
    u.box_centre = u.centre = (reference_centre(s, s.bodies[u.root_body], u.geoms) - origin) / unit_length;

  for (Unit& u : units) u.motion.carried = (u.motion.carried - origin) / unit_length - u.centre;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    if (const int u = unit_of_body[b]; u >= 0)
      units[u].arms.push_back((s.bodies[b].X_WB.p - origin) / unit_length - units[u].centre);

  for (const Geom& g : s.geoms) {
    ModelGeom m;
    m.shape = g.shape;
    m.unit = unit_of_body[g.body];
    m.halfspace = is_halfspace(s, g);
    const Pose X = geom_pose(s, g);
    m.q = X.q;
    m.offset = (X.p - origin) / unit_length;
    if (m.unit >= 0) m.offset -= units[m.unit].centre;
    if (!m.halfspace) {
      const Box3& local = collidables[g.shape]->box();
      m.convex = is_convex(shape(m));
      m.box = bounds(shape(m), {m.offset, m.q});
      m.size = (local.hi - local.lo).maxCoeff();
      m.raw_extent = m.size * unit_length;
      m.radius =
          m.unit >= 0 ? radius_about(shape(m), m.q.conjugate() * -m.offset) : radius_about(shape(m), local.centre());
    }
    geoms.push_back(m);
    if (m.unit >= 0) units[m.unit].radius = std::max(units[m.unit].radius, m.radius);
  }
  if (std::any_of(units.begin(), units.end(), [](const Unit& u) { return u.motion.stands; })) find_tops();
  if (centres == Centres::kFeet) stand_on_feet();
}

void Model::find_tops() {
  for (const ModelGeom& g : geoms) {
    const bool level = g.halfspace && (g.q * Vec3::UnitZ() - scene.up).norm() <= kParallel;
    const bool ends = g.unit < 0 && (!g.halfspace || level);
    tops.push_back(!ends ? 1e300 : level ? scene.up.dot(g.offset) : reach(g, scene.up));
  }
}

// A unit scaled about its foot keeps standing.
void Model::stand_on_feet() {
  for (Unit& u : units) {
    if (!u.motion.stands) continue;
    const Quat tilt = exp_map(u.motion.tilt);
    const Vec3 foot = tilt * (lowest_point(*this, u, tilt.conjugate()) * scene.up);
    u.centre += foot;
    u.radius = 0.0;
    for (Vec3& arm : u.arms) arm -= foot;
    u.motion.carried -= foot;
    for (const int id : u.geoms) {
      ModelGeom& m = geoms[id];
      m.offset -= foot;
      m.box = {m.box.lo - foot, m.box.hi - foot};
      m.radius = radius_about(shape(m), m.q.conjugate() * -m.offset);
      u.radius = std::max(u.radius, m.radius);
    }
  }
}

double Model::reach(const ModelGeom& g, const Vec3& n) const { return support(shape(g), {g.offset, g.q}, n); }

}  // namespace s4r
