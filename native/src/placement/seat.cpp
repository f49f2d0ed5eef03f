#include "placement/seat.h"

#include <algorithm>

namespace s4r {
namespace {

constexpr double kClearance = 1e-4;  // as the solver's
constexpr double kGrain = 1e-6;

// Everything that carries the unit.
std::vector<GeomPair> all_contacts(const std::vector<const Rest*>& rests) {
  std::vector<GeomPair> contacts;
  for (const Rest* rest : rests) contacts.insert(contacts.end(), rest->contacts.begin(), rest->contacts.end());
  return contacts;
}

bool same(const Pose& a, const Pose& b) { return a.p == b.p && a.q.coeffs() == b.q.coeffs(); }

}  // namespace

Seating::Seating(const Layout& before, Layout& now, const std::vector<Rest>& rests, const std::vector<Pose>& X_before,
                 const std::vector<Pose>& X_after, const SettleOptions& options)
    : before_(before),
      now_(now),
      X_before_(X_before),
      X_after_(X_after),
      max_shift_(options.max_shift),
      tolerance_(options.tolerance / now.metres()),
      touching_(options.overlap_tolerance / now.metres()),
      clearance_(std::min(kClearance, 0.5 * tolerance_)),
      was_balanced_(now.model().units.size(), 0) {
  own_.resize(was_balanced_.size());
  on_.resize(was_balanced_.size());
  for (const Rest& rest : rests) {
    own_[rest.unit].push_back(&rest);
    if (rest.on_unit >= 0) on_[rest.on_unit].push_back(rest.unit);
  }
  for (std::size_t u = 0; u < own_.size(); ++u)
    was_balanced_[u] = balanced(before, static_cast<int>(u), all_contacts(own_[u])) ? 1 : 0;
}

bool Seating::unmoved(int unit) const {
  const int root = now_.model().units[unit].root_body;
  return !now_.displaced(unit) && same(X_before_[root], X_after_[root]);
}

bool Seating::holds(const Rest& rest) const {
  if (unmoved(rest.unit) && (rest.on_unit < 0 || unmoved(rest.on_unit))) return true;
  const auto contacts =
      carrying(now_, pairs_with(now_, rest.unit, rest.on_unit, rest.on_body, 2.0 * tolerance_), tolerance_);
  if (contacts.empty() || rest.on_unit >= 0) return !contacts.empty();
  for (const GeomPair& was : rest.contacts)
    for (const GeomPair& is : contacts)
      if (was.second == is.second) return true;
  return as_high(rest);
}

bool Seating::as_high(const Rest& rest) const {
  const auto height = [&](const Layout& layout, const Vec3& origin) {
    const Vec3 lowest = -layout.up();
    const double own = -layout.unit_extent(rest.unit, lowest);
    return own - (rest.on_unit >= 0 ? -layout.unit_extent(rest.on_unit, lowest) : -layout.up().dot(origin));
  };
  const Vec3 between = (now_.model().origin - before_.model().origin) / now_.metres();
  return std::abs(height(now_, between) - height(before_, Vec3::Zero())) <= 2.0 * tolerance_;
}

Seating::Stand Seating::stand(int unit) const {
  std::vector<GeomPair> contacts;
  bool held = false, high = false;
  for (const Rest* rest : own_[unit]) {
    if (!holds(*rest)) continue;
    held = true;
    high |= as_high(*rest);
    const auto pairs = pairs_with(now_, unit, rest->on_unit, rest->on_body, 2.0 * tolerance_);
    const auto is = carrying(now_, pairs, tolerance_);
    contacts.insert(contacts.end(), is.begin(), is.end());
  }
  if (!held) return Stand::kNone;
  const bool firm = high && (was_balanced_[unit] == 0 || balanced(now_, unit, contacts));
  return firm ? Stand::kAsBefore : Stand::kSomehow;
}

std::vector<int> Seating::tower(int unit) const {
  std::vector<int> found, todo = on_[unit];
  std::vector<char> seen(on_.size(), 0);
  seen[unit] = 1;
  while (!todo.empty()) {
    const int next = todo.back();
    todo.pop_back();
    if (seen[next] != 0) continue;
    seen[next] = 1;
    found.push_back(next);
    todo.insert(todo.end(), on_[next].begin(), on_[next].end());
  }
  return found;
}

bool Seating::overlapped(const GeomPair& pair) const {
  const auto since = [&](int unit) {
    return unit < 0 ? Vec3(Vec3::Zero()) : Vec3(now_.centre(unit) - now_.model().units[unit].centre);
  };
  return now_.overlap(pair, since(now_.unit_of(pair.second)) - since(now_.unit_of(pair.first)));
}

bool Seating::sunk(int unit) const {
  return std::any_of(own_[unit].begin(), own_[unit].end(), [&](const Rest* rest) {
    const auto pairs = pairs_with(now_, unit, rest->on_unit, rest->on_body, 2.0 * tolerance_);
    return now_.any_overlap(pairs, touching_ * now_.up());
  });
}

// To where the supporter's motion since `before` takes the unit's centre, and out of the supporter.
Vec3 Seating::ride(int unit, const Rest& rest) const {
  const Model &was = before_.model(), &is = now_.model();
  Vec3 centre = was.origin + before_.centre(unit) * before_.metres();
  if (rest.on_unit >= 0) {
    const Pose &X0 = X_before_[rest.on_body], &X1 = X_after_[rest.on_body];
    const Vec3 since = (now_.centre(rest.on_unit) - is.units[rest.on_unit].centre) * now_.metres();
    if (X0.q.coeffs() == X1.q.coeffs())
      centre += X1.p - X0.p + since;
    else
      centre = X1.q * (X0.q.conjugate() * (centre - X0.p)) + X1.p + since;
  }
  return (centre - is.origin) / now_.metres() - now_.centre(unit) + tolerance_ * now_.up();
}

bool Seating::place(int unit, const Vec3& start) {
  const double reach = 2.0 * now_.model().units[unit].radius + tolerance_;
  const Vec3 down = -now_.up();
  auto pairs = now_.neighbours(unit, start, start + reach * down);
  std::erase_if(pairs, [&](const GeomPair& pair) { return now_.overlap(pair, start) && overlapped(pair); });
  if (now_.any_overlap(pairs, start)) return false;
  double fall = reach;
  for (const GeomPair& pair : pairs) {
    const double t = now_.travel(pair, start, down, reach, kGrain);
    if (t < reach) fall = std::min(fall, t - now_.model().rule.margin(pair.first, pair.second) / now_.metres());
  }
  if (!(fall < reach)) return false;
  const Vec3 shift = start + std::max(0.0, fall - clearance_) * down;
  if (!may_shift(now_, unit, shift, X_before_, X_after_, max_shift_)) return false;
  if (now_.any_overlap(pairs, shift)) return false;
  now_.displace(unit, shift);
  return true;
}

void Seating::seat(int unit) {
  const auto& own = own_[unit];
  const bool moved = !unmoved(unit) || std::any_of(own.begin(), own.end(), [&](const Rest* rest) {
    return rest->on_unit >= 0 && !unmoved(rest->on_unit);
  });
  const bool in = sunk(unit);
  if (!in && !moved) return;
  const Stand was = in ? Stand::kNone : stand(unit);
  if (was == Stand::kAsBefore) return;
  const std::vector<int> above = tower(unit);
  for (const int u : above) now_.set_absent(u, true);
  std::vector<Vec3> starts{in ? Vec3(tolerance_ * now_.up()) : Vec3(Vec3::Zero())};
  for (const Rest* rest : own) starts.push_back(ride(unit, *rest));
  const auto attempt = [&](const Vec3& start, Stand wanted) {
    const Vec3 from = now_.centre(unit);
    if (!place(unit, start)) return false;
    if (stand(unit) >= wanted) return true;
    now_.restore(unit, from);
    return false;
  };
  const auto any = [&](Stand wanted) {
    return std::any_of(starts.begin(), starts.end(), [&](const Vec3& start) { return attempt(start, wanted); });
  };
  const bool done = any(Stand::kAsBefore) || was == Stand::kSomehow || any(Stand::kSomehow);
  if (!done && !in) place(unit, Vec3::Zero());
  for (const int u : above) now_.set_absent(u, false);
}

void Seating::undo_overlaps() {
  const auto fails = [&](int unit) {
    const auto pairs = now_.neighbours(unit, Vec3::Zero(), Vec3::Zero());
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const GeomPair& pair) { return now_.overlap(pair, Vec3::Zero()) && !overlapped(pair); });
  };
  const auto send_back = [&](int unit) { now_.restore(unit, now_.model().units[unit].centre); };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t u = 0; u < own_.size(); ++u) {
      const int unit = static_cast<int>(u);
      if (!now_.displaced(unit) || !fails(unit)) continue;
      send_back(unit);
      for (const int above : tower(unit)) send_back(above);
      changed = true;
    }
  }
}

}  // namespace s4r
