#include "separation/islands.h"

namespace s4r {

std::vector<char> units_near(const std::vector<SeparationPair>& pairs, std::size_t units, int hops) {
  std::vector<char> near(units, 0);
  for (const SeparationPair& pair : pairs)
    if (pair.bad) {
      if (pair.unit_a >= 0) near[pair.unit_a] = 1;
      if (pair.unit_b >= 0) near[pair.unit_b] = 1;
    }
  std::vector<char> next;
  for (int hop = 0; hop < hops; ++hop) {
    next = near;
    for (const SeparationPair& pair : pairs)
      if (pair.unit_a >= 0 && pair.unit_b >= 0 && !pair.rows.empty() && near[pair.unit_a] != near[pair.unit_b])
        next[pair.unit_a] = next[pair.unit_b] = 1;
    near.swap(next);
  }
  return near;
}

}  // namespace s4r
