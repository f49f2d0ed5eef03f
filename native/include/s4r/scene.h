// The scene as the native core sees it. Built by the addon from the packed arrays (src/core/pack.ts).
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "s4r/geometry.h"

namespace s4r {

// What a unit may do. Directions are unit vectors in W.
struct Motion {
  enum class Translate { kNone, kAlong, kAcross, kAll };
  enum class Turn { kNone, kAbout, kAll };
  Translate translate = Translate::kAll;
  Vec3 translate_axis = Vec3::UnitZ();  // the line of kAlong, the normal of kAcross
  Turn turn = Turn::kNone;
  Vec3 turn_axis = Vec3::UnitZ();  // of kAbout
  // It has to stand on the plane up . x = height [m], upright: its orientation is exp(tilt) times the upright one, with
  // the tilt a horizontal rotation vector in W [rad]. Goes with kAcross `up` and at most kAbout `up`.
  bool stands = false;
  Vec3 tilt = Vec3::Zero();
  double height = 0.0;
  // Of a unit that stands: the point that has to stay over its support, in W in the input, and the edges of that:
  // n . x <= offset [m]. No edges: the support has no end.
  struct Edge {
    Vec3 n = Vec3::UnitX();
    double offset = 0.0;
  };
  Vec3 carried = Vec3::Zero();
  std::vector<Edge> edges;
};

// A hinge or slide that takes part, in the state of the scene. With joint displacements q the bodies lie at
// exp(xi_1 q_1) ... exp(xi_n q_n) X_WB, the joints that displace a body in ascending order, those nearer to the root
// first (product of exponentials: Lynch and Park, Modern Robotics, 4.1).
struct Joint {
  bool hinge = true;  // else a slide
  Vec3 axis = Vec3::UnitZ();
  Vec3 anchor = Vec3::Zero();  // a point of the axis [m]
  std::vector<int> bodies;     // all that it displaces; none of one that only drives others
  // What its displacement [rad], [m] may be; zero is within.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  int leader = -1;     // the joint that drives it: its displacement is `ratio` times that one's; -1: none
  double ratio = 1.0;  // its own range does not count then
};

struct Body {
  Pose X_WB;
  int unit = 0;          // index of the body whose motion this one follows (itself for a root)
  int weld = 0;          // representative of the bodies welded to this one
  bool movable = false;  // its unit may be moved
  double weight = 1.0;   // cost of moving the unit, > 0; read from the unit's root
  Motion motion;         // of the unit; read from its root
};

struct Geom {
  int body = 0;
  int shape = 0;
  Pose X_BG;
  double margin = 0.0;  // clearance the engine wants [m]; the margins of a pair add up
  std::uint32_t category = 1;
  std::uint32_t mask = 1;
};

// A geom pair tested whatever masks and excludes say, with its own clearance [m].
struct ExplicitPair {
  int geom_a = 0;
  int geom_b = 0;
  double margin = 0.0;
};

struct Scene {
  std::vector<Body> bodies;
  std::vector<Geom> geoms;
  std::vector<Joint> joints;  // only those that may move
  std::vector<Shape> shapes;
  bool masks_need_both = false;  // true: both directions must match (Rapier); false: either (MuJoCo)
  std::vector<std::pair<int, int>> excluded_bodies;
  std::vector<std::pair<int, int>> excluded_geoms;
  std::vector<ExplicitPair> explicit_pairs;
  Vec3 up = Vec3::UnitZ();
};

}  // namespace s4r
