// 8-wide tree of oriented boxes over the triangles of one mesh. Built once per
// asset, unscaled, shared by all bodies.
#pragma once

#include <memory>
#include <vector>

#include "narrowphase/tree_kernels.h"
#include "s4r/geometry.h"

namespace s4r {

class MeshTree {
 public:
  explicit MeshTree(std::shared_ptr<const TriangleMesh> mesh);

  const TriangleMesh& mesh() const { return *mesh_; }
  void triangle(int id, Vec3 (&corners)[3]) const {
    for (int k = 0; k < 3; ++k) corners[k] = mesh_->vertices[mesh_->triangles[id][k]];
  }
  // Largest vertex norm: the size of rounding errors.
  double radius() const { return radius_; }
  // Node 0 holds the root box in its lane 0.
  const std::vector<TreeNode>& nodes() const { return nodes_; }
  const std::vector<TreeLeaf>& leaves() const { return leaves_; }

 private:
  struct Builder;
  std::shared_ptr<const TriangleMesh> mesh_;
  double radius_ = 0.0;
  std::vector<TreeNode> nodes_;
  std::vector<TreeLeaf> leaves_;
};

}  // namespace s4r
