#include "separation/pair_geometry.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "geometry/directions.h"
#include "geometry/separating_plane.h"
#include "narrowphase/triangle_pair.h"
#include "separation/solid_tree.h"
#include "util/parallel.h"

namespace s4r {
namespace {

// Depth up to which a curved solid may do no more than touch: it is not known to rounding.
constexpr double kShallow = 1e-6;
// Share of a direction that must lie in the directions two bodies may move in for it to be of use to them.
constexpr double kSteep = 0.1;
constexpr int kDirectionsAround = 24;

// Projector onto the range of a sum of projectors.
Mat3 range_of(const Mat3& sum) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(sum);
  Mat3 range = Mat3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > 1e-9) range += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose();
  return range;
}

// Hulls and boxes as surfaces, for their pairs with meshes; curved solids have
// none.
std::shared_ptr<const TriangleMesh> surface_of(const Shape& shape) {
  if (shape.mesh) return shape.mesh;
  if (shape.kind != ShapeKind::kBox) return nullptr;
  auto mesh = std::make_shared<TriangleMesh>();
  for (int k = 0; k < 8; ++k)
    mesh->vertices.push_back(shape.size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  mesh->triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// How far the solid reaches through the triangle's plane, on whichever side that is less.
double depth_in_face(const Vec3 (&t)[3], const PlacedShape& solid) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  return std::min(support(*solid.shape, solid.X, -n) + n.dot(t[0]), support(*solid.shape, solid.X, n) - n.dot(t[0]));
}

Pose relative(const Pose& from, const Pose& to) {
  const Quat inverse = from.q.conjugate();
  return {inverse * (to.p - from.p), inverse * to.q};
}

}  // namespace

SeparationAssets::SeparationAssets(const Model& model) : trees_(new Lazy[model.collidables.size()]) {
  for (std::size_t s = 0; s < model.collidables.size(); ++s) trees_[s].solid = model.collidables[s];
}

const MeshTree* SeparationAssets::tree(int shape) const {
  Lazy& lazy = trees_[shape];
  std::call_once(lazy.built, [&] {
    if (const auto surface = surface_of(lazy.solid->shape())) lazy.tree = std::make_unique<MeshTree>(surface);
  });
  return lazy.tree.get();
}

void SeparationAssets::build_all(const Model& model, int threads) const {
  std::vector<int> shapes;
  bool meshes = false;  // hulls and boxes need a tree only where there are meshes to meet
  for (const ModelGeom& g : model.geoms) {
    if (g.halfspace) continue;
    meshes |= !g.convex;
    shapes.push_back(g.shape);
  }
  if (!meshes) return;
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  parallel_for(shapes.size(), threads, [&](std::size_t k) { tree(shapes[k]); });
}

PairGeometry::PairGeometry(const Model& model, const SeparationAssets& assets, int a, int b, const Quat& turn_a,
                           const Quat& turn_b)
    : geom_a_(model.geoms[a]),
      geom_b_(model.geoms[b]),
      solid_a_(*model.collidables[geom_a_.shape]),
      solid_b_(*model.collidables[geom_b_.shape]),
      shape_a_(solid_a_.shape()),
      shape_b_(solid_b_.shape()),
      X_a_{geom_a_.unit >= 0 ? turn_a * geom_a_.offset : Vec3::Zero(), turn_a * geom_a_.q},
      X_b_{geom_b_.unit >= 0 ? turn_b * geom_b_.offset : Vec3::Zero(), turn_b * geom_b_.q},
      up_(model.scene.up),
      rigid_(model.rigid),
      open_(Mat3::Identity()),
      limited_(false),
      convex_(geom_a_.convex && geom_b_.convex),
      bare_(!convex_ && !(solid_a_.has_area() && solid_b_.has_area())),
      tree_a_(convex_ ? nullptr : assets.tree(geom_a_.shape)),
      tree_b_(convex_ ? nullptr : assets.tree(geom_b_.shape)) {
  if (!rigid_) return;
  Mat3 sum = Mat3::Zero();
  for (const int unit : {geom_a_.unit, geom_b_.unit}) {
    if (unit < 0) continue;
    if (model.units[unit].motion.translate == Motion::Translate::kAll) return;
    sum += model.units[unit].translations;
  }
  open_ = range_of(sum);
  limited_ = open_.trace() < 2.5;
}

// The direction as far as the two may move along it; zero if hardly.
Vec3 PairGeometry::open(const Vec3& direction) const {
  if (!limited_) return direction;
  const Vec3 projected = open_ * direction;
  return projected.norm() > kSteep * direction.norm() ? projected : Vec3(Vec3::Zero());
}

TreePair PairGeometry::trees_at(const Vec3& u) const {
  const Pose X = relative(X_a_, {X_b_.p + u, X_b_.q});
  return {tree_a_, tree_b_, X.q.toRotationMatrix(), X.p, 1.0};
}

PairGeometry::SolidAndTree PairGeometry::solid_at(const Vec3& u) const {
  const Pose X_b{X_b_.p + u, X_b_.q};
  if (tree_a_ != nullptr) return {tree_a_, {&shape_b_, relative(X_a_, X_b)}, X_a_.q.toRotationMatrix()};
  return {tree_b_, {&shape_a_, relative(X_b, X_a_)}, -X_b.q.toRotationMatrix()};
}

bool PairGeometry::helps(const std::vector<PlaneRow>& rows) const {
  return !limited_ || rows.empty() ||
         std::any_of(rows.begin(), rows.end(), [&](const PlaneRow& row) { return !open(row.n).isZero(0.0); });
}

PlaneRow PairGeometry::row_from(const Vec3& n) const {
  PlaneRow row{n, support(shape_a_, X_a_, n) + support(shape_b_, X_b_, -n)};
  if (!rigid_) return row;
  row.y_a = X_a_.p + X_a_.q * support_point(shape_a_, X_a_.q.conjugate() * n);
  row.y_b = X_b_.p + X_b_.q * support_point(shape_b_, X_b_.q.conjugate() * -n);
  return row;
}

bool PairGeometry::overlaps(const Vec3& u, PairCache& cache) const {
  if (convex_) return !convex_gap({&shape_a_, X_a_}, {&shape_b_, {X_b_.p + u, X_b_.q}}, u).separated();
  if (bare_) return contained(u);
  if (tree_a_ != nullptr && tree_b_ != nullptr) {
    // Surfaces that touch count, as in measure(): of aligned boxes no edge pierces a face, however deep they overlap.
    const TreeDistance d = tree_distance(trees_at(u), kTouching, &cache.hit);
    if (d.crossing) cache.hit = d.witness;
    return d.crossing || (d.found && !(d.distance > 0.0)) || contained(u);
  }
  return measure_solid(u, 0.0, 0.0, 1).overlap;
}

PairGap PairGeometry::measure(const Vec3& u, double dmax, double beyond, int max_rows, PairCache& cache) const {
  if (convex_) return measure_convex(u, dmax, cache);
  if (bare_) {  // nothing is certified of other poses
    PairGap gap;
    gap.found = gap.overlap = gap.contained = contained(u);
    return gap;
  }
  if (tree_a_ == nullptr || tree_b_ == nullptr) return measure_solid(u, dmax, beyond, max_rows);
  PairGap gap;
  gap.distance = dmax;
  const TreePair pair = trees_at(u);
  const TreeDistance d = tree_distance(pair, dmax, cache.witness.a >= 0 ? &cache.witness : nullptr);
  gap.found = d.found;
  if (d.found) cache.witness = d.witness;
  gap.contained = !d.crossing && contained(u);
  if (d.crossing || (d.found && !(d.distance > 0.0)) || gap.contained) {
    gap.found = gap.overlap = true;
    gap.touching = !d.crossing && !gap.contained;
    gap.distance = 0.0;
    if (d.crossing) {
      cache.hit = d.witness;
      Vec3 a[3], b[3];
      pair.triangles(d.witness.a, d.witness.b, a, b);
      gap.touching = triangles_only_touch(a, b, kTouching);
    }
    return gap;
  }
  if (!d.found) return gap;
  gap.distance = d.distance;
  const Cover cover = cover_rows(pair, d, std::min(dmax, d.distance + beyond), max_rows);
  gap.range = cover.range;
  for (const CoverRow& row : cover.rows) {
    const Vec3 n = X_a_.q * row.n;
    gap.rows.push_back({n, n.dot(u) - row.separation, X_a_.p + X_a_.q * row.on_a, X_a_.p + X_a_.q * row.on_b - u});
  }
  return gap;
}

PairGap PairGeometry::measure_convex(const Vec3& u, double dmax, PairCache& cache) const {
  PairGap gap;
  const ConvexGap c =
      convex_gap({&shape_a_, X_a_}, {&shape_b_, {X_b_.p + u, X_b_.q}}, cache.normal.isZero(0.0) ? u : cache.normal);
  PlaneRow row = c.separated() ? row_from(c.n) : hull_row(u);
  if (c.separated()) {
    row.y_a = c.on_a;
    row.y_b = c.on_b - u;
  }
  gap.distance = row.n.dot(u) - row.reach;
  gap.overlap = gap.distance < -kTouching;
  gap.found = gap.distance < dmax;
  gap.range = 1e300;
  cache.normal = row.n;
  gap.rows = {row};
  return gap;
}

// A curved solid against a mesh. Rows as in cover_rows: the nearest triangle no
// row covers yet gets the next one.
PairGap PairGeometry::measure_solid(const Vec3& u, double dmax, double beyond, int max_rows) const {
  const auto [tree, placed, to_b] = solid_at(u);
  PairGap gap;
  gap.distance = gap.range = dmax;
  const std::vector<NearTriangle> near = near_triangles(*tree, placed, dmax, false);
  const bool crossing = !near.empty() && !(near.front().separation > 0.0);
  gap.contained = !crossing && contained(u);
  if (crossing || gap.contained) {
    gap.found = gap.overlap = true;
    gap.touching =
        crossing && std::all_of(near.begin(), near.end(), [&, &mesh = tree, &solid = placed](const NearTriangle& t) {
          Vec3 c[3];
          mesh->triangle(t.triangle, c);
          return t.separation >= -kShallow || depth_in_face(c, solid) <= kShallow;
        });
    gap.distance = 0.0;
    return gap;
  }
  if (near.empty()) return gap;
  gap.found = true;
  gap.distance = near.front().separation;
  gap.range = std::min(dmax, gap.distance + beyond);
  struct Row {
    Vec3 n;
    double separation, reach;  // reach: of the solid towards the mesh
  };
  std::vector<Row> rows;
  for (const NearTriangle& t : near) {
    if (t.separation > gap.range) break;
    Vec3 corners[3];
    tree->triangle(t.triangle, corners);
    const bool covered = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      const double farthest = std::max({row.n.dot(corners[0]), row.n.dot(corners[1]), row.n.dot(corners[2])});
      return -row.reach - farthest >= row.separation - 1e-12;
    });
    if (covered) continue;
    if (static_cast<int>(rows.size()) == max_rows) {
      gap.range = t.separation;
      break;
    }
    rows.push_back({t.n, t.separation, support(*placed.shape, placed.X, -t.n)});
  }
  for (const Row& row : rows) {
    const Vec3 n = to_b * row.n;
    gap.rows.push_back({n, n.dot(u) - row.separation, Vec3::Zero(), Vec3::Zero()});
    if (!rigid_) continue;
    const Vec3 on_solid = placed.X.p + placed.X.q * support_point(*placed.shape, placed.X.q.conjugate() * -row.n);
    set_points(gap.rows.back(), on_solid - row.separation * row.n, on_solid, u);
  }
  return gap;
}

// Points on mesh and solid, in the mesh's frame, as those of A and B.
void PairGeometry::set_points(PlaneRow& row, const Vec3& on_mesh, const Vec3& on_solid, const Vec3& u) const {
  if (tree_a_ != nullptr) {
    row.y_a = X_a_.p + X_a_.q * on_mesh;
    row.y_b = X_a_.p + X_a_.q * on_solid - u;
  } else {
    row.y_a = X_b_.p + X_b_.q * on_solid + u;
    row.y_b = X_b_.p + X_b_.q * on_mesh;
  }
}

bool PairGeometry::contained(const Vec3& u) const {
  const Pose X = relative(X_a_, {X_b_.p + u, X_b_.q});
  const Quat inverse = X.q.conjugate();
  return solid_a_.encloses(solid_b_, X) || solid_b_.encloses(solid_a_, {-(inverse * X.p), inverse});
}

Vec3 PairGeometry::push_direction(const Vec3& u) const {
  Vec3 direction = Vec3::Zero();
  if (tree_a_ != nullptr && tree_b_ != nullptr) {
    direction = X_a_.q * parting_direction(trees_at(u));
  } else {
    const auto [tree, placed, to_b] = solid_at(u);
    for (const NearTriangle& t : near_triangles(*tree, placed, 0.0, false)) {
      Vec3 c[3];
      tree->triangle(t.triangle, c);
      direction += (c[1] - c[0]).cross(c[2] - c[0]);
    }
    direction = to_b * direction;
  }
  for (const Vec3& d : {direction, u, up_})
    if (const Vec3 along = open(d); along.norm() > 1e-15) return along.normalized();
  return directions_around(u).front();
}

// Unit vectors all around, among those the two may move in: a plane or a line. They turn with the pair.
std::vector<Vec3> PairGeometry::directions_around(const Vec3& u) const {
  if (!limited_) return {Vec3::UnitZ()};
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(open_);
  const Vec3 along = open(u);
  const Vec3 first = along.norm() > 1e-12 ? Vec3(along.normalized()) : Vec3(eigen.eigenvectors().col(2));
  if (open_.trace() < 1.5) return {first, -first};
  const Vec3 second = eigen.eigenvectors().col(0).cross(first);
  return s4r::directions_around(first, second, kDirectionsAround);
}

PlaneRow PairGeometry::hull_row(const Vec3& u) const {
  const PlacedShape a{&shape_a_, X_a_}, b{&shape_b_, {X_b_.p + u, X_b_.q}};
  const bool both_move = geom_a_.unit >= 0 && geom_b_.unit >= 0;
  if (both_move && !limited_) return row_from(best_separating_plane(a, b, {u}).n);
  // The movable one leaves along n if it is B, against n if it is A.
  const double sign = geom_b_.unit >= 0 ? 1.0 : -1.0;
  std::vector<Vec3> directions{sign * up_};
  if (limited_)
    directions = directions_around(u);
  else
    directions.push_back(best_separating_plane(a, b, {u}).n);
  for (const Vec3& n : face_directions(a)) directions.push_back(n);
  for (const Vec3& n : face_directions(b)) directions.push_back(-n);
  double best_cost = 1e300;
  Vec3 best = directions.front();
  for (const Vec3& direction : directions) {
    const Vec3 along = open(direction);
    if (!(along.norm() > 1e-15)) continue;
    const Vec3 n = limited_ ? Vec3(along.normalized()) : direction;
    const double cost = -separation_along(a, b, n) * (both_move ? 1.0 : 1.5 - 0.5 * sign * n.dot(up_));
    if (cost < best_cost) {
      best_cost = cost;
      best = n;
    }
  }
  return row_from(best);
}

}  // namespace s4r
