#include "separation/pair_update.h"

#include <algorithm>

namespace s4r {
namespace {

constexpr int kFailures = 7;            // then the plane of the hulls is taken
constexpr double kSmallest = 1e-4;      // scale at which a pair that still overlaps has coincident centres
constexpr double kFirstShrink = 0.95;   // then its square, and so on
constexpr double kEasy = 0.8;           // scale above which a pair counts as hardly overlapping
constexpr double kShorterStride = 0.7;  // of a shrunk pair that failed again

// Certified gap at u from what the last measurement left (the certificate). `turned`: how far points of the two can
// have travelled by turning since.
double lower_bound(const SeparationPair& pair, const Vec3& u, double turned) {
  const double travelled = (u - pair.u_q).norm() + turned;
  double bound = pair.distance - travelled;
  if (!pair.rows.empty()) {
    double covered = pair.range - travelled;
    for (const PlaneRow& row : pair.rows) covered = std::min(covered, row.n.dot(u) - row.reach - turned);
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

// Where a measurement was made.
void remember(SeparationPair& pair, const Vec3& u, const Relative& at) {
  pair.u_q = u;
  pair.turn_a_q = at.turn_a;
  pair.turn_b_q = at.turn_b;
}

}  // namespace

double PairUpdate::full_margin(const SeparationPair& pair) const {
  return std::max(settings_.margin, model_.rule.margin(pair.geom_a, pair.geom_b) / model_.unit_length);
}

double PairUpdate::margin(const SeparationPair& pair) const {
  const double full = full_margin(pair);
  return pair.conflict ? full : std::clamp(pair.initial_gap, std::min(settings_.margin, full), full);
}

PairGeometry PairUpdate::geometry_of(const SeparationPair& pair, const Relative& at) const {
  return {model_, assets_, pair.geom_a, pair.geom_b, at.turn_a, at.turn_b};
}

// How far points of the two can have travelled by turning since the last measurement.
double PairUpdate::turned(const SeparationPair& pair, const Relative& at) const {
  if (!model_.rigid) return 0.0;
  double sum = 0.0;
  if (pair.unit_a >= 0) sum += chord(pair.turn_a_q, at.turn_a) * model_.geoms[pair.geom_a].radius;
  if (pair.unit_b >= 0) sum += chord(pair.turn_b_q, at.turn_b) * model_.geoms[pair.geom_b].radius;
  return sum;
}

ProjectionRow PairUpdate::row_at(const SeparationPair& pair, std::size_t k, const Relative& at) const {
  const PlaneRow& plane = pair.rows[k];
  ProjectionRow row{pair.unit_a, pair.unit_b, plane.n, 0.0, pair.lambda[k]};
  double reach = plane.reach;
  if (model_.rigid) {
    // The points turned with their units since the row was made.
    const Vec3 y_a = at.turn_a * (pair.turn_a_q.conjugate() * plane.y_a);
    const Vec3 y_b = at.turn_b * (pair.turn_b_q.conjugate() * plane.y_b);
    reach += plane.n.dot((y_a - plane.y_a) - (y_b - plane.y_b));
    row.lever_i = pair.target * y_a.cross(plane.n);
    row.lever_j = pair.target * y_b.cross(plane.n);
  }
  row.b = margin(pair) + pair.target * reach - plane.n.dot(at.offset);
  return row;
}

// Depth of an overlap as the evaluator states it; only a tolerance and surfaces that touch need it.
double PairUpdate::depth(const SeparationPair& pair, const Relative& at, const PairGap& gap) const {
  const ModelGeom& a = model_.geoms[pair.geom_a];
  const ModelGeom& b = model_.geoms[pair.geom_b];
  if (settings_.tolerance <= 0.0 && !gap.touching) return 1e300;
  if (gap.distance < 0.0) return -gap.distance;
  const auto inner = [](const ModelGeom& g, const Quat& turn, const Vec3& from) -> Pose {
    return {from + (g.unit >= 0 ? turn * g.offset : Vec3(Vec3::Zero())), turn * g.q};
  };
  return -score_pair(*model_.collidables[a.shape], inner(a, at.turn_a, Vec3::Zero()), *model_.collidables[b.shape],
                     inner(b, at.turn_b, at.offset))
              .distance;
}

// Gap in u that the coming step cannot use up: bodies move, and growing moves u towards the origin.
double PairUpdate::need(const SeparationPair& pair, const Vec3& u) const {
  return (margin(pair) + 2.0 * settings_.motion) / pair.target + u.norm() * (1.0 - pair.scale / pair.target);
}

void PairUpdate::look(SeparationPair& pair, const Relative& at) const {
  pair.overlap = false;
  if (pair.halfspace) return refresh_halfspace(pair, at);
  const Vec3& u = at.offset;
  const PairGeometry geometry = geometry_of(pair, at);
  const PairGap gap = geometry.measure(u, full_margin(pair), 0.0, 1, pair.cache);
  pair.fresh = false;
  remember(pair, u, at);
  pair.distance = gap.overlap ? std::min(gap.distance, 0.0) : gap.distance;
  pair.conflict = gap.overlap && depth(pair, at, gap) > std::max(settings_.tolerance, gap.touching ? kTouching : 0.0);
  pair.initial_gap = pair.conflict ? 1e300 : std::max(0.0, gap.distance);
  pair.contained = gap.contained;
  // An overlap of surfaces is all there is to know before its repair.
  pair.overlap = pair.measured = pair.conflict && !geometry.convex();
  pair.bad = gap.found && (gap.overlap || gap.distance < accepted(pair));
}

void PairUpdate::refresh(SeparationPair& pair, const Relative& at) const {
  pair.overlap = false;
  if (pair.halfspace) return refresh_halfspace(pair, at);
  const Vec3 u = at.offset / pair.scale;
  pair.target = std::min(1.0, pair.scale + pair.stride);
  if (settings_.parts.certificate && !pair.fresh && !pair.bad) {
    const double turns = turned(pair, at), needed = need(pair, u), bound = lower_bound(pair, u, turns);
    if (bound >= needed) return;
    const double travelled = (u - pair.u_q).norm() + turns;
    // A new row of two convex solids costs little, and following their curvature shortens the way.
    const bool convex = model_.geoms[pair.geom_a].convex && model_.geoms[pair.geom_b].convex;
    const double reuse = convex ? settings_.reuse_convex : settings_.reuse;
    const bool reusable =
        !pair.rows.empty() && travelled <= reuse && turns <= settings_.reuse_turned && pair.range - travelled >= needed;
    if (reusable && bound * pair.scale >= settings_.accept) return;
  }
  measure(pair, at);
}

// Exact for every displacement: measured once per turn.
void PairUpdate::refresh_halfspace(SeparationPair& pair, const Relative& at) const {
  const bool plane_is_a = model_.geoms[pair.geom_a].halfspace;
  const ModelGeom& plane = model_.geoms[plane_is_a ? pair.geom_a : pair.geom_b];
  const ModelGeom& geom = model_.geoms[plane_is_a ? pair.geom_b : pair.geom_a];
  const Vec3 n = plane.q * Vec3::UnitZ();
  const Vec3 towards_b = plane_is_a ? n : Vec3(-n);
  if (pair.rows.empty() || turned(pair, at) > 0.0) {
    const Quat& turn = plane_is_a ? at.turn_b : at.turn_a;
    const Pose X{turn * geom.offset, turn * geom.q};
    const Vec3 lowest = X.p + X.q * support_point(model_.shape(geom), X.q.conjugate() * -n);
    set_rows(pair, {{towards_b, support(model_.shape(geom), X, -n), plane_is_a ? Vec3(Vec3::Zero()) : lowest,
                     plane_is_a ? lowest : Vec3(Vec3::Zero())}});
    pair.range = 1e300;
    remember(pair, at.offset, at);
  }
  const double gap = towards_b.dot(at.offset) - pair.rows[0].reach;
  if (pair.fresh) {
    pair.conflict = gap < -std::max(kTouching, settings_.tolerance);
    pair.initial_gap = pair.conflict ? 1e300 : std::max(0.0, gap);
    pair.fresh = false;
    pair.measured = true;
  }
  pair.bad = gap < accepted(pair);
}

void PairUpdate::measure(SeparationPair& pair, const Relative& at) const {
  const PairGeometry geometry = geometry_of(pair, at);
  const Vec3 u = at.offset / pair.scale;
  const double beyond = pair.grown() ? 1e300 : settings_.reach_shrunk;
  PairGap gap =
      geometry.measure(u, need(pair, u) + settings_.extra / pair.target, beyond, settings_.parts.max_rows, pair.cache);
  remember(pair, u, at);
  pair.distance = gap.overlap ? std::min(gap.distance, 0.0) : gap.distance;
  pair.range = gap.range;
  pair.fresh = false;
  pair.measured = true;
  if (geometry.convex()) {
    pair.bad = gap.found && gap.distance * pair.scale < accepted(pair);
    set_rows(pair, pair.bad && !geometry.helps(gap.rows) ? std::vector{geometry.hull_row(u)} : std::move(gap.rows));
    return;
  }
  if (!gap.found) {
    set_rows(pair, {});
    pair.bad = false;
    return;
  }
  pair.bad = gap.overlap || gap.distance * pair.scale < accepted(pair);
  // Apart, but by less than asked for, in a direction in which neither can move: they have to part in another.
  pair.overlap = gap.overlap || (pair.bad && !geometry.helps(gap.rows));
  pair.contained = gap.contained;
  if (!pair.overlap) set_rows(pair, std::move(gap.rows));
}

void PairUpdate::repair(SeparationPair& pair, const Relative& at) const {
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
    if (shrinks && first_times && pair.grown() && shrink(pair, at, kEasy)) return;
    if (pushes && (first_times || pair.failures % 2 == 1 || !both_move) && push(pair, at)) return;
    if (shrinks && shrink(pair, at, kSmallest)) return;
  }
  set_rows(pair, {geometry_of(pair, at).hull_row(at.offset / pair.scale)});
  remember(pair, pair.u_q, at);
}

bool PairUpdate::push(SeparationPair& pair, const Relative& at) const {
  const Vec3& u = at.offset;
  const PairGeometry geometry = geometry_of(pair, at);
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
  remember(pair, pair.u_q, at);
  return true;
}

// The largest scale, to the grain, at which the two are apart; rows there.
bool PairUpdate::shrink(SeparationPair& pair, const Relative& at, double smallest) const {
  const PairGeometry geometry = geometry_of(pair, at);
  const Vec3& offset = at.offset;
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
  remember(pair, u, at);
  pair.distance = gap.distance;
  pair.range = gap.range;
  set_rows(pair, std::move(gap.rows));
  return true;
}

bool PairUpdate::separated(const SeparationPair& pair, const Relative& at, double clearance) const {
  const Vec3& offset = at.offset;
  if (pair.halfspace) {
    SeparationPair copy = pair;
    refresh_halfspace(copy, at);
    const double gap = copy.rows[0].n.dot(offset) - copy.rows[0].reach;
    return gap >= (pair.conflict || pair.fresh ? clearance : std::min(clearance, pair.initial_gap));
  }
  const double wanted = pair.conflict ? clearance : std::min(clearance, pair.initial_gap);
  PairCache cache = pair.cache;  // where to look first, nothing more
  const PairGeometry geometry = geometry_of(pair, at);
  const PairGap gap = geometry.measure(offset, std::max(wanted, 1e-12), 0.0, 1, cache);
  if (!gap.found) return true;
  if (gap.overlap && !pair.conflict && (settings_.tolerance > 0.0 || gap.touching))
    return depth(pair, at, gap) <= std::max(settings_.tolerance, gap.touching ? kTouching : 0.0);
  return !gap.overlap && gap.distance >= wanted;
}

}  // namespace s4r
