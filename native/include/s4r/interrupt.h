// Progress and cancellation of a running call. Both members are called from the calling thread only.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

namespace s4r {

enum class Stage { kEvaluate, kScale, kTail, kCleanup };

struct Interrupt {
  const std::atomic<bool>* cancelled = nullptr;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  // stage, fraction done 0..1, overlapping pairs left (-1: unknown)
  std::function<void(Stage, double, int)> on_progress;

  enum class Reason { kNone, kCancelled, kTimeLimit };
  Reason check() const {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) return Reason::kCancelled;
    if (deadline && std::chrono::steady_clock::now() > *deadline) return Reason::kTimeLimit;
    return Reason::kNone;
  }
  void progress(Stage stage, double fraction, int overlaps) const {
    if (on_progress) on_progress(stage, fraction, overlaps);
  }
};

}  // namespace s4r
