// What the narrow-phase bench measures on: meshes by size class, and poses of pairs by how far they are apart.
#pragma once

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fcl_pair.h"
#include "geometry/support.h"
#include "narrowphase/tree_query.h"

namespace s4r::bench {

struct Subject {
  std::shared_ptr<const TriangleMesh> mesh;
  MeshTree tree;
  FclMesh fcl;
  Shape hull;  // of the same vertices

  explicit Subject(std::shared_ptr<const TriangleMesh> m)
      : mesh(m), tree(m), fcl(*m), hull{ShapeKind::kConvex, Vec3::Zero(), m, nullptr} {}
};

struct Group {
  std::string size;
  std::vector<Subject> subjects;
};

// Distances in m of objects of 0.1 m. Overlapping: up to 30 mm of travel past the first contact.
enum class Gap { kOverlapping, kNear, kFar };
inline constexpr std::array<const char*, 3> kGapNames{"overlapping", "0-20 mm", "20-50 mm"};

// Two bodies with their pose of B in A, and slightly different ones: up to 0.5 mm and 0.5 degrees off along each axis.
struct PosedPair {
  const Subject* a;
  const Subject* b;
  std::vector<Pose> poses;

  TreePair trees(int pose, const TreeKernels* kernels = nullptr) const {
    return {&a->tree, &b->tree, poses[pose].q.toRotationMatrix(), poses[pose].p, 1.0, kernels};
  }
};

// Text: `group NAME COUNT`, then COUNT times `mesh VERTICES TRIANGLES`, the coordinates in m and the vertex indices.
std::vector<Group> read_groups(const std::string& path);

std::vector<PosedPair> pose_pairs(const Group& group, Gap gap, int count, int poses, std::mt19937_64& rng);

}  // namespace s4r::bench
