#include "progress.h"

#include <utility>

namespace s4r_addon {
namespace {

constexpr std::chrono::milliseconds kInterval{50};

}  // namespace

bool ProgressQueue::push(const ProgressEvent& event) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (static_cast<int>(event.stage) == last_stage_ && now - last_time_ < kInterval) return false;
  last_stage_ = static_cast<int>(event.stage);
  last_time_ = now;
  events_.push_back(event);
  return true;
}

std::vector<ProgressEvent> ProgressQueue::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

const char* name_of(s4r::Stage stage) {
  switch (stage) {
    case s4r::Stage::kEvaluate: return "evaluate";
    case s4r::Stage::kScale: return "scale";
    case s4r::Stage::kTail: return "tail";
    case s4r::Stage::kCleanup: return "cleanup";
  }
  return "evaluate";
}

}  // namespace s4r_addon
