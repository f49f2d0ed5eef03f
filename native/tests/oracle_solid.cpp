// Shapes as unions of convex pieces, from their definitions in `Shape` (src/core/scene.ts).
#include <algorithm>
#include <cmath>

#include "oracle.h"

namespace s4r::testing {
namespace {

LMat rotation(const Quat& q) {
  return Eigen::Quaternion<long double>(q.w(), q.x(), q.y(), q.z()).normalized().toRotationMatrix();
}

long double signum(long double x) { return x < 0.0L ? -1.0L : 1.0L; }

LVec rim(const LVec& n, long double radius) {
  const long double length = std::sqrt(n.x() * n.x() + n.y() * n.y());
  return length > 0.0L ? LVec(radius * n.x() / length, radius * n.y() / length, 0.0L) : LVec(radius, 0.0L, 0.0L);
}

// Solid columns between the bottom and the two triangles of each cell.
std::vector<std::vector<LVec>> columns(const Shape& shape) {
  const HeightField& f = *shape.field;
  const auto sample = [&](int row, int col) {
    const long double x = -shape.size.x() + 2.0L * shape.size.x() * col / (f.cols - 1);
    const long double y = -shape.size.y() + 2.0L * shape.size.y() * row / (f.rows - 1);
    return LVec(x, y, f.heights[static_cast<std::size_t>(row) * f.cols + col]);
  };
  std::vector<std::vector<LVec>> result;
  for (int r = 0; r + 1 < f.rows; ++r)
    for (int c = 0; c + 1 < f.cols; ++c)
      for (const bool upper : {false, true}) {
        std::vector<LVec> points{sample(r, c + 1), sample(r + 1, c), upper ? sample(r + 1, c + 1) : sample(r, c)};
        for (int k = 0; k < 3; ++k) points.emplace_back(points[k].x(), points[k].y(), -shape.size.z());
        result.push_back(points);
      }
  return result;
}

bool every_edge_has_its_opposite(const TriangleMesh& mesh) {
  std::vector<std::pair<int, int>> edges, opposite;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      edges.emplace_back(t[k], t[(k + 1) % 3]);
      opposite.emplace_back(t[(k + 1) % 3], t[k]);
    }
  std::sort(edges.begin(), edges.end());
  std::sort(opposite.begin(), opposite.end());
  return edges == opposite;
}

}  // namespace

LVec OraclePiece::support(const LVec& world) const {
  const LVec n = R.transpose() * world;
  LVec local = LVec::Zero();
  switch (kind) {
    case ShapeKind::kBox: local = {signum(n.x()) * size.x(), signum(n.y()) * size.y(), signum(n.z()) * size.z()}; break;
    case ShapeKind::kCylinder: local = rim(n, size.x()) + LVec(0, 0, signum(n.z()) * size.y()); break;
    case ShapeKind::kCone: {
      const LVec base = rim(n, size.x()) - LVec(0, 0, size.y()), apex(0, 0, size.y());
      local = n.dot(base) > n.dot(apex) ? base : apex;
      break;
    }
    case ShapeKind::kEllipsoid: {
      const LVec stretched = size.cwiseProduct(n);
      local = size.cwiseProduct(stretched) / stretched.norm();
      break;
    }
    default: {
      local = points.front();
      for (const LVec& q : points)
        if (n.dot(q) > n.dot(local)) local = q;
    }
  }
  return p + R * local;
}

OracleSolid::OracleSolid(const Shape& shape, const Pose& X) {
  OraclePiece piece;
  piece.R = rotation(X.q);
  piece.p = X.p.cast<long double>();
  piece.kind = shape.kind;
  piece.size = shape.size.cast<long double>();
  const auto add = [&](OraclePiece q) {
    LVec lo = q.p, hi = q.p;
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = q.support(-LVec::Unit(axis))[axis];
      hi[axis] = q.support(LVec::Unit(axis))[axis];
    }
    q.ball_centre = 0.5L * (lo + hi);
    q.ball_radius = 0.5L * (hi - lo).norm() + q.radius;
    pieces.push_back(std::move(q));
  };
  const auto add_points = [&](std::vector<LVec> points, long double radius) {
    OraclePiece q = piece;
    q.kind = ShapeKind::kConvex;
    q.points = std::move(points);
    q.radius = radius;
    add(std::move(q));
  };
  switch (shape.kind) {
    case ShapeKind::kHalfspace: return;
    case ShapeKind::kSphere: add_points({LVec::Zero()}, piece.size.x()); break;
    case ShapeKind::kCapsule:
      add_points({LVec(0, 0, -piece.size.y()), LVec(0, 0, piece.size.y())}, piece.size.x());
      break;
    case ShapeKind::kHeightField:
      for (auto& column : columns(shape)) add_points(std::move(column), 0.0L);
      break;
    case ShapeKind::kConvex: {
      std::vector<LVec> points;
      for (const Vec3& v : shape.mesh->vertices) points.push_back(v.cast<long double>());
      add_points(std::move(points), 0.0L);
      break;
    }
    case ShapeKind::kMesh:
      surface = true;
      closed = every_edge_has_its_opposite(*shape.mesh);
      for (const auto& t : shape.mesh->triangles) {
        std::vector<LVec> points;
        for (const int v : t) points.push_back(shape.mesh->vertices[v].cast<long double>());
        add_points(std::move(points), 0.0L);
      }
      break;
    default: add(piece);
  }
  // Of a mesh every triangle gives a point: components need not be known.
  for (const OraclePiece& q : pieces) inner.push_back(surface ? LVec(q.p + q.R * q.points[0]) : q.ball_centre);
}

bool OracleSolid::encloses(const LVec& point) const {
  if (!surface || !closed) return false;
  const LVec ray = LVec(0.3141592653589793L, 0.2718281828459045L, 0.9099181716182021L);
  int crossings = 0;
  for (const OraclePiece& t : pieces) {
    const LVec a = t.p + t.R * t.points[0] - point, b = t.p + t.R * t.points[1] - point,
               c = t.p + t.R * t.points[2] - point;
    const long double u = ray.dot(b.cross(c)), v = ray.dot(c.cross(a)), w = ray.dot(a.cross(b));
    const bool forward = u > 0 && v > 0 && w > 0, backward = u < 0 && v < 0 && w < 0;
    if (!forward && !backward) continue;
    if (ray.dot(u * a + v * b + w * c) / (u + v + w) > 0.0L) crossings += forward ? 1 : -1;
  }
  return crossings != 0;
}

OracleSolid moved(const OracleSolid& solid, const LVec& shift) {
  OracleSolid result = solid;
  for (OraclePiece& q : result.pieces) {
    q.p += shift;
    q.ball_centre += shift;
  }
  for (LVec& p : result.inner) p += shift;
  return result;
}

}  // namespace s4r::testing
