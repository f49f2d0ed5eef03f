// The solver's view of a scene: movable units around reference centres, obstacles, all in internal length units.
#pragma once

#include <memory>

#include "narrowphase/narrowphase.h"
#include "s4r/scene.h"
#include "scene/collision_rule.h"

namespace s4r {

struct ModelGeom {
  int shape = 0;
  int unit = -1;               // index into Model::units, -1 for an obstacle
  Vec3 offset = Vec3::Zero();  // geom origin from the unit's centre, world axes; from the model origin for an obstacle
  Quat q = Quat::Identity();
  Box3 box;                 // at full scale, from the same point as offset; undefined for half-spaces
  double radius = 0.0;      // farthest point from the unit's centre; from its own box centre for an obstacle
  double size = 0.0;        // largest extent of the shape's own box
  double raw_extent = 0.0;  // the same in metres (the paper's normalisation factor is 0.1 / raw extent)
  bool halfspace = false;
  bool convex = false;
};

// A rigid group of bodies that moves as one.
struct Unit {
  int root_body = 0;
  Vec3 centre = Vec3::Zero();  // reference centre in the input state
  Vec3 box_centre = Vec3::Zero();
  double radius = 0.0;
  double weight = 1.0;
  std::vector<int> geoms;
  std::vector<Vec3> arms;  // origins of its bodies from the centre, in the input state
  // Its height and edges in internal units from the model's origin, clearance included; its carried point from the
  // centre.
  Motion motion;
  Mat3 translations = Mat3::Identity();  // projector onto the displacements it may make
  Mat3 turns = Mat3::Zero();             // and onto the rotation vectors

  bool may_turn() const { return !turns.isZero(0.0); }
};

// Reference centres of standing units: the middle of their box, or the point under it that the plane carries.
enum class Centres { kBoxes, kFeet };

struct Model {
  explicit Model(const Scene& scene, Centres centres = Centres::kBoxes);
  // Of the same scene in another state: shares the shapes of `other`.
  Model(const Scene& scene, const Model& other);

  const Scene& scene;
  CollisionRule rule;
  Centres centres;
  double unit_length;  // metres per internal unit
  Vec3 origin;         // world point [m] the internal frame is centred at
  std::vector<Unit> units;
  std::vector<ModelGeom> geoms;                                // by geom id
  std::vector<std::shared_ptr<const Collidable>> collidables;  // by shape, at full scale; null for half-spaces
  std::vector<int> unit_of_body;                               // -1 for fixed bodies
  std::vector<double> tops;  // by geom, where some unit stands: height of an obstacle along `up`; 1e300 of all others
  bool rigid = false;        // some unit may turn, or not move in every direction

  const Shape& shape(const ModelGeom& g) const { return collidables[g.shape]->shape(); }
  // Reach of a movable geom from its unit's centre along the unit vector n, at full scale (may be negative).
  double reach(const ModelGeom& g, const Vec3& n) const;

 private:
  void place();
  void find_tops();
  void stand_on_feet();
};

}  // namespace s4r
