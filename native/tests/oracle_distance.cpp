// Wolfe's minimum-norm point (Finding the nearest point in a polytope, 1976) on the difference of two pieces. The
// product uses GJK with closed-form simplex distances; here the affine minimiser comes from a QR factorisation.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "oracle.h"

namespace s4r::testing {
namespace {

constexpr long double kZero = 1e-17L;  // relative to the size of the difference: the origin is inside
constexpr int kMaxIterations = 400;

// The corral: affinely independent points with positive weights.
struct Corral {
  std::vector<LVec> points;
  std::vector<long double> weights;

  LVec nearest() const {
    LVec x = LVec::Zero();
    for (std::size_t k = 0; k < points.size(); ++k) x += weights[k] * points[k];
    return x;
  }

  // Unit vector towards the nearest point, from what the corral spans: near contact the point itself is mostly
  // rounding.
  LVec direction() const {
    LVec n = nearest();
    if (points.size() == 3) {
      const LVec normal = (points[1] - points[0]).cross(points[2] - points[0]);
      if (normal.norm() > 0.0L) n = normal * (normal.dot(points[0]) < 0.0L ? -1.0L : 1.0L);
    } else if (points.size() == 2) {
      const LVec edge = (points[1] - points[0]).normalized();
      for (int pass = 0; pass < 3; ++pass) n -= n.dot(edge) * edge;
    }
    return n.normalized();
  }

  // Weights, of sum 1, of the point of the affine hull nearest to the origin.
  std::vector<long double> affine_minimiser() const {
    const int n = static_cast<int>(points.size());
    if (n == 1) return {1.0L};
    Eigen::Matrix<long double, 3, Eigen::Dynamic> D(3, n - 1);
    for (int k = 1; k < n; ++k) D.col(k - 1) = points[k] - points[0];
    const Eigen::Matrix<long double, Eigen::Dynamic, 1> mu = D.colPivHouseholderQr().solve(-points[0]);
    std::vector<long double> result{1.0L - mu.sum()};
    for (int k = 0; k < n - 1; ++k) result.push_back(mu[k]);
    return result;
  }

  // Adds a point and moves to the nearest point of the hull of the corral.
  void add(const LVec& point) {
    points.push_back(point);
    weights.push_back(0.0L);
    while (true) {
      const std::vector<long double> target = affine_minimiser();
      long double step = 1.0L;
      for (std::size_t k = 0; k < points.size(); ++k)
        if (target[k] < 0.0L && weights[k] - target[k] > 0.0L)
          step = std::min(step, weights[k] / (weights[k] - target[k]));
      for (std::size_t k = 0; k < points.size(); ++k) weights[k] += step * (target[k] - weights[k]);
      if (step == 1.0L) return;
      for (std::size_t k = points.size(); k-- > 0;)
        if (weights[k] <= 1e-18L) {
          points.erase(points.begin() + static_cast<long>(k));
          weights.erase(weights.begin() + static_cast<long>(k));
        }
      long double sum = 0.0L;
      for (const long double w : weights) sum += w;
      for (long double& w : weights) w /= sum;
    }
  }
};

struct Bounds {
  long double lower = -1e300L, upper = 1e300L;
  LVec best = LVec::UnitX();  // the direction of the lower one
};

constexpr long double kSharp = 1e-15L;

void descend(const OraclePiece& a, const OraclePiece& b, LVec n, Bounds& bounds) {
  const auto difference = [&](const LVec& d) { return LVec(b.support(-d) - a.support(d)); };
  const LVec first = difference(n);
  Corral corral{{first}, {1.0L}};
  auto& [lower, upper, best] = bounds;
  long double size = first.norm();
  for (int k = 0; k < kMaxIterations; ++k) {
    const LVec x = corral.nearest();
    upper = std::min(upper, x.norm());
    if (x.norm() <= kZero * size || upper - lower <= 1e-17L * size) break;
    n = corral.direction();
    const LVec w = difference(n);
    size = std::max(size, w.norm());
    if (n.dot(w) > lower) {
      lower = n.dot(w);
      best = n;
    }
    if (std::find(corral.points.begin(), corral.points.end(), w) != corral.points.end()) break;
    corral.add(w);
  }
}

}  // namespace

OracleGap piece_gap(const OraclePiece& a, const OraclePiece& b) {
  // Where faces are parallel the corral may degenerate: other starts fall elsewhere. All bounds hold together.
  Bounds bounds;
  const LVec between = b.ball_centre - a.ball_centre;
  const LVec guess = between.norm() > 0.0L ? LVec(between.normalized()) : LVec(LVec::UnitX());
  descend(a, b, guess, bounds);
  for (int k = 0; k < 12 && bounds.upper - bounds.lower > kSharp && bounds.upper > 1e-16L; ++k) {
    const LVec turn(std::sin(1.0L + 3.0L * k), std::sin(2.0L + 5.0L * k), std::sin(4.0L + 7.0L * k));
    descend(a, b, (guess + 0.05L * (1 + k) * turn).normalized(), bounds);
    if (bounds.lower > 0.0L) descend(a, b, (bounds.best + 1e-3L * turn).normalized(), bounds);
  }
  const auto& [lower, upper, best] = bounds;
  const long double radius = a.radius + b.radius;
  OracleGap gap;
  // Proven apart, proven together, or (cores that cross, with a radius) together anyway.
  if (lower > radius) {
    gap.distance = lower - radius;
    gap.uncertainty = upper - lower;
    gap.n = best;
  } else {
    gap.overlap = true;
    gap.uncertainty = std::max(0.0L, upper - radius);
  }
  return gap;
}

OracleGap oracle_gap(const OracleSolid& a, const OracleSolid& b) {
  struct Pair {
    long double bound;
    const OraclePiece *a, *b;
  };
  std::vector<Pair> pairs;
  for (const OraclePiece& p : a.pieces)
    for (const OraclePiece& q : b.pieces)
      pairs.push_back({(q.ball_centre - p.ball_centre).norm() - p.ball_radius - q.ball_radius, &p, &q});
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.bound < y.bound; });
  OracleGap best;
  best.distance = 1e300L;
  for (const Pair& pair : pairs) {
    if (pair.bound > best.distance) break;
    const OracleGap gap = piece_gap(*pair.a, *pair.b);
    if (gap.overlap) return gap;
    if (gap.distance < best.distance) best = gap;
  }
  for (const LVec& p : b.inner) best.overlap = best.overlap || a.encloses(p);
  for (const LVec& p : a.inner) best.overlap = best.overlap || b.encloses(p);
  if (best.overlap) best.distance = 0.0L;
  return best;
}

long double oracle_height(const Pose& plane, const OracleSolid& solid) {
  const Eigen::Quaternion<long double> q(plane.q.w(), plane.q.x(), plane.q.y(), plane.q.z());
  const LVec n = q.normalized() * LVec(LVec::UnitZ());
  long double height = 1e300L;
  for (const OraclePiece& piece : solid.pieces)
    height = std::min(height, n.dot(piece.support(-n) - plane.p.cast<long double>()) - piece.radius);
  return height;
}

bool overlap_deeper_than(const OracleSolid& a, const OracleSolid& b, long double distance) {
  std::vector<LVec> directions;
  for (int k = 0; k < 27; ++k) {
    const LVec d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (const long double s = d.squaredNorm(); s == 1.0L || s == 3.0L) directions.push_back(d.normalized());
  }
  for (const LVec& d : directions)
    if (!oracle_gap(a, moved(b, distance * d)).overlap) return false;
  return true;
}

}  // namespace s4r::testing
