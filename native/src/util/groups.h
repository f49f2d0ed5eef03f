// Union-find over indices: which of them are connected.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace s4r {

class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  // The smallest index of the group.
  int find(int u) {
    while (parent_[u] != u) u = parent_[u] = parent_[parent_[u]];
    return u;
  }
  void join(int a, int b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<int> parent_;
};

}  // namespace s4r
