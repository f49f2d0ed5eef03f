#include <algorithm>

#include "narrowphase/tree_search.h"

namespace s4r {
namespace {

// Crossing pairs: the first one found, or all of them.
struct Crossings {
  const TreePair& pair;
  std::vector<TrianglePair>* all;
  TreeSearch search;
  TrianglePair hit;

  Crossings(const TreePair& p, std::vector<TrianglePair>* out) : pair(p), all(out), search(tree_search(p, 0.0)) {
    search.context = this;
    search.report = [](TreeSearch& s, const int* a, const int* b, int, int maybe, const float*) {
      static_cast<Crossings*>(s.context)->report(a, b, maybe);
    };
    kernels_of(pair).find_crossing(search);
  }

  void report(const int* a, const int* b, int maybe) {
    for (; maybe != 0; maybe &= maybe - 1) {
      const int lane = __builtin_ctz(maybe);
      const TrianglePair id{a[lane], b[lane]};
      if (!crosses(pair, id)) continue;
      if (all != nullptr) {
        all->push_back(id);
        continue;
      }
      hit = id;
      search.done = true;
      return;
    }
  }
};

}  // namespace

bool trees_cross(const TreePair& pair, TrianglePair* cached) {
  if (cached != nullptr && cached->a >= 0 && crosses(pair, *cached)) return true;
  const Crossings crossings(pair, nullptr);
  if (crossings.search.done && cached != nullptr) *cached = crossings.hit;
  return crossings.search.done;
}

void crossing_triangles(const TreePair& pair, std::vector<TrianglePair>& out) {
  out.clear();
  const Crossings crossings(pair, &out);
  std::sort(out.begin(), out.end(),
            [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
}

}  // namespace s4r
