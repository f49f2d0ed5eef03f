#include "separation/settings.h"

#include <algorithm>

#include "util/parallel.h"

namespace s4r {

SeparationSettings settings_of(const DefaultOptions& options, double unit_length) {
  SeparationSettings s;
  if (options.margin) {
    s.margin = *options.margin / unit_length;
    s.accept = std::min(s.accept, 0.2 * s.margin);
  }
  if (options.max_shift) s.limits.max_shift = *options.max_shift / unit_length;
  if (options.max_turn) s.limits.max_turn = *options.max_turn;
  s.tolerance = options.tolerance / unit_length;
  s.threads = resolve_threads(options.threads);
  if (!options.polish) s.polish_iterations = 0;
  s.parts = options.parts;
  return s;
}

}  // namespace s4r
