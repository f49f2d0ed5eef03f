#include "narrowphase/mesh_tree.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

namespace s4r {
namespace {

struct OrientedBox {
  Vec3 centre = Vec3::Zero();
  Vec3 half = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  // columns
  double cost() const { return half.x() * half.y() + half.y() * half.z() + half.z() * half.x(); }
};

}  // namespace

// Binary splits by the surface-area heuristic in the frame of the node's box,
// collapsed to eight children.
struct MeshTree::Builder {
  const TriangleMesh& mesh;
  MeshTree& tree;
  std::vector<int> order;
  std::vector<Vec3> centroids;
  double inflate;

  struct Range {
    int begin, end;
    OrientedBox box;
  };

  OrientedBox box_with(const Mat3& axes, int begin, int end) const {
    Vec3 lo = Vec3::Constant(1e300), hi = -lo;
    for (int k = begin; k < end; ++k)
      for (const int v : mesh.triangles[order[k]]) {
        const Vec3 p = axes.transpose() * mesh.vertices[v];
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
      }
    OrientedBox box;
    box.axes = axes;
    box.centre = axes * (0.5 * (lo + hi));
    box.half = 0.5 * (hi - lo);
    return box;
  }

  // Best of the mesh axes, the parent's axes and the principal axes of the
  // vertices.
  OrientedBox fit(int begin, int end, const Mat3& parent) const {
    Vec3 mean = Vec3::Zero();
    Mat3 square = Mat3::Zero();
    for (int k = begin; k < end; ++k)
      for (const int v : mesh.triangles[order[k]]) {
        mean += mesh.vertices[v];
        square += mesh.vertices[v] * mesh.vertices[v].transpose();
      }
    const double n = 3.0 * (end - begin);
    mean /= n;
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(square / n - mean * mean.transpose());
    Mat3 principal = solver.eigenvectors();
    if (!principal.allFinite()) principal.setIdentity();
    OrientedBox best = box_with(Mat3::Identity(), begin, end);
    for (const Mat3& axes : {parent, principal})
      if (const OrientedBox box = box_with(axes, begin, end); box.cost() < best.cost()) best = box;
    return best;
  }

  Range range(int begin, int end, const Mat3& parent) const { return {begin, end, fit(begin, end, parent)}; }

  struct Extent {
    Vec3 lo = Vec3::Constant(1e300), hi = Vec3::Constant(-1e300);
    int count = 0;
    void extend(const Extent& e) {
      lo = lo.cwiseMin(e.lo);
      hi = hi.cwiseMax(e.hi);
      count += e.count;
    }
    double cost() const {
      const Vec3 d = hi - lo;
      return count == 0 ? 0.0 : count * (d.x() * d.y() + d.y() * d.z() + d.z() * d.x());
    }
  };

  // Cheapest of kBins - 1 planes per axis of the node's box (binned
  // surface-area heuristic).
  int split(const Range& r) {
    constexpr int kBins = 16;
    const int count = r.end - r.begin;
    std::vector<Extent> triangles(count);
    std::vector<Vec3> centres(count);
    Extent all;
    for (int k = 0; k < count; ++k) {
      for (const int v : mesh.triangles[order[r.begin + k]]) {
        const Vec3 p = r.box.axes.transpose() * mesh.vertices[v];
        triangles[k].lo = triangles[k].lo.cwiseMin(p);
        triangles[k].hi = triangles[k].hi.cwiseMax(p);
      }
      triangles[k].count = 1;
      centres[k] = r.box.axes.transpose() * centroids[order[r.begin + k]];
      all.lo = all.lo.cwiseMin(centres[k]);
      all.hi = all.hi.cwiseMax(centres[k]);
    }
    double best_cost = 1e300;
    int best_axis = -1, best_bin = 0;
    const auto bin_of = [&](int k, int axis) {
      const double width = all.hi[axis] - all.lo[axis];
      return std::clamp(static_cast<int>(kBins * (centres[k][axis] - all.lo[axis]) / width), 0, kBins - 1);
    };
    for (int axis = 0; axis < 3; ++axis) {
      if (!(all.hi[axis] > all.lo[axis])) continue;
      Extent bins[kBins], right[kBins];
      for (int k = 0; k < count; ++k) bins[bin_of(k, axis)].extend(triangles[k]);
      for (int k = kBins - 1; k > 0; --k) {
        right[k] = bins[k];
        if (k + 1 < kBins) right[k].extend(right[k + 1]);
      }
      Extent left;
      for (int k = 1; k < kBins; ++k) {
        left.extend(bins[k - 1]);
        if (left.count == 0 || right[k].count == 0) continue;
        if (const double cost = left.cost() + right[k].cost(); cost < best_cost) {
          best_cost = cost;
          best_axis = axis;
          best_bin = k;
        }
      }
    }
    if (best_axis < 0) return r.begin + count / 2;  // all centroids coincide
    std::vector<int> low, high;
    for (int k = 0; k < count; ++k) (bin_of(k, best_axis) < best_bin ? low : high).push_back(order[r.begin + k]);
    std::copy(high.begin(), high.end(), std::copy(low.begin(), low.end(), order.begin() + r.begin));
    return r.begin + static_cast<int>(low.size());
  }

  int build(const Range& r) {
    if (r.end - r.begin <= kLanes) return ~leaf(r);
    std::vector<Range> children{r};
    while (children.size() < kLanes) {
      int widest = -1;
      double cost = -1.0;
      for (int k = 0; k < static_cast<int>(children.size()); ++k)
        if (children[k].end - children[k].begin > kLanes && children[k].box.cost() > cost) {
          cost = children[k].box.cost();
          widest = k;
        }
      if (widest < 0) break;
      const Range parent = children[widest];
      const int middle = split(parent);
      children[widest] = range(parent.begin, middle, parent.box.axes);
      children.push_back(range(middle, parent.end, parent.box.axes));
    }
    const int id = static_cast<int>(tree.nodes_.size());
    tree.nodes_.emplace_back();
    clear(tree.nodes_[id]);
    for (int lane = 0; lane < static_cast<int>(children.size()); ++lane) {
      const int child = build(children[lane]);
      set_lane(tree.nodes_[id], lane, children[lane].box, child);
    }
    return id;
  }

  int leaf(const Range& r) {
    TreeLeaf l;
    l.count = r.end - r.begin;
    for (int lane = 0; lane < kLanes; ++lane) {
      l.triangle[lane] = order[r.begin + std::min(lane, l.count - 1)];
      for (int v = 0; v < 3; ++v)
        for (int d = 0; d < 3; ++d)
          l.v[v][d][lane] = static_cast<float>(mesh.vertices[mesh.triangles[l.triangle[lane]][v]][d]);
    }
    tree.leaves_.push_back(l);
    return static_cast<int>(tree.leaves_.size()) - 1;
  }

  static void clear(TreeNode& node) {
    node = {};
    for (int lane = 0; lane < kLanes; ++lane)
      for (int d = 0; d < 3; ++d) {
        node.h[d][lane] = -1.0f;
        node.axis[d][d][lane] = 1.0f;
      }
  }

  void set_lane(TreeNode& node, int lane, const OrientedBox& box, int child) const {
    for (int d = 0; d < 3; ++d) {
      node.c[d][lane] = static_cast<float>(box.centre[d]);
      node.h[d][lane] = static_cast<float>(box.half[d] + inflate);
      for (int k = 0; k < 3; ++k) node.axis[k][d][lane] = static_cast<float>(box.axes(d, k));
    }
    node.child[lane] = child;
    PackedBox& packed = node.box[lane];
    packed.c[3] = 0.0f;
    for (int d = 0; d < 3; ++d) {
      packed.c[d] = node.c[d][lane];
      packed.c[3] += node.h[d][lane];
      packed.axis[d][3] = node.h[d][lane];
      for (int k = 0; k < 3; ++k) packed.axis[k][d] = node.axis[k][d][lane];
    }
  }
};

MeshTree::MeshTree(std::shared_ptr<const TriangleMesh> mesh) : mesh_(std::move(mesh)) {
  for (const auto& t : mesh_->triangles)
    for (const int v : t) radius_ = std::max(radius_, mesh_->vertices[v].norm());
  Builder builder{*mesh_, *this, {}, {}, 4e-7 * radius_};
  builder.order.resize(mesh_->triangles.size());
  std::iota(builder.order.begin(), builder.order.end(), 0);
  for (const auto& t : mesh_->triangles)
    builder.centroids.push_back((mesh_->vertices[t[0]] + mesh_->vertices[t[1]] + mesh_->vertices[t[2]]) / 3.0);
  nodes_.emplace_back();
  Builder::clear(nodes_[0]);
  const auto root = builder.range(0, static_cast<int>(builder.order.size()), Mat3::Identity());
  const int child = builder.build(root);
  builder.set_lane(nodes_[0], 0, root.box, child);
}

}  // namespace s4r
