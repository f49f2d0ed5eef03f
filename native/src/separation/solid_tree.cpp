#include "separation/solid_tree.h"

#include <algorithm>

#include "narrowphase/triangle_pair.h"

namespace s4r {
namespace {

constexpr double kCoarse = 0.1;  // relative tolerance where boxes are only to be told near from far
constexpr double kSharp = 1e-6;  // of the separation of a triangle; of the nearest kGapTolerance

struct Search {
  const MeshTree& tree;
  const PlacedShape& solid;
  double range;
  bool first_overlap;
  Mat3 R;  // of the solid
  Vec3 centre;
  double radius;
  bool done = false;
  std::vector<NearTriangle> found;

  Search(const MeshTree& t, const PlacedShape& s, double r, bool first)
      : tree(t),
        solid(s),
        range(r),
        first_overlap(first),
        R(s.X.q.toRotationMatrix()),
        centre(s.X.p),
        radius(radius_about(*s.shape, Vec3::Zero())) {}

  // Separations beyond the range are only proven to be so.
  template <typename Support>
  ConvexGap gap_to(const Support& support, const Vec3& guess, double tolerance) const {
    const auto of_solid = [this](const Vec3& d) -> Vec3 {
      return centre + R * support_point(*solid.shape, R.transpose() * d);
    };
    return convex_gap(support, of_solid, guess, tolerance, range);
  }

  // Spheres and capsules are a segment with a radius: no iteration while the triangle stays outside.
  bool round_gap(const Vec3 (&t)[3], ConvexGap& gap) const {
    const bool capsule = solid.shape->kind == ShapeKind::kCapsule;
    if (!capsule && solid.shape->kind != ShapeKind::kSphere) return false;
    const Vec3 half = capsule ? Vec3(R.col(2) * solid.shape->size.y()) : Vec3::Zero();
    const Vec3 core[3] = {centre - half, centre + half, centre + half};
    if (capsule && triangles_cross(t, core)) return false;
    const TriangleGap core_gap = triangle_gap(t, core);
    gap.separation = core_gap.distance - solid.shape->size.x();
    if (!gap.separated()) return false;
    gap.n = (core_gap.on_b - core_gap.on_a) / core_gap.distance;
    return true;
  }

  void node(int id) {
    const TreeNode& n = tree.nodes()[id];
    for (int lane = 0; lane < kLanes && !done; ++lane) {
      if (n.h[0][lane] < 0.0f) continue;
      const Vec3 c(n.c[0][lane], n.c[1][lane], n.c[2][lane]), h(n.h[0][lane], n.h[1][lane], n.h[2][lane]);
      if ((c - centre).norm() - h.norm() - radius > range) continue;
      Mat3 axes;
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 3; ++d) axes(d, k) = n.axis[k][d][lane];
      const auto box = [&](const Vec3& d) -> Vec3 {
        const Vec3 local = axes.transpose() * d;
        return c + axes * Vec3(local.x() < 0 ? -h.x() : h.x(), local.y() < 0 ? -h.y() : h.y(),
                               local.z() < 0 ? -h.z() : h.z());
      };
      if (gap_to(box, centre - c, kCoarse).separation > range) continue;
      n.child[lane] >= 0 ? node(n.child[lane]) : leaf(tree.leaves()[~n.child[lane]]);
    }
  }

  // `guess`: a direction to start from; null: from the triangle to the solid's centre.
  ConvexGap triangle(int id, const Vec3* guess, double tolerance) const {
    Vec3 t[3];
    tree.triangle(id, t);
    ConvexGap gap;
    if (round_gap(t, gap)) return gap;
    const auto corner = [&](const Vec3& d) -> Vec3 {
      const double v[3] = {t[0].dot(d), t[1].dot(d), t[2].dot(d)};
      return t[std::max_element(v, v + 3) - v];
    };
    return gap_to(corner, guess != nullptr ? *guess : centre - t[0], tolerance);
  }

  void sort() {
    std::sort(found.begin(), found.end(), [](const NearTriangle& a, const NearTriangle& b) {
      return a.separation != b.separation ? a.separation < b.separation : a.triangle < b.triangle;
    });
  }

  // Separations are lower bounds, kSharp below the truth at most: the nearest is one of those so close to the first.
  void sharpen() {
    sort();
    if (found.empty() || !(found.front().separation > 0.0)) return;
    const double nearest = found.front().separation * (1.0 + 2.0 * kSharp);
    for (NearTriangle& f : found) {
      if (f.separation > nearest) break;
      const ConvexGap gap = triangle(f.triangle, &f.n, kGapTolerance);
      f.separation = gap.separation;
      f.n = gap.n;
    }
    sort();
  }

  void leaf(const TreeLeaf& l) {
    for (int k = 0; k < l.count && !done; ++k) {
      const ConvexGap gap = triangle(l.triangle[k], nullptr, kSharp);
      if (gap.separation > range) continue;
      found.push_back({gap.separation, gap.n, l.triangle[k]});
      done = first_overlap && !gap.separated();
    }
  }
};

}  // namespace

std::vector<NearTriangle> near_triangles(const MeshTree& tree, const PlacedShape& solid, double range,
                                         bool first_overlap) {
  Search search(tree, solid, range, first_overlap);
  search.node(0);
  search.sharpen();
  return std::move(search.found);
}

}  // namespace s4r
