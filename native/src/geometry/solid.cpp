#include "geometry/solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace s4r {

double winding_number(const TriangleMesh& mesh, const Vec3& point) {
  double total = 0.0;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - point, b = mesh.vertices[t[1]] - point, c = mesh.vertices[t[2]] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double numerator = a.dot(b.cross(c));
    const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    total += std::atan2(numerator, denominator);
  }
  return total / (2.0 * std::numbers::pi);
}

std::vector<double> line_crossings(const TriangleMesh& mesh, const Vec3& p, const Vec3& n) {
  std::vector<double> crossings;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - p, b = mesh.vertices[t[1]] - p, c = mesh.vertices[t[2]] - p;
    const double u = n.dot(b.cross(c)), v = n.dot(c.cross(a)), w = n.dot(a.cross(b));
    if (std::min({u, v, w}) < 0.0 && std::max({u, v, w}) > 0.0) continue;
    const double sum = u + v + w;
    if (sum == 0.0) continue;  // edge-on
    if (const double at = n.dot(u * a + v * b + w * c) / (sum * n.squaredNorm()); at > 0.0) crossings.push_back(at);
  }
  std::sort(crossings.begin(), crossings.end());
  return crossings;
}

bool is_closed(const TriangleMesh& mesh) {
  // Sorted directed edges, each as (smaller, larger, direction): a closed mesh has as many of one direction as of the
  // other.
  struct Edge {
    int low, high, direction;
  };
  std::vector<Edge> edges;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), from < to ? 1 : -1});
    }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
  for (std::size_t k = 0; k < edges.size();) {
    int balance = 0;
    const Edge& first = edges[k];
    for (; k < edges.size() && edges[k].low == first.low && edges[k].high == first.high; ++k)
      balance += edges[k].direction;
    if (balance != 0) return false;
  }
  return !mesh.triangles.empty();
}

std::vector<Component> components(const TriangleMesh& mesh) {
  std::vector<int> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&parent](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& t : mesh.triangles) {
    // The smaller index becomes the root, so that the result does not depend on triangle order.
    for (int k = 1; k < 3; ++k) {
      const int a = find(t[0]), b = find(t[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const auto& t : mesh.triangles)
    for (const int v : t) used[v] = 1;
  std::vector<int> index(mesh.vertices.size(), -1);
  std::vector<Component> found;
  for (int v = 0; v < static_cast<int>(used.size()); ++v) {
    if (used[v] == 0) continue;
    const Vec3& p = mesh.vertices[v];
    int& component = index[find(v)];
    if (component < 0) {  // v is its root, and so comes first
      component = static_cast<int>(found.size());
      found.emplace_back().fill(p);
    }
    Component& c = found[component];
    for (int axis = 0; axis < 3; ++axis) {
      if (p[axis] < c[1 + 2 * axis][axis]) c[1 + 2 * axis] = p;
      if (p[axis] > c[2 + 2 * axis][axis]) c[2 + 2 * axis] = p;
    }
  }
  return found;
}

bool primitive_contains(const Shape& s, const Vec3& p) {
  const double radial = std::hypot(p.x(), p.y());
  switch (s.kind) {
    case ShapeKind::kSphere: return p.norm() < s.size.x();
    case ShapeKind::kBox: return (p.cwiseAbs().array() < s.size.array()).all();
    case ShapeKind::kCapsule: return std::hypot(radial, std::max(0.0, std::abs(p.z()) - s.size.y())) < s.size.x();
    case ShapeKind::kCylinder: return radial < s.size.x() && std::abs(p.z()) < s.size.y();
    case ShapeKind::kCone:
      return std::abs(p.z()) < s.size.y() && radial < s.size.x() * (s.size.y() - p.z()) / (2.0 * s.size.y());
    case ShapeKind::kEllipsoid: return p.cwiseQuotient(s.size).squaredNorm() < 1.0;
    default: return false;
  }
}

}  // namespace s4r
