// Which geom pairs may collide: the same rule as src/core/filters.ts, on the packed scene.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "s4r/scene.h"

namespace s4r {

class CollisionRule {
 public:
  explicit CollisionRule(const Scene& scene);

  // All pairs - same body - welded bodies - excludes - masks, plus the explicit pairs.
  bool allowed(int geom_a, int geom_b) const;
  // No allowed motion changes the relative pose: neither ever moves, or both belong to one link.
  bool constant(int geom_a, int geom_b) const;
  // Clearance the engine wants for the pair [m].
  double margin(int geom_a, int geom_b) const;
  // No pair wants more [m].
  double largest_margin() const;

 private:
  const Scene& scene_;
  std::vector<int> link_;  // by body
  std::unordered_set<std::uint64_t> excluded_bodies_;
  std::unordered_set<std::uint64_t> excluded_geoms_;
  std::unordered_map<std::uint64_t, double> explicit_margin_;
};

// Order-free key of an index pair.
inline std::uint64_t pair_key(int a, int b) {
  if (a > b) std::swap(a, b);
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b);
}

}  // namespace s4r
