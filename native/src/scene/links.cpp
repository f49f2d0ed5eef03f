#include "scene/links.h"

#include <map>

namespace s4r {

std::vector<int> links_of(const Scene& scene) {
  std::vector<std::vector<int>> joints(scene.bodies.size());
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    for (const int body : scene.joints[j].bodies) joints[body].push_back(static_cast<int>(j));
  std::vector<int> link(scene.bodies.size(), -1), of_unit(scene.bodies.size(), -1);
  std::map<std::pair<int, std::vector<int>>, int> of_joints;  // and unit, -1: fixed
  int count = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const int unit = scene.bodies[b].movable ? scene.bodies[b].unit : -1;
    if (unit < 0 && joints[b].empty()) continue;
    int& known = joints[b].empty() ? of_unit[unit] : of_joints.try_emplace({unit, joints[b]}, -1).first->second;
    if (known < 0) known = count++;
    link[b] = known;
  }
  return link;
}

}  // namespace s4r
