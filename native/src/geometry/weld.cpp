#include "geometry/weld.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace s4r {
namespace {

// The finalizer of splitmix64: mixes a word into all bits.
std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

// Indices of distinct things by hash, open addressing; the things themselves stay with the caller.
class IndexTable {
 public:
  explicit IndexTable(std::size_t things) : slots_(std::bit_ceil(2 * things + 2), -1) {}

  // The index of the thing that `equals` recognises, or `next`, which is then remembered.
  template <typename Equals>
  int find_or_add(std::uint64_t hash, int next, const Equals& equals) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] < 0) return slots_[at] = next;
      if (equals(slots_[at])) return slots_[at];
    }
  }

 private:
  std::vector<int> slots_;
};

// Rotated to start with its smallest index: the orientation counts.
std::array<int, 3> smallest_first(std::array<int, 3> t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

}  // namespace

TriangleMesh welded(const TriangleMesh& mesh) {
  TriangleMesh result;
  result.vertices.reserve(mesh.vertices.size());
  result.triangles.reserve(mesh.triangles.size());
  IndexTable vertices(mesh.vertices.size()), triangles(mesh.triangles.size());
  std::vector<int> known(mesh.vertices.size(), -1);
  const auto index = [&](int vertex) {
    if (known[vertex] >= 0) return known[vertex];
    const Vec3 v = mesh.vertices[vertex] + Vec3::Zero();  // -0 becomes 0
    std::uint64_t hash = 0;
    for (const double x : v) hash = mix(hash + std::bit_cast<std::uint64_t>(x));
    const int next = static_cast<int>(result.vertices.size());
    const int found = vertices.find_or_add(hash, next, [&](int k) { return result.vertices[k] == v; });
    if (found == next) result.vertices.push_back(v);
    return known[vertex] = found;
  };
  for (const auto& t : mesh.triangles) {
    const std::array<int, 3> merged{index(t[0]), index(t[1]), index(t[2])};
    if (merged[0] == merged[1] || merged[1] == merged[2] || merged[2] == merged[0]) continue;
    const std::array<int, 3> key = smallest_first(merged);
    std::uint64_t hash = 0;
    for (const int i : key) hash = mix(hash + static_cast<std::uint64_t>(i));
    const int next = static_cast<int>(result.triangles.size());
    const int found =
        triangles.find_or_add(hash, next, [&](int k) { return smallest_first(result.triangles[k]) == key; });
    if (found == next) result.triangles.push_back(merged);
  }
  if (result.triangles.empty()) result.vertices = mesh.vertices;  // points only: they still have an extent
  return result;
}

}  // namespace s4r
