// Exact pair queries (hides FCL). The score is the piecewise one of Algorithm 2 (App. A.9):
// boundary distance when separated, minus a local depth when the surfaces cross, plus containment of closed meshes.
#pragma once

#include <memory>
#include <mutex>

#include "geometry/solid.h"
#include "geometry/support.h"

namespace s4r {

// A bounded shape prepared for queries: bounding-volume tree, closedness, components. Immutable.
class Collidable {
 public:
  explicit Collidable(const Shape& shape);
  // The same shape, `factor` times as large.
  Collidable(const Collidable& other, double factor);
  ~Collidable();
  Collidable(const Collidable&) = delete;

  const Shape& shape() const { return shape_; }
  // Box of the shape in its own frame.
  const Box3& box() const { return box_; }
  // Is the point (shape frame) inside the closed mesh?
  bool encloses(const Vec3& point) const;
  // Is a component of `other`, placed at X in this shape's frame, inside this closed mesh or box? Only for surfaces
  // that do not cross. False for the other primitives, which queries treat as solids.
  bool encloses(const Collidable& other, const Pose& X) const;
  // A point of the shape.
  const Vec3& point() const {
    return components_.empty() ? shape_.mesh->vertices.front() : components_.front().front();
  }
  // False for a mesh all of whose triangles are without area: it has no surface to meet.
  bool has_area() const { return has_area_; }
  // A mesh without boundary.
  bool closed() const;

  struct Backend;
  // Built when the first query needs it: the default profile brings trees of its own.
  const Backend& backend() const;

 private:
  Shape shape_;  // height fields are replaced by their closed mesh
  Box3 box_;
  bool has_area_ = true;
  std::vector<Component> components_;  // of a primitive one, its extent; of a mesh without triangles none
  mutable std::once_flag closed_known_;
  mutable bool closed_ = false;
  mutable std::once_flag built_;
  mutable std::unique_ptr<Backend> backend_;
};

struct Score {
  double distance = 0.0;       // > 0 gap, < 0 minus depth, 0 touching
  Vec3 normal = Vec3::Zero();  // unit, from A to B; zero if none is available (no QP row then)
  Vec3 point = Vec3::Zero();   // midpoint of the witnesses, or a contact point
  bool contained = false;

  bool has_normal() const { return normal.squaredNorm() > 0.5; }
};

// Depths up to this many length units are rounding of exact touching, not overlap.
inline constexpr double kTouching = 1e-12;

// Scores the pair in the common frame of the poses. Meshes of about 1e-4 to 1e6 units are safe: beyond, FCL's absolute
// thresholds matter, so callers normalise units.
Score score_pair(const Collidable& a, const Pose& X_a, const Collidable& b, const Pose& X_b);

// Could the score be negative? A Boolean test: false is certain, true need not be.
bool may_overlap(const Collidable& a, const Pose& X_a, const Collidable& b, const Pose& X_b);

// The same score against the half-space z <= 0 of X_a, exact for every shape.
Score score_halfspace(const Pose& X_a, const Shape& b, const Pose& X_b);

}  // namespace s4r
