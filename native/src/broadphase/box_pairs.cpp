#include "broadphase/box_pairs.h"

#include <algorithm>
#include <numeric>

#include "util/parallel.h"

namespace s4r {
namespace {

class BoxTree {
 public:
  explicit BoxTree(const std::vector<Box3>& boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (boxes.empty()) return;
    nodes_.reserve(4 * boxes.size() / kLeaf + 1);
    build(0, static_cast<int>(boxes.size()));
  }

  std::vector<std::pair<int, int>> pairs(int threads) const {
    std::vector<Task> tasks = all_tasks();
    parallel_for(tasks.size(), threads, [&](std::size_t k) {
      Task& task = tasks[k];
      task.y < 0 ? within(task.x, task.found) : between(task.x, task.y, task.found);
    });
    std::vector<std::pair<int, int>> found;
    for (const Task& task : tasks) found.insert(found.end(), task.found.begin(), task.found.end());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  static constexpr int kLeaf = 4;

  static constexpr int kTask = 256;  // boxes of a node whose pairs one thread finds alone

  using Pairs = std::vector<std::pair<int, int>>;

  struct Node {
    Box3 box;
    int begin, end;  // into order_
    int left = -1, right = -1;
    int size() const { return end - begin; }
  };

  // Pairs within node x, or between x and y.
  struct Task {
    int x, y;
    Pairs found;
  };

  std::vector<Task> all_tasks() const {
    std::vector<Task> tasks;
    std::vector<int> open;
    if (!nodes_.empty()) open.push_back(0);
    while (!open.empty()) {
      const int id = open.back();
      open.pop_back();
      if (nodes_[id].size() <= kTask) {
        tasks.push_back({id, -1, {}});
        continue;
      }
      open.push_back(nodes_[id].left);
      open.push_back(nodes_[id].right);
      split(nodes_[id].left, nodes_[id].right, tasks);
    }
    return tasks;
  }

  void split(int x, int y, std::vector<Task>& tasks) const {
    const Node &a = nodes_[x], &b = nodes_[y];
    if (!a.box.overlaps(b.box)) return;
    if (std::max(a.size(), b.size()) <= kTask) {
      tasks.push_back({x, y, {}});
    } else if (a.size() >= b.size()) {
      split(a.left, y, tasks);
      split(a.right, y, tasks);
    } else {
      split(x, b.left, tasks);
      split(x, b.right, tasks);
    }
  }

  int build(int begin, int end) {
    const int id = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, begin, end});
    Box3 box, centres;
    for (int k = begin; k < end; ++k) {
      box.extend(boxes_[order_[k]]);
      centres.extend(boxes_[order_[k]].centre());
    }
    nodes_[id].box = box;
    if (end - begin <= kLeaf) return id;
    int axis = 0;
    (centres.hi - centres.lo).maxCoeff(&axis);
    const int middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
      const double ca = boxes_[a].lo[axis] + boxes_[a].hi[axis], cb = boxes_[b].lo[axis] + boxes_[b].hi[axis];
      return ca != cb ? ca < cb : a < b;
    });
    const int left = build(begin, middle), right = build(middle, end);
    nodes_[id].left = left;
    nodes_[id].right = right;
    return id;
  }

  void test(int a, int b, Pairs& found) const {
    if (boxes_[a].overlaps(boxes_[b])) found.emplace_back(std::min(a, b), std::max(a, b));
  }

  void within(int id, Pairs& found) const {
    const Node& n = nodes_[id];
    if (n.left < 0) {
      for (int i = n.begin; i < n.end; ++i)
        for (int j = i + 1; j < n.end; ++j) test(order_[i], order_[j], found);
      return;
    }
    within(n.left, found);
    within(n.right, found);
    between(n.left, n.right, found);
  }

  void between(int x, int y, Pairs& found) const {
    const Node &a = nodes_[x], &b = nodes_[y];
    if (!a.box.overlaps(b.box)) return;
    if (a.left < 0 && b.left < 0) {
      for (int i = a.begin; i < a.end; ++i)
        for (int j = b.begin; j < b.end; ++j) test(order_[i], order_[j], found);
    } else if (b.left < 0 || (a.left >= 0 && a.size() >= b.size())) {
      between(a.left, y, found);
      between(a.right, y, found);
    } else {
      between(x, b.left, found);
      between(x, b.right, found);
    }
  }

  const std::vector<Box3>& boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<std::pair<int, int>> overlapping_pairs(const std::vector<Box3>& boxes, int threads) {
  return BoxTree(boxes).pairs(threads);
}

}  // namespace s4r
