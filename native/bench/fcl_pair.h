// The same queries by FCL, for comparison.
#pragma once

#include <memory>

#include "s4r/geometry.h"

namespace s4r::bench {

class FclMesh {
 public:
  explicit FclMesh(const TriangleMesh& mesh);
  ~FclMesh();
  FclMesh(FclMesh&&) noexcept;

  struct Tree;
  const Tree& tree() const { return *tree_; }

 private:
  std::unique_ptr<Tree> tree_;
};

// `X`: pose of B in A's frame.
bool fcl_collide(const FclMesh& a, const FclMesh& b, const Pose& X);
// Number of all crossing triangle pairs.
int fcl_contacts(const FclMesh& a, const FclMesh& b, const Pose& X);
double fcl_distance(const FclMesh& a, const FclMesh& b, const Pose& X);

}  // namespace s4r::bench
