#include "geometry/height_field.h"

namespace s4r {
namespace {

double coordinate(int index, int count, double half) { return -half + 2.0 * half * index / (count - 1); }

Vec3 sample(const Shape& s, int row, int col) {
  const HeightField& f = *s.field;
  return {coordinate(col, f.cols, s.size.x()), coordinate(row, f.rows, s.size.y()),
          f.heights[static_cast<std::size_t>(row) * f.cols + col]};
}

// Row and column of the k-th border sample, counter-clockwise seen from above.
std::pair<int, int> border(int k, int rows, int cols) {
  if (k < cols - 1) return {0, k};
  k -= cols - 1;
  if (k < rows - 1) return {k, cols - 1};
  k -= rows - 1;
  if (k < cols - 1) return {rows - 1, cols - 1 - k};
  k -= cols - 1;
  return {rows - 1 - k, 0};
}

}  // namespace

TriangleMesh height_field_mesh(const Shape& s) {
  const int rows = s.field->rows, cols = s.field->cols;
  TriangleMesh mesh;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) mesh.vertices.push_back(sample(s, r, c));
  const auto top = [cols](int r, int c) { return r * cols + c; };
  for (int r = 0; r + 1 < rows; ++r)
    for (int c = 0; c + 1 < cols; ++c) {
      mesh.triangles.push_back({top(r, c), top(r, c + 1), top(r + 1, c)});
      mesh.triangles.push_back({top(r, c + 1), top(r + 1, c + 1), top(r + 1, c)});
    }
  // Walls: each border sample has a twin on the bottom; the bottom is a fan around its own centre vertex.
  const int border_count = 2 * (rows - 1) + 2 * (cols - 1);
  const int first = static_cast<int>(mesh.vertices.size());
  for (int k = 0; k < border_count; ++k) {
    const auto [r, c] = border(k, rows, cols);
    const Vec3 p = sample(s, r, c);
    mesh.vertices.emplace_back(p.x(), p.y(), -s.size.z());
  }
  const int centre = static_cast<int>(mesh.vertices.size());
  mesh.vertices.emplace_back(0.0, 0.0, -s.size.z());
  for (int k = 0; k < border_count; ++k) {
    const int next = (k + 1) % border_count;
    const auto [r0, c0] = border(k, rows, cols);
    const auto [r1, c1] = border(next, rows, cols);
    mesh.triangles.push_back({top(r0, c0), first + k, first + next});
    mesh.triangles.push_back({top(r0, c0), first + next, top(r1, c1)});
    mesh.triangles.push_back({centre, first + next, first + k});
  }
  return mesh;
}

Vec3 height_field_support(const Shape& s, const Vec3& d) {
  Vec3 best(d.x() < 0 ? -s.size.x() : s.size.x(), d.y() < 0 ? -s.size.y() : s.size.y(), -s.size.z());
  for (int r = 0; r < s.field->rows; ++r)
    for (int c = 0; c < s.field->cols; ++c) {
      const Vec3 p = sample(s, r, c);
      if (p.dot(d) > best.dot(d)) best = p;
    }
  return best;
}

}  // namespace s4r
