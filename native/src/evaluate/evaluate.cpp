// Algorithm 2 (App. A.9) with containment: box pass, then one exact score per remaining pair, strict zero.
#include "s4r/evaluate.h"

#include <algorithm>

#include "broadphase/sweep.h"
#include "narrowphase/narrowphase.h"
#include "scene/collision_rule.h"
#include "scene/length_unit.h"
#include "util/parallel.h"

namespace s4r {
namespace {

// The scene in internal units around its own centre, ready for pair queries.
class PreparedScene {
 public:
  PreparedScene(const Scene& scene, const std::vector<Pose>& X_WB) : scene_(scene), unit_(length_unit(scene)) {
    collidables_.resize(scene.shapes.size());
    Box3 all;
    for (const Geom& g : scene.geoms) {
      const Pose& body = X_WB[g.body];
      poses_.push_back({body.p + body.q * g.X_BG.p, body.q * g.X_BG.q});
      if (!is_halfspace(g)) all.extend(poses_.back().p);
      if (!is_halfspace(g) && !collidables_[g.shape])
        collidables_[g.shape] = std::make_unique<Collidable>(scaled(scene.shapes[g.shape], 1.0 / unit_));
    }
    if (all.lo.x() <= all.hi.x()) origin_ = all.centre();
    for (Pose& p : poses_) p.p = (p.p - origin_) / unit_;
  }

  double unit() const { return unit_; }
  const Vec3& origin() const { return origin_; }

  // Pairs (a < b) the rule allows and whose boxes overlap, in ascending order.
  std::vector<std::pair<int, int>> candidates(const CollisionRule& rule) const {
    std::vector<int> bounded, halfspaces;
    std::vector<Box3> boxes;
    for (int g = 0; g < static_cast<int>(scene_.geoms.size()); ++g) {
      if (is_halfspace(scene_.geoms[g])) {
        halfspaces.push_back(g);
      } else {
        bounded.push_back(g);
        boxes.push_back(bounds(collidables_[scene_.geoms[g].shape]->shape(), poses_[g]));
      }
    }
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [i, j] : overlapping_pairs(boxes))
      if (rule.allowed(bounded[i], bounded[j])) pairs.push_back(std::minmax(bounded[i], bounded[j]));
    for (const int h : halfspaces)
      for (const int g : bounded)
        if (rule.allowed(h, g)) pairs.push_back(std::minmax(h, g));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  Score score(int a, int b) const {
    const Geom& ga = scene_.geoms[a];
    const Geom& gb = scene_.geoms[b];
    if (is_halfspace(ga)) return score_halfspace(poses_[a], collidables_[gb.shape]->shape(), poses_[b]);
    if (is_halfspace(gb)) {
      Score flipped = score_halfspace(poses_[b], collidables_[ga.shape]->shape(), poses_[a]);
      flipped.normal = -flipped.normal;
      return flipped;
    }
    return score_pair(*collidables_[ga.shape], poses_[a], *collidables_[gb.shape], poses_[b]);
  }

 private:
  bool is_halfspace(const Geom& g) const { return scene_.shapes[g.shape].kind == ShapeKind::kHalfspace; }

  const Scene& scene_;
  double unit_;
  Vec3 origin_ = Vec3::Zero();
  std::vector<std::unique_ptr<Collidable>> collidables_;  // per shape, null for half-spaces
  std::vector<Pose> poses_;                               // per geom, internal units
};

}  // namespace

Evaluation evaluate(const Scene& scene, const std::vector<Pose>& X_WB, const EvaluateOptions& options,
                    const Interrupt& interrupt) {
  const PreparedScene prepared(scene, X_WB);
  const CollisionRule rule(scene);
  const auto pairs = prepared.candidates(rule);
  const int threads = resolve_threads(options.threads);

  Evaluation evaluation;
  evaluation.candidates = static_cast<long>(pairs.size());
  std::vector<Score> scores(pairs.size());
  constexpr std::size_t kBlock = 2048;  // between two looks at the interrupt
  for (std::size_t begin = 0; begin < pairs.size(); begin += kBlock) {
    if (interrupt.check() != Interrupt::Reason::kNone) {
      evaluation.interrupted = true;
      return evaluation;
    }
    const std::size_t count = std::min(kBlock, pairs.size() - begin);
    parallel_for(count, threads, [&](std::size_t k) {
      const auto& [a, b] = pairs[begin + k];
      scores[begin + k] = prepared.score(a, b);
    });
    interrupt.progress(Stage::kEvaluate, static_cast<double>(begin + count) / static_cast<double>(pairs.size()), -1);
  }

  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Score& s = scores[k];
    const double depth = -s.distance * prepared.unit();
    if (!(s.distance < 0.0) || depth <= options.tolerance) continue;
    const auto& [a, b] = pairs[k];
    evaluation.overlaps.push_back({a, b, s.contained ? OverlapKind::kContained : OverlapKind::kPenetrating,
                                   rule.constant(a, b), depth, s.point * prepared.unit() + prepared.origin(),
                                   s.normal});
  }
  std::sort(evaluation.overlaps.begin(), evaluation.overlaps.end(), [](const Overlap& x, const Overlap& y) {
    if (x.depth != y.depth) return x.depth > y.depth;
    return std::pair(x.geom_a, x.geom_b) < std::pair(y.geom_a, y.geom_b);
  });
  return evaluation;
}

}  // namespace s4r
