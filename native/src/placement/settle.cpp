// Supports, and the order in which units are put back on them.
#include <algorithm>
#include <functional>

#include "placement/seat.h"
#include "s4r/placement.h"
#include "util/parallel.h"

namespace s4r {
namespace {

Support support_of(const Model& model, const Rest& rest) {
  int on_geom = rest.contacts.front().second;
  for (const GeomPair& pair : rest.contacts) on_geom = std::min(on_geom, pair.second);
  return {model.units[rest.unit].root_body, rest.on_body, on_geom};
}

std::vector<Support> supports_of(const Model& model, const std::vector<Rest>& rests) {
  std::vector<Support> supports;
  for (const Rest& rest : rests) supports.push_back(support_of(model, rest));
  return supports;
}

// The units that rest on something, each after those that carry it; otherwise the lower ones first.
std::vector<int> bottom_to_top(const Layout& layout, const std::vector<std::vector<const Rest*>>& own) {
  std::vector<std::pair<double, int>> by_height;
  for (std::size_t u = 0; u < own.size(); ++u)
    if (!own[u].empty())
      by_height.emplace_back(-layout.unit_extent(static_cast<int>(u), -layout.up()), static_cast<int>(u));
  std::sort(by_height.begin(), by_height.end());
  std::vector<int> order;
  std::vector<char> seen(own.size(), 0);
  const std::function<void(int)> visit = [&](int unit) {
    if (seen[unit] != 0 || own[unit].empty()) return;
    seen[unit] = 1;
    for (const Rest* rest : own[unit])
      if (rest->on_unit >= 0) visit(rest->on_unit);
    order.push_back(unit);
  };
  for (const auto& [height, unit] : by_height) visit(unit);
  return order;
}

}  // namespace

std::vector<Support> find_supports(const Scene& scene, const std::vector<Pose>& X_WB, double tolerance, int threads,
                                   const Interrupt& interrupt) {
  const Layout layout(scene, X_WB);
  return supports_of(layout.model(),
                     find_rests(layout, tolerance / layout.metres(), resolve_threads(threads), interrupt));
}

Settlement settle(const Scene& scene, const std::vector<Pose>& X_before, const std::vector<Pose>& X_after,
                  const SettleOptions& options, const Interrupt& interrupt) {
  const int threads = resolve_threads(options.threads);
  const Layout before(scene, X_before);
  Layout now(before, X_after);
  const std::vector<Rest> rests = find_rests(before, options.tolerance / before.metres(), threads, interrupt);
  Seating seating(before, now, rests, X_before, X_after, options);
  const auto interrupted = [&] { return interrupt.check() != Interrupt::Reason::kNone; };
  for (const int unit : bottom_to_top(before, seating.own())) {
    if (interrupted()) break;
    seating.seat(unit);
  }
  seating.undo_overlaps();
  Settlement result;
  result.shifts = now.shifts();
  result.supports = supports_of(before.model(), rests);
  result.kept.assign(rests.size(), 0);
  parallel_for(rests.size(), threads, [&](std::size_t k) {
    if (!interrupted()) result.kept[k] = seating.holds(rests[k]) ? 1 : 0;
  });
  result.interrupted = interrupted();
  return result;
}

}  // namespace s4r
