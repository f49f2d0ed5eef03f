// Long parallel loops that an interrupt ends.
#pragma once

#include "s4r/interrupt.h"
#include "util/parallel.h"

namespace s4r {

// parallel_for that looks at the interrupt before every `block` of indices. What an interrupt leaves out stays as it
// was; the caller asks again.
template <typename F>
void interruptible_for(std::size_t count, int threads, std::size_t block, const Interrupt& interrupt, F&& f) {
  for (std::size_t begin = 0; begin < count && interrupt.check() == Interrupt::Reason::kNone; begin += block)
    parallel_for(std::min(block, count - begin), threads, [&](std::size_t k) { f(begin + k); });
}

}  // namespace s4r
