// Scenes whose bodies may do more or less than be displaced, shared by the tests of the default profile.
#pragma once

#include "mesh_families.h"
#include "s4r/solve.h"

namespace s4r::testing {

inline Motion turning(Motion::Turn turn = Motion::Turn::kAll) {
  Motion motion;
  motion.turn = turn;
  return motion;
}

inline void give_all(Scene& scene, const Motion& motion) {
  for (Body& body : scene.bodies) body.motion = motion;
}

// Meshes, boxes and curved solids thrown into a cube of half edge `half`.
inline Scene thrown(int count, double half, unsigned seed, bool flat_faces = true) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> coordinate(-half, half);
  const Shape shapes[] = {box(0.05, 0.02, 0.03),
                          mesh_shape(torus(0.04, 0.012, 12, 6)),
                          {ShapeKind::kCapsule, {0.015, 0.035, 0}, nullptr, nullptr},
                          mesh_shape(box_mesh({0.015, 0.05, 0.02})),
                          {ShapeKind::kEllipsoid, {0.05, 0.03, 0.02}, nullptr, nullptr}};
  Scene scene;
  for (int k = 0; k < count; ++k)
    add_body(scene, shapes[flat_faces ? k % 5 : 4 - k % 2],
             {{coordinate(rng), coordinate(rng), coordinate(rng)}, random_rotation(rng)});
  return scene;
}

inline Solution solve_alone(const Scene& scene, DefaultOptions options = {}) {
  options.threads = 1;
  return solve_default(scene, options);
}

inline double rms(const std::vector<Vec3>& shifts) {
  double sum = 0.0;
  for (const Vec3& s : shifts) sum += s.squaredNorm();
  return std::sqrt(sum / static_cast<double>(shifts.size()));
}

}  // namespace s4r::testing
