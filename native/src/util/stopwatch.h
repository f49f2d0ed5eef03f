// Wall time in milliseconds, added to a counter when the scope ends.
#pragma once

#include <chrono>

namespace s4r {

class Stopwatch {
 public:
  explicit Stopwatch(double& total_ms) : total_ms_(total_ms) {}
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() { total_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& total_ms_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace s4r
