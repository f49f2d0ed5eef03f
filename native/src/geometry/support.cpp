#include "geometry/support.h"

#include <algorithm>
#include <cmath>

#include "geometry/height_field.h"

namespace s4r {
namespace {

double sign(double x) { return x < 0.0 ? -1.0 : 1.0; }

// Unit radial part of d scaled by r; zero where d is along the axis.
Vec3 radial(const Vec3& d, double r) {
  const double length = std::hypot(d.x(), d.y());
  return length > 0.0 ? Vec3(r * d.x() / length, r * d.y() / length, 0.0) : Vec3::Zero();
}

// The first of the farthest vertices. Products and maxima of a block are free of branches, so that they overlap.
Vec3 farthest_vertex(const std::vector<Vec3>& vertices, const Vec3& d) {
  constexpr std::size_t kBlock = 64, kChains = 4;
  double products[kBlock];
  double best = -1e300;
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < vertices.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, vertices.size() - begin);
    const Vec3* v = vertices.data() + begin;
    for (std::size_t k = 0; k < count; ++k) products[k] = v[k].x() * d.x() + v[k].y() * d.y() + v[k].z() * d.z();
    double top[kChains] = {products[0], products[0], products[0], products[0]};
    std::size_t k = 0;
    for (; k + kChains <= count; k += kChains)
      for (std::size_t c = 0; c < kChains; ++c) top[c] = std::max(top[c], products[k + c]);
    for (; k < count; ++k) top[0] = std::max(top[0], products[k]);
    const double highest = std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
    if (!(highest > best)) continue;
    best = highest;
    found = begin + static_cast<std::size_t>(std::find(products, products + count, highest) - products);
  }
  return vertices[found];
}

}  // namespace

Vec3 support_point(const Shape& s, const Vec3& d) {
  switch (s.kind) {
    case ShapeKind::kSphere: {
      const double length = d.norm();
      return length > 0.0 ? Vec3(d * (s.size.x() / length)) : Vec3(0, 0, s.size.x());
    }
    case ShapeKind::kBox: return {sign(d.x()) * s.size.x(), sign(d.y()) * s.size.y(), sign(d.z()) * s.size.z()};
    case ShapeKind::kCapsule: {
      const double length = d.norm();
      const Vec3 cap = length > 0.0 ? Vec3(d * (s.size.x() / length)) : Vec3::Zero();
      return cap + Vec3(0, 0, sign(d.z()) * s.size.y());
    }
    case ShapeKind::kCylinder: return radial(d, s.size.x()) + Vec3(0, 0, sign(d.z()) * s.size.y());
    case ShapeKind::kCone: {
      const Vec3 apex(0, 0, s.size.y());
      const Vec3 rim = radial(d, s.size.x()) - apex;
      return apex.dot(d) >= rim.dot(d) ? apex : rim;
    }
    case ShapeKind::kEllipsoid: {
      const Vec3 scaled_direction = s.size.cwiseProduct(d);
      const double length = scaled_direction.norm();
      return length > 0.0 ? Vec3(s.size.cwiseProduct(scaled_direction) / length) : Vec3(0, 0, s.size.z());
    }
    case ShapeKind::kHeightField: return height_field_support(s, d);
    case ShapeKind::kConvex:
    case ShapeKind::kMesh: return farthest_vertex(s.mesh->vertices, d);
    case ShapeKind::kHalfspace: break;
  }
  return Vec3::Zero();
}

double support(const Shape& shape, const Pose& X, const Vec3& n) {
  const Vec3 local = X.q.conjugate() * n;
  return n.dot(X.p) + local.dot(support_point(shape, local));
}

Box3 bounds(const Shape& shape, const Pose& X) {
  Box3 box;
  if (shape.mesh) {
    const Mat3 R = X.q.toRotationMatrix();
    for (const Vec3& v : shape.mesh->vertices) box.extend(R * v + X.p);
    return box;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 n = Vec3::Unit(axis);
    box.hi[axis] = support(shape, X, n);
    box.lo[axis] = -support(shape, X, -n);
  }
  return box;
}

double radius_about(const Shape& shape, const Vec3& centre) {
  if (shape.mesh) {
    double squared = 0.0;
    for (const Vec3& v : shape.mesh->vertices) squared = std::max(squared, (v - centre).squaredNorm());
    return std::sqrt(squared);
  }
  switch (shape.kind) {
    case ShapeKind::kSphere: return centre.norm() + shape.size.x();
    case ShapeKind::kCapsule: return centre.norm() + shape.size.x() + shape.size.y();
    case ShapeKind::kCylinder:
    case ShapeKind::kCone: return centre.norm() + std::hypot(shape.size.x(), shape.size.y());
    case ShapeKind::kEllipsoid: return centre.norm() + shape.size.maxCoeff();
    default: {
      const Box3 box = bounds(shape, {});
      return (box.hi - centre).cwiseAbs().cwiseMax((box.lo - centre).cwiseAbs()).norm();
    }
  }
}

bool is_convex(const Shape& shape) {
  return shape.kind != ShapeKind::kMesh && shape.kind != ShapeKind::kHeightField && shape.kind != ShapeKind::kHalfspace;
}

Shape scaled(const Shape& shape, double factor) {
  Shape result = shape;
  result.size *= factor;
  if (shape.mesh) {
    auto mesh = std::make_shared<TriangleMesh>(*shape.mesh);
    for (Vec3& v : mesh->vertices) v *= factor;
    result.mesh = std::move(mesh);
  }
  if (shape.field) {
    auto field = std::make_shared<HeightField>(*shape.field);
    for (double& h : field->heights) h *= factor;
    result.field = std::move(field);
  }
  return result;
}

}  // namespace s4r
