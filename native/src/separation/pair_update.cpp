#include "separation/pair_update.h"

#include <algorithm>

namespace s4r {
namespace {

constexpr int kFailures = 7;            // then the plane of the hulls is taken
constexpr double kSmallest = 1e-4;      // scale at which a pair that still overlaps has coincident centres
constexpr double kFirstShrink = 0.95;   // then its square, and so on
constexpr double kEasy = 0.8;           // scale above which a pair counts as hardly overlapping
constexpr double kShorterStride = 0.7;  // of a shrunk pair that failed again

// Certified gap at u from what the last measurement left (the certificate).
double lower_bound(const SeparationPair& pair, const Vec3& u) {
  const double travelled = (u - pair.u_q).norm();
  double bound = pair.distance - travelled;
  if (!pair.rows.empty()) {
    double covered = pair.range - travelled;
    for (const PlaneRow& row : pair.rows) covered = std::min(covered, row.n.dot(u) - row.reach);
    bound = std::max(bound, covered);
  }
  return bound;
}

// Multipliers pass to the new rows that look the same way.
void set_rows(SeparationPair& pair, std::vector<PlaneRow> rows) {
  std::vector<double> lambda(rows.size(), 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t o = 0; o < pair.rows.size(); ++o)
      if (rows[k].n.dot(pair.rows[o].n) > 0.9) {
        lambda[k] = pair.lambda[o];
        pair.lambda[o] = 0.0;
      }
  pair.rows = std::move(rows);
  pair.lambda = std::move(lambda);
}

}  // namespace

double PairUpdate::full_margin(const SeparationPair& pair) const {
  return std::max(settings_.margin, model_.rule.margin(pair.geom_a, pair.geom_b) / model_.unit_length);
}

double PairUpdate::margin(const SeparationPair& pair) const {
  const double full = full_margin(pair);
  return pair.conflict ? full : std::clamp(pair.initial_gap, std::min(settings_.margin, full), full);
}

// Depth of an overlap as the evaluator states it; only a tolerance and surfaces that touch need it.
double PairUpdate::depth(const SeparationPair& pair, const Vec3& u, const PairGap& gap) const {
  const ModelGeom& a = model_.geoms[pair.geom_a];
  const ModelGeom& b = model_.geoms[pair.geom_b];
  if (settings_.tolerance <= 0.0 && !gap.touching) return 1e300;
  if (gap.distance < 0.0) return -gap.distance;
  const auto inner = [](const ModelGeom& g) { return g.unit >= 0 ? g.offset : Vec3(Vec3::Zero()); };
  return -score_pair(*model_.collidables[a.shape], {inner(a), a.q}, *model_.collidables[b.shape], {u + inner(b), b.q})
              .distance;
}

// Gap in u that the coming step cannot use up: bodies move, and growing moves u towards the origin.
double PairUpdate::need(const SeparationPair& pair, const Vec3& u) const {
  return (margin(pair) + 2.0 * settings_.motion) / pair.target + u.norm() * (1.0 - pair.scale / pair.target);
}

void PairUpdate::look(SeparationPair& pair, const Vec3& u) const {
  pair.overlap = false;
  if (pair.halfspace) return refresh_halfspace(pair, u);
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  const PairGap gap = geometry.measure(u, full_margin(pair), 0.0, 1, pair.cache);
  pair.fresh = false;
  pair.u_q = u;
  pair.distance = gap.overlap ? std::min(gap.distance, 0.0) : gap.distance;
  pair.conflict = gap.overlap && depth(pair, u, gap) > std::max(settings_.tolerance, gap.touching ? kTouching : 0.0);
  pair.initial_gap = pair.conflict ? 1e300 : std::max(0.0, gap.distance);
  pair.contained = gap.contained;
  // An overlap of surfaces is all there is to know before its repair.
  pair.overlap = pair.measured = pair.conflict && !geometry.convex();
  pair.bad = gap.found && (gap.overlap || gap.distance < accepted(pair));
}

void PairUpdate::refresh(SeparationPair& pair, const Vec3& offset) const {
  pair.overlap = false;
  if (pair.halfspace) return refresh_halfspace(pair, offset);
  const Vec3 u = offset / pair.scale;
  pair.target = std::min(1.0, pair.scale + pair.stride);
  if (settings_.parts.certificate && !pair.fresh && !pair.bad) {
    const double needed = need(pair, u), bound = lower_bound(pair, u);
    if (bound >= needed) return;
    const double travelled = (u - pair.u_q).norm();
    // A new row of two convex solids costs little, and following their curvature shortens the way.
    const bool convex = model_.geoms[pair.geom_a].convex && model_.geoms[pair.geom_b].convex;
    const double reuse = convex ? settings_.reuse_convex : settings_.reuse;
    const bool reusable = !pair.rows.empty() && travelled <= reuse && pair.range - travelled >= needed;
    if (reusable && bound * pair.scale >= settings_.accept) return;
  }
  measure(pair, offset);
}

// Exact for every pose: measured once.
void PairUpdate::refresh_halfspace(SeparationPair& pair, const Vec3& u) const {
  const bool plane_is_a = model_.geoms[pair.geom_a].halfspace;
  const ModelGeom& plane = model_.geoms[plane_is_a ? pair.geom_a : pair.geom_b];
  const ModelGeom& geom = model_.geoms[plane_is_a ? pair.geom_b : pair.geom_a];
  const Vec3 n = plane.q * Vec3::UnitZ();
  const Vec3 towards_b = plane_is_a ? n : Vec3(-n);
  if (pair.rows.empty()) {
    pair.rows = {{towards_b, model_.reach(geom, -n)}};
    pair.lambda = {0.0};
    pair.range = 1e300;
  }
  const double gap = towards_b.dot(u) - pair.rows[0].reach;
  if (pair.fresh) {
    pair.conflict = gap < -std::max(kTouching, settings_.tolerance);
    pair.initial_gap = pair.conflict ? 1e300 : std::max(0.0, gap);
    pair.fresh = false;
    pair.measured = true;
  }
  pair.bad = gap < accepted(pair);
}

void PairUpdate::measure(SeparationPair& pair, const Vec3& offset) const {
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  const Vec3 u = offset / pair.scale;
  const double beyond = pair.grown() ? 1e300 : settings_.reach_shrunk;
  PairGap gap =
      geometry.measure(u, need(pair, u) + settings_.extra / pair.target, beyond, settings_.parts.max_rows, pair.cache);
  pair.u_q = u;
  pair.distance = gap.overlap ? std::min(gap.distance, 0.0) : gap.distance;
  pair.range = gap.range;
  pair.fresh = false;
  pair.measured = true;
  if (geometry.convex()) {
    set_rows(pair, std::move(gap.rows));
    pair.bad = gap.found && gap.distance * pair.scale < accepted(pair);
    return;
  }
  if (!gap.found) {
    set_rows(pair, {});
    pair.bad = false;
    return;
  }
  pair.bad = gap.overlap || gap.distance * pair.scale < accepted(pair);
  pair.overlap = gap.overlap;
  pair.contained = gap.contained;
  if (!gap.overlap) set_rows(pair, std::move(gap.rows));
}

void PairUpdate::repair(SeparationPair& pair, const Vec3& offset) const {
  ++pair.failures;
  pair.range = 0.0;
  pair.distance = 0.0;
  const bool both_move = pair.unit_a >= 0 && pair.unit_b >= 0, first_times = pair.failures <= 2;
  // What lies inside another has no contour to go by, and shrunk about the centres it would leave along their line,
  // however long that is.
  if (pair.failures <= kFailures && !pair.contained) {
    const bool pushes = settings_.parts.contour_push && pair.grown();
    const bool shrinks = settings_.parts.pair_scale && both_move;
    // What comes apart with little shrinking is not nested: any way out will do, and this one costs least.
    if (shrinks && first_times && pair.grown() && shrink(pair, offset, kEasy)) return;
    if (pushes && (first_times || pair.failures % 2 == 1 || !both_move) && push(pair, offset)) return;
    if (shrinks && shrink(pair, offset, kSmallest)) return;
  }
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  set_rows(pair, {geometry.hull_row(offset / pair.scale)});
}

bool PairUpdate::push(SeparationPair& pair, const Vec3& u) const {
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  const double size_a = model_.geoms[pair.geom_a].size, size_b = model_.geoms[pair.geom_b].size;
  const double grain = settings_.push_grain * std::min(size_a, size_b);
  const double longest = settings_.longest_push * std::max(size_a, size_b);
  const Vec3 direction = geometry.push_direction(u);
  double out = grain;
  while (out < longest && geometry.overlaps(u + out * direction, pair.cache)) out *= 2.0;
  if (out >= longest) return false;
  double in = out > grain ? 0.5 * out : 0.0;
  while (out - in > grain) {
    const double middle = 0.5 * (in + out);
    (geometry.overlaps(u + middle * direction, pair.cache) ? in : out) = middle;
  }
  const Vec3 pushed = u + (out + settings_.margin) * direction;
  PairCache cache;
  PairGap gap = geometry.measure(pushed, need(pair, u) + settings_.push_range * (0.5 + 0.5 * pair.failures), 1e300,
                                 settings_.parts.max_rows, cache);
  if (gap.overlap || !gap.found || gap.rows.empty()) return false;
  set_rows(pair, std::move(gap.rows));
  return true;
}

// The largest scale, to the grain, at which the two are apart; rows there.
bool PairUpdate::shrink(SeparationPair& pair, const Vec3& offset, double smallest) const {
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  double blocked = pair.scale, apart = 0.0;
  for (double factor = kFirstShrink; apart == 0.0; factor *= factor) {
    const double s = std::max(blocked * factor, smallest);
    if (!geometry.overlaps(offset / s, pair.cache))
      apart = s;
    else if (s == smallest)
      return false;
    else
      blocked = s;
  }
  while (blocked - apart > settings_.grain * apart) {
    const double middle = 0.5 * (blocked + apart);
    (geometry.overlaps(offset / middle, pair.cache) ? blocked : apart) = middle;
  }
  const double before = pair.scale;
  pair.scale = apart;
  if (pair.failures > 2) pair.stride *= kShorterStride;
  pair.target = std::min(1.0, pair.scale + pair.stride);
  const Vec3 u = offset / pair.scale;
  const double dmax = need(pair, u) + (settings_.extra + settings_.push_range * pair.failures) / pair.target;
  PairGap gap = geometry.measure(u, dmax, settings_.reach_shrunk, settings_.parts.max_rows, pair.cache);
  if (gap.overlap) {
    pair.scale = before;
    return false;
  }
  pair.u_q = u;
  pair.distance = gap.distance;
  pair.range = gap.range;
  set_rows(pair, std::move(gap.rows));
  return true;
}

bool PairUpdate::separated(const SeparationPair& pair, const Vec3& offset, double clearance) const {
  if (pair.halfspace) {
    SeparationPair copy = pair;
    refresh_halfspace(copy, offset);
    const double gap = copy.rows[0].n.dot(offset) - copy.rows[0].reach;
    return gap >= (pair.conflict || pair.fresh ? clearance : std::min(clearance, pair.initial_gap));
  }
  const double wanted = pair.conflict ? clearance : std::min(clearance, pair.initial_gap);
  PairCache cache = pair.cache;  // where to look first, nothing more
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  const PairGap gap = geometry.measure(offset, std::max(wanted, 1e-12), 0.0, 1, cache);
  if (!gap.found) return true;
  if (gap.overlap && !pair.conflict && (settings_.tolerance > 0.0 || gap.touching))
    return depth(pair, offset, gap) <= std::max(settings_.tolerance, gap.touching ? kTouching : 0.0);
  return !gap.overlap && gap.distance >= wanted;
}

}  // namespace s4r
