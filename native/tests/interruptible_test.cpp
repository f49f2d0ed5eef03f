// A long loop ends at the first block after an interrupt, and its body runs for every index before.
#include "util/interruptible.h"

#include <gtest/gtest.h>

namespace s4r::testing {
namespace {

TEST(InterruptibleFor, EndsAtTheNextBlock) {
  for (const int threads : {1, 3}) {
    std::atomic<bool> cancelled = false;
    const Interrupt interrupt{&cancelled, {}, {}};
    std::vector<char> seen(1000, 0);
    interruptible_for(seen.size(), threads, 64, interrupt, [&](std::size_t k) {
      seen[k] = 1;
      if (k == 100) cancelled = true;
    });
    for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_EQ(seen[k], k < 128 ? 1 : 0) << k;
  }
}

TEST(InterruptibleFor, WithoutInterruptRunsForAll) {
  std::vector<int> seen(1000, 0);
  interruptible_for(seen.size(), 2, 64, {}, [&](std::size_t k) { ++seen[k]; });
  EXPECT_EQ(seen, std::vector<int>(1000, 1));
}

}  // namespace
}  // namespace s4r::testing
