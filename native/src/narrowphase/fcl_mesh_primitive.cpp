// A triangle surface against a primitive: FCL's tree, our own distance of a triangle and a convex solid.
// FCL 0.7's queries of this kind report gaps for primitives that cross the surface, and swap witnesses.
#include <algorithm>

#include "geometry/separating_plane.h"
#include "narrowphase/fcl_collidable.h"
#include "narrowphase/parts.h"

namespace s4r {
namespace {

class Search {
 public:
  Search(const TriangleTree& tree, const Shape& solid, const Pose& X)
      : tree_(tree), solid_(solid), X_(X), R_(X.q.toRotationMatrix()), centre_(bounds(solid, X).centre()) {}

  Score run() {
    visit(0);
    return crossing_.empty() ? nearest_ : deepest();
  }

 private:
  struct Crossing {
    Shape triangle;
    double separation;  // along the better of its face and GJK's last plane
    Vec3 face, n, point;
  };

  Vec3 support(const Vec3& n) const { return X_.p + R_ * support_point(solid_, R_.transpose() * n); }
  // Distance beyond which nothing matters any more.
  double limit() const { return crossing_.empty() ? nearest_.distance : 0.0; }

  // Lower bound of the distance between a box of the tree and the solid: the best of a few separating planes.
  double bound(const fcl::OBBd& box) const {
    const Vec3 c = box.To / kTreeScale, extent = box.extent / kTreeScale, between = centre_ - c;
    const auto along = [&](const Vec3& n) {
      return n.dot(support(-n) - c) - extent.dot((box.axis.transpose() * n).cwiseAbs());
    };
    double best = -1e300;
    if (const double length = between.norm(); length > 0.0) best = along(between / length);
    if (nearest_.has_normal() && best <= limit()) best = std::max(best, along(nearest_.normal));
    for (int k = 0; k < 3 && best <= limit(); ++k) {
      const Vec3 axis = box.axis.col(k);
      best = std::max(best, along(axis.dot(between) < 0.0 ? Vec3(-axis) : axis));
    }
    return best;
  }

  void visit(int index) {
    const auto& node = tree_.getBV(index);
    if (node.isLeaf()) return test(tree_.tri_indices[node.primitiveId()]);
    const int left = node.leftChild(), right = node.rightChild();
    const double to_left = bound(tree_.getBV(left).bv.obb), to_right = bound(tree_.getBV(right).bv.obb);
    const bool left_first = to_left <= to_right;
    for (const bool is_left : {left_first, !left_first})
      if ((is_left ? to_left : to_right) <= limit() && crossing_.size() < kMaxContacts) visit(is_left ? left : right);
  }

  void test(const fcl::Triangle& t) {
    const Vec3 v[3] = {tree_.vertices[t[0]] / kTreeScale, tree_.vertices[t[1]] / kTreeScale,
                       tree_.vertices[t[2]] / kTreeScale};
    const auto corner = [&](const Vec3& n) {
      const double d0 = n.dot(v[0]), d1 = n.dot(v[1]), d2 = n.dot(v[2]);
      return d0 >= d1 ? (d0 >= d2 ? v[0] : v[2]) : (d1 >= d2 ? v[1] : v[2]);
    };
    const ConvexGap gap = convex_gap(
        corner, [&](const Vec3& n) { return support(n); }, centre_ - (v[0] + v[1] + v[2]) / 3.0, kGapTolerance,
        limit());
    const Vec3 middle = 0.5 * (gap.on_a + gap.on_b);
    if (!gap.separated()) {
      auto mesh = std::make_shared<TriangleMesh>(TriangleMesh{{v[0], v[1], v[2]}, {{0, 1, 2}}});
      Crossing c{{ShapeKind::kMesh, Vec3::Zero(), std::move(mesh), nullptr}, gap.separation, {}, gap.n, middle};
      c.face = (v[1] - v[0]).cross(v[2] - v[0]).normalized();
      for (const Vec3& n : {c.n, c.face, Vec3(-c.face)})
        c.separation = std::max(c.separation, separation_along({&c.triangle, {}}, {&solid_, X_}, n));
      // One that only touches must not take the place of one that crosses.
      if (c.separation < -kTouching)
        crossing_.push_back(std::move(c));
      else if (crossing_.empty())
        nearest_ = {0.0, c.face, middle};
    } else if (crossing_.empty() && gap.separation < nearest_.distance) {
      nearest_.distance = gap.separation;
      nearest_.normal = gap.n;
      nearest_.point = middle;
    }
  }

  // The crossing triangle the solid has to travel farthest to clear, by its face and by GJK's last plane; refined.
  Score deepest() const {
    const auto chosen = std::min_element(crossing_.begin(), crossing_.end(), [](const Crossing& x, const Crossing& y) {
      return x.separation < y.separation;
    });
    const SeparatingPlane plane =
        best_separating_plane({&chosen->triangle, {}}, {&solid_, X_}, {chosen->face, chosen->n});
    return {plane.separation, plane.n, chosen->point};
  }

  const TriangleTree& tree_;
  const Shape& solid_;
  const Pose& X_;
  const Mat3 R_;
  const Vec3 centre_;
  Score nearest_{.distance = 1e300};
  std::vector<Crossing> crossing_;
};

}  // namespace

Score score_mesh_primitive(const Collidable& mesh, const Shape& primitive, const Pose& X_ab) {
  if (!mesh.backend().tree) return {.distance = 1e300};  // a surface without area
  return Search(*mesh.backend().tree, primitive, X_ab).run();
}

}  // namespace s4r
