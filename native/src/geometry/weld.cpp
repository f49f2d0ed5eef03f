#include "geometry/weld.h"

#include <algorithm>
#include <map>
#include <set>

namespace s4r {

TriangleMesh welded(const TriangleMesh& mesh) {
  TriangleMesh result;
  std::map<std::array<double, 3>, int> index_of;
  const auto index = [&](int vertex) {
    const Vec3 v = mesh.vertices[vertex] + Vec3::Zero();  // -0 becomes 0
    const auto [found, added] = index_of.try_emplace({v.x(), v.y(), v.z()}, static_cast<int>(result.vertices.size()));
    if (added) result.vertices.push_back(v);
    return found->second;
  };
  std::set<std::array<int, 3>> seen;
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
