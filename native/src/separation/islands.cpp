#include "separation/islands.h"

#include <utility>

namespace s4r {

std::vector<char> units_near(const std::vector<SeparationPair>& pairs, std::size_t units, int hops) {
  std::vector<char> near(units, 0);
  for (const SeparationPair& pair : pairs)
    if (!pair.finished()) {
      if (pair.unit_a >= 0) near[pair.unit_a] = 1;
      if (pair.unit_b >= 0) near[pair.unit_b] = 1;
    }
  std::vector<std::pair<int, int>> edges;
  for (const SeparationPair& pair : pairs)
    if (pair.unit_a >= 0 && pair.unit_b >= 0 && !pair.rows.empty()) edges.emplace_back(pair.unit_a, pair.unit_b);
  std::vector<char> next;
  for (int hop = 0; hop < hops; ++hop) {
    next = near;
    for (const auto& [a, b] : edges)
      if (near[a] != near[b]) next[a] = next[b] = 1;
    near.swap(next);
  }
  return near;
}

}  // namespace s4r
