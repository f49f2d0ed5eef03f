// Progress on its way from a worker thread to JavaScript: about 20 events a second, and one at every new
// stage.
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "s4r/interrupt.h"

namespace s4r_addon {

struct ProgressEvent {
  s4r::Stage stage;
  double fraction;
  int overlaps;
};

class ProgressQueue {
 public:
  // From the worker thread; false if the event comes too soon after the last one and is dropped.
  bool push(const ProgressEvent& event);

  // From the JavaScript thread: all events since the last call.
  std::vector<ProgressEvent> take();

 private:
  std::mutex mutex_;
  std::vector<ProgressEvent> events_;
  std::chrono::steady_clock::time_point last_time_{};
  int last_stage_ = -1;
};

// The stage as `Progress.stage` of src/core/options.ts names it.
const char* name_of(s4r::Stage stage);

}  // namespace s4r_addon
