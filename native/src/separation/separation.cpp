#include "separation/separation.h"

#include <algorithm>

#include "separation/pair_list.h"
#include "separation/projection.h"
#include "util/parallel.h"
#include "util/stopwatch.h"

namespace s4r {
namespace {

constexpr double kStill = 1e-12;  // units; smaller steps are not applied
constexpr int kPushes = 6;        // contour pushes of a pair before the plane of the hulls is taken

class Separation {
 public:
  Separation(const Model& model, const SeparationSettings& settings)
      : model_(model), settings_(settings), assets_(model) {
    for (const Unit& u : model.units) {
      start_.push_back(u.centre);
      inverse_weights_.push_back(1.0 / u.weight);
      double size = 0.1;
      for (const int g : u.geoms) size = std::max(size, model.geoms[g].size);
      size_.push_back(size);
    }
    p_ = start_;
    at_list_ = p_;
    moved_.assign(p_.size(), 0);
    last_step_.assign(p_.size(), 0);
  }

  SeparationResult run(const Interrupt& interrupt);

 private:
  Vec3 centre(int unit, int geom) const { return unit >= 0 ? p_[unit] : model_.geoms[geom].offset; }
  Vec3 offset_of(const SeparationPair& pair) const {
    return centre(pair.unit_b, pair.geom_b) - centre(pair.unit_a, pair.geom_a);
  }
  double step_of(int unit) const { return unit >= 0 ? size_[unit] : 0.0; }
  bool idle(const SeparationPair& pair) const {
    const bool moved = (pair.unit_a >= 0 && moved_[pair.unit_a]) || (pair.unit_b >= 0 && moved_[pair.unit_b]);
    return !moved && !pair.conflict && !pair.fresh;
  }
  // Clearance asked of a pair: one that started closer keeps what it had.
  double margin(const SeparationPair& pair) const {
    const double engine = model_.rule.margin(pair.geom_a, pair.geom_b) / model_.unit_length;
    const double full = std::max(settings_.margin, engine);
    return pair.conflict ? full : std::clamp(pair.initial_gap, std::min(settings_.margin, full), full);
  }
  // Gap that counts as separated. A pair that started closer need not get
  // farther apart than it was.
  double accepted(const SeparationPair& pair) const {
    return pair.conflict ? settings_.accept : std::min(settings_.accept, pair.initial_gap);
  }
  double depth(const SeparationPair& pair, const Vec3& u, const PairGap& gap) const;
  double lower_bound(const SeparationPair& pair, const Vec3& u) const;
  void refresh(SeparationPair& pair) const;
  void measure(SeparationPair& pair, const Vec3& u, double need) const;
  void repair(SeparationPair& pair, const Vec3& u, double need) const;
  void set_rows(SeparationPair& pair, std::vector<PlaneRow> rows) const;
  int detect();
  void step();
  double rmsd() const;

  const Model& model_;
  SeparationSettings settings_;
  SeparationAssets assets_;
  std::vector<Vec3> start_, p_, at_list_;
  std::vector<double> inverse_weights_;
  std::vector<double> size_;  // largest geom of the unit, at least the typical 0.1
  std::vector<char> moved_, last_step_;
  std::vector<SeparationPair> pairs_;
  SeparationResult result_;
};

// Certified gap at u from what the last measurement left (the certificate).
double Separation::lower_bound(const SeparationPair& pair, const Vec3& u) const {
  const double travelled = (u - pair.u_q).norm();
  double bound = pair.distance - travelled;
  if (!pair.rows.empty()) {
    double covered = pair.range - travelled;
    for (const PlaneRow& row : pair.rows) covered = std::min(covered, row.n.dot(u) - row.reach);
    bound = std::max(bound, covered);
  }
  return bound;
}

void Separation::set_rows(SeparationPair& pair, std::vector<PlaneRow> rows) const {
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

// Depth of an overlap as the evaluator states it; only a tolerance needs it.
double Separation::depth(const SeparationPair& pair, const Vec3& u, const PairGap& gap) const {
  const ModelGeom& a = model_.geoms[pair.geom_a];
  const ModelGeom& b = model_.geoms[pair.geom_b];
  if (settings_.tolerance <= 0.0) return 1e300;
  if (gap.distance < 0.0) return -gap.distance;
  const auto inner = [](const ModelGeom& g) { return g.unit >= 0 ? g.offset : Vec3(Vec3::Zero()); };
  return -score_pair(*model_.collidables[a.shape], {inner(a), a.q}, *model_.collidables[b.shape], {u + inner(b), b.q})
              .distance;
}

void Separation::measure(SeparationPair& pair, const Vec3& u, double need) const {
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  const double dmax = need + settings_.extra;
  PairGap gap = geometry.measure(u, dmax, settings_.max_rows, pair.cache);
  pair.u_q = u;
  pair.distance = gap.overlap ? std::min(gap.distance, 0.0) : gap.distance;
  pair.range = gap.range;
  const bool first = pair.fresh;
  pair.fresh = false;
  if (first) {
    pair.conflict = gap.overlap && depth(pair, u, gap) > settings_.tolerance;
    pair.initial_gap = pair.conflict ? 1e300 : std::max(0.0, gap.distance);
  }
  if (geometry.convex()) {
    set_rows(pair, std::move(gap.rows));
    pair.bad = gap.found && gap.distance < accepted(pair);
    return;
  }
  if (!gap.found) {
    set_rows(pair, {});
    pair.bad = false;
    return;
  }
  pair.bad = gap.overlap || gap.distance < accepted(pair);
  if (!gap.overlap)
    set_rows(pair, std::move(gap.rows));
  else
    repair(pair, u, need);
}

// An overlapping mesh pair: rows at the pose a contour push separates, or the
// plane of the hulls.
void Separation::repair(SeparationPair& pair, const Vec3& u, double need) const {
  const PairGeometry geometry(model_, assets_, pair.geom_a, pair.geom_b);
  ++pair.failures;
  pair.range = 0.0;
  pair.distance = 0.0;
  if (pair.failures <= kPushes) {
    const double size_a = model_.geoms[pair.geom_a].size, size_b = model_.geoms[pair.geom_b].size;
    const double grain = settings_.push_grain * std::min(size_a, size_b);
    const double longest = settings_.longest_push * std::max(size_a, size_b);
    const Vec3 direction = geometry.push_direction(u);
    double out = grain;
    while (out < longest && geometry.overlaps(u + out * direction, pair.cache)) out *= 2.0;
    if (out < longest) {
      double in = out > grain ? 0.5 * out : 0.0;
      while (out - in > grain) {
        const double middle = 0.5 * (in + out);
        (geometry.overlaps(u + middle * direction, pair.cache) ? in : out) = middle;
      }
      const Vec3 pushed = u + (out + settings_.margin) * direction;
      PairCache cache;
      PairGap gap = geometry.measure(pushed, need + settings_.extra + 0.004 * pair.failures, settings_.max_rows, cache);
      if (!gap.overlap && gap.found && !gap.rows.empty()) {
        set_rows(pair, std::move(gap.rows));
        return;
      }
    }
  }
  set_rows(pair, {geometry.hull_row(u)});
}

void Separation::refresh(SeparationPair& pair) const {
  const Vec3 u = offset_of(pair);
  if (pair.halfspace) {
    // Exact for every pose: measured once.
    const bool plane_is_a = model_.geoms[pair.geom_a].halfspace;
    const ModelGeom& plane = model_.geoms[plane_is_a ? pair.geom_a : pair.geom_b];
    const ModelGeom& geom = model_.geoms[plane_is_a ? pair.geom_b : pair.geom_a];
    const Vec3 n = plane.q * Vec3::UnitZ();
    const Vec3 towards_b = plane_is_a ? n : Vec3(-n);
    if (pair.fresh) {
      pair.rows = {{towards_b, model_.reach(geom, -n)}};
      pair.lambda = {0.0};
      pair.range = 1e300;
    }
    const double gap = towards_b.dot(u) - pair.rows[0].reach;
    if (pair.fresh) {
      pair.conflict = gap < -std::max(kTouching, settings_.tolerance);
      pair.initial_gap = pair.conflict ? 1e300 : std::max(0.0, gap);
      pair.fresh = false;
    }
    pair.bad = gap < accepted(pair);
    return;
  }
  const double need = margin(pair) + 2.0 * settings_.motion;
  if (!pair.fresh && !pair.bad) {
    const double bound = lower_bound(pair, u);
    if (bound >= need) return;
    const double travelled = (u - pair.u_q).norm();
    const bool reusable = !pair.rows.empty() && travelled <= settings_.reuse && pair.range - travelled >= need;
    if (reusable && bound >= settings_.accept) return;
  }
  measure(pair, u, need);
}

int Separation::detect() {
  const Stopwatch watch(result_.ms_detect);
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const SeparationPair& pair = pairs_[k];
    if (idle(pair)) continue;
    const bool still = (pair.unit_a < 0 || !last_step_[pair.unit_a]) && (pair.unit_b < 0 || !last_step_[pair.unit_b]);
    if (pair.fresh || pair.bad || !still) due.push_back(k);
  }
  result_.queries += static_cast<long>(due.size());
  parallel_for(due.size(), settings_.threads, [&](std::size_t k) { refresh(pairs_[due[k]]); });
  int bad = 0;
  for (const SeparationPair& pair : pairs_) bad += pair.bad && !idle(pair) ? 1 : 0;
  return bad;
}

void Separation::step() {
  const Stopwatch watch(result_.ms_project);
  std::vector<ProjectionRow> rows;
  std::vector<std::pair<SeparationPair*, std::size_t>> origin;
  for (SeparationPair& pair : pairs_) {
    if (idle(pair)) continue;
    const Vec3 u = offset_of(pair);
    const double reach =
        settings_.largest_step * (step_of(pair.unit_a) + step_of(pair.unit_b));  // what one step can cross
    for (std::size_t k = 0; k < pair.rows.size(); ++k) {
      const double slack = pair.rows[k].n.dot(u) - pair.rows[k].reach - margin(pair);
      if (slack > reach) continue;
      rows.push_back({pair.unit_a, pair.unit_b, pair.rows[k].n, -slack, pair.lambda[k]});
      origin.emplace_back(&pair, k);
    }
  }
  std::vector<Vec3> x(p_.size());
  for (std::size_t u = 0; u < x.size(); ++u) {
    x[u] = start_[u] - p_[u];
    const double limit = settings_.largest_pull * size_[u];
    if (const double length = x[u].norm(); length > limit) x[u] *= limit / length;
  }
  project(rows, inverse_weights_, x, {});
  for (std::size_t r = 0; r < rows.size(); ++r) origin[r].first->lambda[origin[r].second] = rows[r].lambda;
  for (std::size_t u = 0; u < x.size(); ++u) {
    const double length = x[u].norm();
    last_step_[u] = length > kStill ? 1 : 0;
    if (!last_step_[u]) continue;
    const double limit = settings_.largest_step * size_[u];
    if (length > limit) x[u] *= limit / length;
    p_[u] += x[u];
    moved_[u] = 1;
    const Vec3 shift = p_[u] - start_[u];
    if (settings_.max_shift > 0.0 && shift.norm() > settings_.max_shift)
      p_[u] = start_[u] + shift * (settings_.max_shift * (1.0 - 1e-9) / shift.norm());
  }
}

// Root mean square displacement, weighted as the objective is.
double Separation::rmsd() const {
  double sum = 0.0, weights = 0.0;
  for (std::size_t u = 0; u < p_.size(); ++u) {
    sum += (p_[u] - start_[u]).squaredNorm() / inverse_weights_[u];
    weights += 1.0 / inverse_weights_[u];
  }
  return weights > 0.0 ? std::sqrt(sum / weights) : 0.0;
}

SeparationResult Separation::run(const Interrupt& interrupt) {
  const double pad = 2.0 * settings_.slack + 2.0 * settings_.motion + settings_.extra + settings_.margin;
  const auto relist = [&] {
    const Stopwatch watch(result_.ms_list);
    rebuild_pairs(model_, p_, pad, pairs_);
    at_list_ = p_;
  };
  relist();
  double best = 1e300;
  int polish = 0, idle_polish = 0, fewest = 1 << 30, since_fewest = 0;
  for (int iteration = 0; iteration < settings_.max_iterations; ++iteration) {
    if (interrupt.check() != Interrupt::Reason::kNone) break;
    ++result_.iterations;
    const int bad = detect();
    result_.bad_pairs = bad;
    interrupt.progress(Stage::kScale, static_cast<double>(iteration) / settings_.max_iterations, bad);
    if (bad < fewest) {
      fewest = bad;
      since_fewest = 0;
    } else if (++since_fewest > settings_.patience) {
      break;
    }
    if (bad == 0) {
      const double now = rmsd();
      const double gain = best - now;
      if (now < best) {
        best = now;
        result_.separated = true;
        result_.p = p_;
        result_.moved = moved_;
      }
      idle_polish = gain < settings_.polish_gain * now ? idle_polish + 1 : 0;
      if (idle_polish >= 2 || ++polish > settings_.polish_iterations) break;
    }
    step();
    for (std::size_t u = 0; u < p_.size(); ++u)
      if ((p_[u] - at_list_[u]).norm() > settings_.slack) {
        relist();
        break;
      }
  }
  if (!result_.separated) {
    result_.p = p_;
    result_.moved = moved_;
  }
  return result_;
}

}  // namespace

SeparationResult separate(const Model& model, const SeparationSettings& settings, const Interrupt& interrupt) {
  return Separation(model, settings).run(interrupt);
}

}  // namespace s4r
