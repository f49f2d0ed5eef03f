#include "geometry/weld.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace s4r {
namespace {

// Mixes every word into all bits (the finalizer of splitmix64 after each).
struct Hash {
  static std::uint64_t mix(std::uint64_t h) {
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
  }
  std::size_t operator()(const std::array<double, 3>& v) const {
    std::uint64_t h = 0;
    for (const double x : v) h = mix(h + std::bit_cast<std::uint64_t>(x));
    return h;
  }
  std::size_t operator()(const std::array<int, 3>& t) const {
    std::uint64_t h = 0;
    for (const int i : t) h = mix(h + static_cast<std::uint64_t>(i));
    return h;
  }
};

}  // namespace

TriangleMesh welded(const TriangleMesh& mesh) {
  TriangleMesh result;
  std::unordered_map<std::array<double, 3>, int, Hash> index_of(mesh.vertices.size());
  std::vector<int> merged_index(mesh.vertices.size(), -1);
  const auto index = [&](int vertex) {
    int& known = merged_index[vertex];
    if (known >= 0) return known;
    const Vec3 v = mesh.vertices[vertex] + Vec3::Zero();  // -0 becomes 0
    const auto [found, added] = index_of.try_emplace({v.x(), v.y(), v.z()}, static_cast<int>(result.vertices.size()));
    if (added) result.vertices.push_back(v);
    return known = found->second;
  };
  std::unordered_set<std::array<int, 3>, Hash> seen(mesh.triangles.size());
  result.vertices.reserve(mesh.vertices.size());
  result.triangles.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    std::array<int, 3> merged{index(t[0]), index(t[1]), index(t[2])};
    if (merged[0] == merged[1] || merged[1] == merged[2] || merged[2] == merged[0]) continue;
    std::array<int, 3> key = merged;  // rotated to start with its smallest index: the orientation counts
    std::rotate(key.begin(), std::min_element(key.begin(), key.end()), key.end());
    if (seen.insert(key).second) result.triangles.push_back(merged);
  }
  if (result.triangles.empty()) result.vertices = mesh.vertices;  // points only: they still have an extent
  return result;
}

}  // namespace s4r
