#include "narrowphase/mesh_tree.h"

#include <algorithm>
#include <cmath>

#include "narrowphase/box_fit.h"
#include "narrowphase/simd.h"

namespace s4r {
namespace {

constexpr int kBins = 16;
constexpr int kFewBins = 8;
constexpr int kFew = 48;           // triangles for which few bins do
constexpr int kSplitDepth = 48;    // below, halves by count keep the tree shallow
constexpr double kInflate = 1e-6;  // of the radius: rounding of corners and boxes
static_assert(2 * (kSplitDepth + 12) <= kMaxDepths);

// A triangle's box in the frame of the node that is being split.
struct alignas(16) Item {
  float lo[4], hi[4];
};

struct Extent {
  F4 lo{1e30f}, hi{-1e30f};
  int count = 0;

  void extend(const F4& l, const F4& h, int n) {
    lo = min(lo, l);
    hi = max(hi, h);
    count += n;
  }
  float cost() const {
    if (count == 0) return 0.0f;
    float d[4];
    (hi - lo).store(d);
    return static_cast<float>(count) * (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]);
  }
};

}  // namespace

// Binary splits by the surface-area heuristic in the frame of the node's box, collapsed to eight children, each of
// which gets a box of its own fit.
struct MeshTree::Builder {
  MeshTree& tree;
  std::vector<FloatTriangle> triangles;
  std::vector<int> order;
  std::vector<Item> items, sorted;  // items[k]: of triangle order[k]
  std::vector<int> sorted_order;
  float inflate;

  explicit Builder(MeshTree& t) : tree(t), inflate(static_cast<float>(kInflate * t.radius_)) {
    const TriangleMesh& mesh = *tree.mesh_;
    const std::size_t count = mesh.triangles.size();
    triangles.resize(count);
    order.resize(count);
    items.resize(count);
    sorted.resize(count);
    sorted_order.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      order[k] = static_cast<int>(k);
      for (int v = 0; v < 3; ++v) {
        const Vec3& p = mesh.vertices[mesh.triangles[k][v]];
        for (int d = 0; d < 3; ++d) triangles[k].v[v][d] = static_cast<float>(p[d]);
        triangles[k].v[v][3] = 0.0f;
      }
    }
  }

  struct Range {
    int begin, end;
    OrientedBox box;
    int count() const { return end - begin; }
  };

  Range fitted(const Range& r) const {
    return {r.begin, r.end, fit_box(triangles.data(), order.data() + r.begin, r.count(), r.box)};
  }

  // Boxes of the triangles along the axes of the node's box.
  void place_items(const Range& r) {
    float row[3][4] = {};
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d) row[d][k] = r.box.axes[k][d];
    const F4 x = F4::load(row[0]), y = F4::load(row[1]), z = F4::load(row[2]);
    for (int k = r.begin; k < r.end; ++k) {
      F4 lo(1e30f), hi(-1e30f);
      for (const auto& p : triangles[order[k]].v) {
        const F4 along = x * F4(p[0]) + y * F4(p[1]) + z * F4(p[2]);
        lo = min(lo, along);
        hi = max(hi, along);
      }
      lo.store(items[k].lo);
      hi.store(items[k].hi);
    }
  }

  // Twice the centre, and the box of those: what is binned.
  static F4 doubled_centre(const Item& i) { return F4::load(i.lo) + F4::load(i.hi); }

  struct Bins {
    int count;
    F4 origin, scale;
    Bins(const Extent& centres, int n) : count(n), origin(centres.lo), scale(0.0f) {
      float width[4], s[4] = {};
      (centres.hi - centres.lo).store(width);
      for (int d = 0; d < 3; ++d) s[d] = width[d] > 0.0f ? static_cast<float>(n) / width[d] : 0.0f;
      scale = F4::load(s);
    }
    void find(const Item& item, int (&bin)[3]) const {
      float at[4];
      ((doubled_centre(item) - origin) * scale).store(at);
      for (int d = 0; d < 3; ++d) bin[d] = std::min(static_cast<int>(at[d]), count - 1);
    }
  };

  // Splits a range at the cheapest plane between bins along an axis; sets the boxes of both halves.
  void split(const Range& r, bool by_count, Range& low, Range& high) {
    int middle = r.begin + r.count() / 2;
    if (!by_count) middle = partition(r, middle);
    low = {r.begin, middle, r.box};
    high = {middle, r.end, r.box};
    for (Range* half : {&low, &high}) {
      Extent e;
      for (int k = half->begin; k < half->end; ++k) e.extend(F4::load(items[k].lo), F4::load(items[k].hi), 1);
      e.lo.store(half->box.lo);
      e.hi.store(half->box.hi);
    }
  }

  // Reorders the range; `otherwise` if all centres coincide.
  int partition(const Range& r, int otherwise) {
    Extent centres;
    for (int k = r.begin; k < r.end; ++k) centres.extend(doubled_centre(items[k]), doubled_centre(items[k]), 1);
    const Bins bins(centres, r.count() <= kFew ? kFewBins : kBins);
    Extent extent[3][kBins];
    int bin[3];
    for (int k = r.begin; k < r.end; ++k) {
      bins.find(items[k], bin);
      const F4 lo = F4::load(items[k].lo), hi = F4::load(items[k].hi);
      for (int d = 0; d < 3; ++d) extent[d][bin[d]].extend(lo, hi, 1);
    }
    float best = 1e30f;
    int axis = -1, plane = 0;
    for (int d = 0; d < 3; ++d) {
      float above[kBins];  // cost from a bin on
      Extent rest;
      for (int k = bins.count - 1; k > 0; --k) {
        rest.extend(extent[d][k].lo, extent[d][k].hi, extent[d][k].count);
        above[k] = rest.cost();
      }
      rest = {};
      for (int k = 1; k < bins.count; ++k) {
        rest.extend(extent[d][k - 1].lo, extent[d][k - 1].hi, extent[d][k - 1].count);
        if (rest.count == 0 || rest.count == r.count()) continue;
        if (const float cost = rest.cost() + above[k]; cost < best) {
          best = cost;
          axis = d;
          plane = k;
        }
      }
    }
    if (axis < 0) return otherwise;
    int low = r.begin, high = 0;
    for (int k = r.begin; k < r.end; ++k) {
      bins.find(items[k], bin);
      if (bin[axis] < plane) {
        items[low] = items[k];
        order[low++] = order[k];
      } else {
        sorted[high] = items[k];
        sorted_order[high++] = order[k];
      }
    }
    std::copy_n(sorted.begin(), high, items.begin() + low);
    std::copy_n(sorted_order.begin(), high, order.begin() + low);
    return low;
  }

  int build(const Range& r, int depth) {
    if (r.count() <= kLanes) return ~leaf(r);
    place_items(r);
    Range children[kLanes] = {r};
    int count = 1;
    while (count < kLanes) {
      int widest = -1;
      for (int k = 0; k < count; ++k)
        if (children[k].count() > kLanes && (widest < 0 || children[k].box.area() > children[widest].box.area()))
          widest = k;
      if (widest < 0) break;
      const Range parent = children[widest];
      split(parent, depth >= kSplitDepth, children[widest], children[count++]);
    }
    const int id = static_cast<int>(tree.nodes_.size());
    tree.nodes_.push_back(empty_node());
    for (int lane = 0; lane < count; ++lane) {
      const Range child = fitted(children[lane]);
      const int below = build(child, depth + 1);
      set_lane(tree.nodes_[id], lane, child.box, below);
    }
    return id;
  }

  int leaf(const Range& r) {
    TreeLeaf l;
    l.count = r.count();
    for (int lane = 0; lane < kLanes; ++lane) {
      l.triangle[lane] = order[r.begin + std::min(lane, l.count - 1)];
      for (int v = 0; v < 3; ++v)
        for (int d = 0; d < 3; ++d) l.v[v][d][lane] = triangles[l.triangle[lane]].v[v][d];
    }
    tree.leaves_.push_back(l);
    return static_cast<int>(tree.leaves_.size()) - 1;
  }

  static TreeNode empty_node() {
    TreeNode node{};
    for (int lane = 0; lane < kLanes; ++lane)
      for (int d = 0; d < 3; ++d) {
        node.h[d][lane] = -1.0f;
        node.axis[d][d][lane] = 1.0f;
      }
    return node;
  }

  void set_lane(TreeNode& node, int lane, const OrientedBox& box, int child) const {
    PackedBox& packed = node.box[lane];
    packed = {};
    for (int k = 0; k < 3; ++k) {
      const float half = 0.5f * (box.hi[k] - box.lo[k]) + inflate, middle = 0.5f * (box.hi[k] + box.lo[k]);
      packed.axis[k][3] = node.h[k][lane] = half;
      packed.c[3] += half;
      for (int d = 0; d < 3; ++d) {
        packed.c[d] += middle * box.axes[k][d];
        packed.axis[k][d] = node.axis[k][d][lane] = box.axes[k][d];
      }
    }
    for (int d = 0; d < 3; ++d) node.c[d][lane] = packed.c[d];
    node.child[lane] = child;
  }
};

MeshTree::MeshTree(std::shared_ptr<const TriangleMesh> mesh) : mesh_(std::move(mesh)) {
  double squared = 0.0;
  for (const auto& t : mesh_->triangles)
    for (const int v : t) squared = std::max(squared, mesh_->vertices[v].squaredNorm());
  radius_ = std::sqrt(squared);
  Builder builder(*this);
  const std::size_t leaves = mesh_->triangles.size() / 4 + 1;  // about
  nodes_.reserve(leaves / 4 + 2);
  leaves_.reserve(leaves);
  nodes_.push_back(Builder::empty_node());
  const int count = static_cast<int>(mesh_->triangles.size());
  if (count == 0) return;
  const OrientedBox everywhere{
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {-1e15f, -1e15f, -1e15f, 0}, {1e15f, 1e15f, 1e15f, 0}};
  const Builder::Range root = builder.fitted({0, count, everywhere});
  const int child = builder.build(root, 0);
  builder.set_lane(nodes_[0], 0, root.box, child);
}

}  // namespace s4r
