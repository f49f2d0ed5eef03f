#include "geometry/gjk.h"

namespace s4r {
namespace {

constexpr double kFlat = 1e-12;  // relative height below which a tetrahedron encloses nothing

struct Candidate {
  double squared = 1e300;
  std::array<int, 3> vertex{-1, -1, -1};
  std::array<double, 3> weight{0.0, 0.0, 0.0};
};

void keep_nearer(Candidate& best, const Vec3& point, std::array<int, 3> vertex, std::array<double, 3> weight) {
  if (point.squaredNorm() < best.squared) best = {point.squaredNorm(), vertex, weight};
}

void try_edge(Candidate& best, const Vec3& a, const Vec3& b, int ia, int ib) {
  const Vec3 ab = b - a;
  const double length = ab.squaredNorm();
  const double t = length > 0.0 ? -a.dot(ab) / length : 0.0;
  if (t > 0.0 && t < 1.0) keep_nearer(best, a + t * ab, {ia, ib, -1}, {1.0 - t, t, 0.0});
}

// Weights of the origin's projection from the areas it spans with the edges.
void try_face(Candidate& best, const Vec3& a, const Vec3& b, const Vec3& c, int ia, int ib, int ic) {
  const Vec3 n = (b - a).cross(c - a);
  const double squared = n.squaredNorm();
  if (!(squared > 0.0)) return;
  const double u = n.dot(b.cross(c)) / squared, v = n.dot(c.cross(a)) / squared, w = n.dot(a.cross(b)) / squared;
  if (u > 0.0 && v > 0.0 && w > 0.0) {
    const double sum = u + v + w;
    keep_nearer(best, (u * a + v * b + w * c) / sum, {ia, ib, ic}, {u / sum, v / sum, w / sum});
  }
}

// The origin lies on the inner side of face abc, the side of d.
bool inner_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 n = (b - a).cross(c - a);
  const double height = n.dot(d - a), origin = n.dot(-a);
  const double size = n.norm() * std::max((d - a).norm(), a.norm());
  return height > kFlat * size ? origin > 0.0 : height < -kFlat * size && origin < 0.0;
}

}  // namespace

void Simplex::add(const Vec3& difference, const Vec3& on_a) { vertices_[count_++] = {difference, on_a, 0.0}; }

bool Simplex::contains(const Vec3& difference) const {
  return std::any_of(vertices_.begin(), vertices_.begin() + count_, [&](const Vertex& v) { return v.w == difference; });
}

// Weights of the origin in the tetrahedron, from the volumes it spans with the faces.
void Simplex::weigh_enclosed() {
  auto& v = vertices_;
  const std::array<double, 4> volume{v[1].w.dot(v[2].w.cross(v[3].w)), -v[0].w.dot(v[2].w.cross(v[3].w)),
                                     v[0].w.dot(v[1].w.cross(v[3].w)), -v[0].w.dot(v[1].w.cross(v[2].w))};
  const double sum = volume[0] + volume[1] + volume[2] + volume[3];
  for (int k = 0; k < 4; ++k) v[k].weight = volume[k] / sum;
  closest_ = Vec3::Zero();
}

bool Simplex::reduce() {
  const auto& v = vertices_;
  if (count_ == 4 && inner_side(v[0].w, v[1].w, v[2].w, v[3].w) && inner_side(v[0].w, v[1].w, v[3].w, v[2].w) &&
      inner_side(v[0].w, v[2].w, v[3].w, v[1].w) && inner_side(v[1].w, v[2].w, v[3].w, v[0].w)) {
    weigh_enclosed();
    return true;
  }
  Candidate best;
  for (int i = 0; i < count_; ++i) {
    keep_nearer(best, v[i].w, {i, -1, -1}, {1.0, 0.0, 0.0});
    for (int j = i + 1; j < count_; ++j) {
      try_edge(best, v[i].w, v[j].w, i, j);
      for (int k = j + 1; k < count_; ++k) try_face(best, v[i].w, v[j].w, v[k].w, i, j, k);
    }
  }
  std::array<Vertex, 4> kept;
  int count = 0;
  closest_ = Vec3::Zero();
  for (int k = 0; k < 3 && best.vertex[k] >= 0; ++k) {
    kept[count] = v[best.vertex[k]];
    kept[count].weight = best.weight[k];
    closest_ += kept[count].weight * kept[count].w;
    ++count;
  }
  vertices_ = kept;
  count_ = count;
  return false;
}

Vec3 Simplex::direction() const {
  Vec3 d = closest_;
  if (count_ == 2) {
    const Vec3 edge = (vertices_[1].w - vertices_[0].w).normalized();
    for (int pass = 0; pass < 2; ++pass) d -= d.dot(edge) * edge;
  } else if (count_ == 3) {
    d = (vertices_[1].w - vertices_[0].w).cross(vertices_[2].w - vertices_[0].w);
    if (d.dot(vertices_[0].w) < 0.0) d = -d;
  }
  return (d.squaredNorm() > 0.0 ? d : closest_).normalized();
}

Vec3 Simplex::on_a() const {
  Vec3 point = Vec3::Zero();
  for (int k = 0; k < count_; ++k) point += vertices_[k].weight * vertices_[k].a;
  return point;
}

}  // namespace s4r
