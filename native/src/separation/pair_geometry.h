// Geometry of one pair of geoms at given turns of their units: everything depends on u, the vector from A's centre to
// B's.
#pragma once

#include <mutex>

#include "continuation/model.h"
#include "geometry/separating_plane.h"
#include "narrowphase/tree_query.h"

namespace s4r {

// n . u >= reach keeps the triangle pairs (or solids) it covers apart.
struct PlaneRow {
  Vec3 n = Vec3::Zero();
  double reach = 0.0;
  Vec3 y_a = Vec3::Zero(), y_b = Vec3::Zero();  // its points from the centres: n . (y_a - y_b) = reach
};

// What the next query of the pair starts from.
struct PairCache {
  TrianglePair hit;
  TrianglePair witness;
  Vec3 normal = Vec3::Zero();
};

struct PairGap {
  double distance = 0.0;       // gap if found, else the lower bound dmax; not
                               // positive if they overlap
  bool found = false;          // closer than dmax
  bool overlap = false;        // surfaces cross, solids overlap, or one contains the other
  bool touching = false;       // an overlap without depth where it was found; others may be deeper
  bool contained = false;      // one contains the other and the surfaces do not cross
  std::vector<PlaneRow> rows;  // found and apart: planes that cover everything closer than `range`
  double range = 0.0;
};

// Triangle trees by shape: meshes, hulls and boxes. Each is built when the first query needs it, by whatever thread.
class SeparationAssets {
 public:
  explicit SeparationAssets(const Model& model);
  // Null for curved solids, which have no triangles.
  const MeshTree* tree(int shape) const;
  // All that a pair of the model's geoms may need.
  void build_all(const Model& model, int threads) const;

 private:
  struct Lazy {
    std::shared_ptr<const Collidable> solid;
    std::once_flag built;
    std::unique_ptr<MeshTree> tree;
  };
  std::unique_ptr<Lazy[]> trees_;
};

class PairGeometry {
 public:
  PairGeometry(const Model& model, const SeparationAssets& assets, int geom_a, int geom_b,
               const Quat& turn_a = Quat::Identity(), const Quat& turn_b = Quat::Identity());

  // Both solids convex: one plane separates them at any distance.
  bool convex() const { return convex_; }
  bool overlaps(const Vec3& u, PairCache& cache) const;
  // Gap up to dmax and, if it is below, the rows that cover everything closer than dmax and than `beyond` more than the
  // gap.
  PairGap measure(const Vec3& u, double dmax, double beyond, int max_rows, PairCache& cache) const;
  // Whether some of the rows can be kept by what the two may do.
  bool helps(const std::vector<PlaneRow>& rows) const;
  // Unit direction that parts surfaces that cross, among those the two may move in.
  Vec3 push_direction(const Vec3& u) const;
  // The plane between the convex hulls that is cheapest to reach. Against an
  // obstacle, moving along `up` costs 1, sideways 1.5, down 2.
  PlaneRow hull_row(const Vec3& u) const;
  // The plane between the convex hulls across n, unit, from A to B.
  PlaneRow row_from(const Vec3& n_world) const;

 private:
  // A curved solid in the frame of the mesh it meets; to_b turns directions from the mesh to the solid into directions
  // from A to B in world axes.
  struct SolidAndTree {
    const MeshTree* tree;
    PlacedShape solid;
    Mat3 to_b;
  };

  TreePair trees_at(const Vec3& u) const;
  SolidAndTree solid_at(const Vec3& u) const;
  Vec3 open(const Vec3& direction) const;
  std::vector<Vec3> directions_around(const Vec3& u) const;
  PairGap measure_convex(const Vec3& u, double dmax, PairCache& cache) const;
  PairGap measure_solid(const Vec3& u, double dmax, double beyond, int max_rows) const;
  void set_points(PlaneRow& row, const Vec3& on_mesh, const Vec3& on_solid, const Vec3& u) const;
  bool contained(const Vec3& u) const;

  const ModelGeom& geom_a_;
  const ModelGeom& geom_b_;
  const Collidable& solid_a_;
  const Collidable& solid_b_;
  const Shape& shape_a_;
  const Shape& shape_b_;
  Pose X_a_, X_b_;  // relative to the centres
  Vec3 up_;
  bool rigid_;    // rows need their points
  Mat3 open_;     // projector onto the directions in which the two may be displaced relative to each other
  bool limited_;  // which are not all
  bool convex_;
  bool bare_;               // not convex, and one has no area: all there is to find is one inside the other
  const MeshTree* tree_a_;  // null if convex
  const MeshTree* tree_b_;
};

}  // namespace s4r
