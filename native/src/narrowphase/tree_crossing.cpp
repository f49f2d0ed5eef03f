#include "narrowphase/tree_descent.h"

namespace s4r {
namespace {

struct NoAxes {
  bool done = false;
  float limit = 0.0f;
  static constexpr int axis_count = 0;
  float axis[1][3] = {};
  float axis_limit(int) const { return 0.0f; }
};

struct CrossingVisitor : NoAxes {
  const TreePair& pair;
  TrianglePair hit;
  std::vector<TrianglePair>* all = nullptr;
  explicit CrossingVisitor(const TreePair& p) : pair(p) {}

  void triangles(const TrianglePair* id, int count, int maybe, const float* /*squared*/, float /*slack*/) {
    for (int lane = 0; lane < count && !done; ++lane) {
      if ((maybe >> lane & 1) == 0 || !crosses(pair, id[lane])) continue;
      hit = id[lane];
      if (all != nullptr)
        all->push_back(hit);
      else
        done = true;
    }
  }
};

}  // namespace

bool trees_cross(const TreePair& pair, TrianglePair* cached) {
  if (cached != nullptr && cached->a >= 0 && crosses(pair, *cached)) return true;
  CrossingVisitor visitor(pair);
  Descent descent(pair, visitor);
  descent.run();
  if (visitor.done && cached != nullptr) *cached = visitor.hit;
  return visitor.done;
}

void crossing_triangles(const TreePair& pair, std::vector<TrianglePair>& out) {
  out.clear();
  CrossingVisitor visitor(pair);
  visitor.all = &out;
  Descent descent(pair, visitor);
  descent.run();
  std::sort(out.begin(), out.end(),
            [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
}

}  // namespace s4r
