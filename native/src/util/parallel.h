// Parallel loop over independent indices. Each index writes its own slot, so results do not depend on the thread count.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace s4r {

inline int resolve_threads(int requested) {
  return requested > 0 ? requested : std::max(1u, std::thread::hardware_concurrency());
}

// Calls f(i) for i in [0, count). Rethrows the exception of the lowest failing index.
template <typename F>
void parallel_for(std::size_t count, int threads, F&& f) {
  const std::size_t workers = std::min<std::size_t>(threads, count / 16);  // short lists are not worth a thread
  if (workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) f(i);
    return;
  }
  constexpr std::size_t kBlock = 8;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t error_index = count;
  const auto work = [&] {
    for (std::size_t begin; (begin = next.fetch_add(kBlock)) < count;)
      for (std::size_t i = begin; i < std::min(begin + kBlock, count); ++i) try {
          f(i);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (i < error_index) {
            error_index = i;
            error = std::current_exception();
          }
        }
  };
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < workers; ++t) pool.emplace_back(work);
  work();
  for (std::thread& t : pool) t.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace s4r
