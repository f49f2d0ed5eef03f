// Algorithm 2 (App. A.9) with containment: box pass, then one exact score per remaining pair, strict zero.
#include "s4r/evaluate.h"

#include <algorithm>

#include "broadphase/box_pairs.h"
#include "narrowphase/narrowphase.h"
#include "scene/collision_rule.h"
#include "scene/length_unit.h"
#include "util/parallel.h"

namespace s4r {
namespace {

// What does not depend on the poses.
struct PreparedScene {
  Scene scene;
  CollisionRule rule;
  double unit;                                            // metres per internal unit
  std::vector<std::unique_ptr<const Collidable>> shapes;  // internal units; null for half-spaces

  explicit PreparedScene(const Scene& s)
      : scene(s), rule(scene), unit(length_unit(scene)), shapes(scene.shapes.size()) {
    for (const Geom& g : scene.geoms)
      if (scene.shapes[g.shape].kind != ShapeKind::kHalfspace && !shapes[g.shape])
        shapes[g.shape] = std::make_unique<Collidable>(scaled(scene.shapes[g.shape], 1.0 / unit));
  }

  PreparedScene(const PreparedScene&) = delete;  // the rule keeps a reference to the scene

  bool overlap(const Score& score, double tolerance) const {
    return score.distance < 0.0 && -score.distance * unit > tolerance;
  }
};

// One state in internal units around its own centre, ready for pair queries.
class PlacedScene {
 public:
  PlacedScene(const PreparedScene& prepared, const std::vector<Pose>& X_WB)
      : scene_(prepared.scene), rule_(prepared.rule), unit_(prepared.unit), shapes_(prepared.shapes) {
    Box3 all;
    for (const Geom& g : scene_.geoms) {
      const Pose& body = X_WB[g.body];
      poses_.push_back({body.p + body.q * g.X_BG.p, body.q * g.X_BG.q});
      if (shapes_[g.shape]) all.extend(poses_.back().p);
    }
    if (all.lo.x() <= all.hi.x()) origin_ = all.centre();
    for (Pose& p : poses_) p.p = (p.p - origin_) / unit_;
  }

  const Vec3& origin() const { return origin_; }

  // Pairs (a < b) the rule allows and whose boxes overlap, in ascending order.
  std::vector<std::pair<int, int>> candidates(int threads) const {
    std::vector<int> bounded, halfspaces;
    std::vector<Box3> boxes;
    for (int g = 0; g < static_cast<int>(scene_.geoms.size()); ++g) {
      const Collidable* shape = shapes_[scene_.geoms[g].shape].get();
      if (shape == nullptr) {
        halfspaces.push_back(g);
      } else {
        bounded.push_back(g);
        boxes.push_back(bounds(shape->shape(), poses_[g]));
      }
    }
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [i, j] : overlapping_pairs(boxes, threads))
      if (rule_.allowed(bounded[i], bounded[j])) pairs.push_back(std::minmax(bounded[i], bounded[j]));
    for (const int h : halfspaces)
      for (const int g : bounded)
        if (rule_.allowed(h, g)) pairs.push_back(std::minmax(h, g));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  Score score(int a, int b) const {
    const Collidable* shape_a = shapes_[scene_.geoms[a].shape].get();
    const Collidable* shape_b = shapes_[scene_.geoms[b].shape].get();
    if (shape_a == nullptr) return score_halfspace(poses_[a], shape_b->shape(), poses_[b]);
    if (shape_b == nullptr) {
      Score flipped = score_halfspace(poses_[b], shape_a->shape(), poses_[a]);
      flipped.normal = -flipped.normal;
      return flipped;
    }
    return score_pair(*shape_a, poses_[a], *shape_b, poses_[b]);
  }

  // False only if the score is certain not to be negative.
  bool may_overlap(int a, int b) const {
    const Collidable* shape_a = shapes_[scene_.geoms[a].shape].get();
    const Collidable* shape_b = shapes_[scene_.geoms[b].shape].get();
    return shape_a == nullptr || shape_b == nullptr || s4r::may_overlap(*shape_a, poses_[a], *shape_b, poses_[b]);
  }

 private:
  const Scene& scene_;
  const CollisionRule& rule_;
  double unit_;
  const std::vector<std::unique_ptr<const Collidable>>& shapes_;
  Vec3 origin_ = Vec3::Zero();
  std::vector<Pose> poses_;  // per geom, internal units
};

}  // namespace

struct Evaluator::Impl {
  PreparedScene prepared;
};

Evaluator::Evaluator(const Scene& scene) : impl_(new const Impl{PreparedScene(scene)}) {}
Evaluator::~Evaluator() = default;

std::vector<std::pair<int, int>> Evaluator::repairable_pairs(const std::vector<Pose>& X_WB,
                                                             const EvaluateOptions& options) const {
  const PreparedScene& prepared = impl_->prepared;
  const int threads = resolve_threads(options.threads);
  const PlacedScene placed(prepared, X_WB);
  const auto pairs = placed.candidates(threads);
  std::vector<char> overlap(pairs.size(), 0);
  parallel_for(pairs.size(), threads, [&](std::size_t k) {
    const auto& [a, b] = pairs[k];
    if (prepared.rule.constant(a, b) || !placed.may_overlap(a, b)) return;
    overlap[k] = prepared.overlap(placed.score(a, b), options.tolerance) ? 1 : 0;
  });
  std::vector<std::pair<int, int>> found;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (overlap[k] != 0) found.push_back(pairs[k]);
  return found;
}

Evaluation Evaluator::evaluate(const std::vector<Pose>& X_WB, const EvaluateOptions& options,
                               const Interrupt& interrupt) const {
  const PreparedScene& prepared = impl_->prepared;
  const int threads = resolve_threads(options.threads);
  const PlacedScene placed(prepared, X_WB);
  const auto pairs = placed.candidates(threads);

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
      scores[begin + k] = placed.score(a, b);
    });
    interrupt.progress(Stage::kEvaluate, static_cast<double>(begin + count) / static_cast<double>(pairs.size()), -1);
  }

  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Score& s = scores[k];
    if (!prepared.overlap(s, options.tolerance)) continue;
    const auto& [a, b] = pairs[k];
    evaluation.overlaps.push_back({a, b, s.contained ? OverlapKind::kContained : OverlapKind::kPenetrating,
                                   prepared.rule.constant(a, b), -s.distance * prepared.unit,
                                   s.point * prepared.unit + placed.origin(), s.normal});
  }
  std::sort(evaluation.overlaps.begin(), evaluation.overlaps.end(), [](const Overlap& x, const Overlap& y) {
    if (x.depth != y.depth) return x.depth > y.depth;
    return std::pair(x.geom_a, x.geom_b) < std::pair(y.geom_a, y.geom_b);
  });
  return evaluation;
}

Evaluation evaluate(const Scene& scene, const std::vector<Pose>& X_WB, const EvaluateOptions& options,
                    const Interrupt& interrupt) {
  return Evaluator(scene).evaluate(X_WB, options, interrupt);
}

}  // namespace s4r
