// Brings what is known about one pair up to date: cleared by arithmetic, or measured and given new rows.
#pragma once

#include "separation/pair_list.h"
#include "separation/projection.h"
#include "separation/settings.h"

namespace s4r {

class PairUpdate {
 public:
  PairUpdate(const Model& model, const SeparationAssets& assets, const SeparationSettings& settings)
      : model_(model), assets_(assets), settings_(settings) {}

  // First look at a pair at full scale: does it overlap, and if not, how close to the margin is it? `at`: where the
  // two are.
  void look(SeparationPair& pair, const Relative& at) const;
  // Measures the pair anew unless arithmetic clears it. Afterwards `overlap` says whether the pair needs a repair.
  void refresh(SeparationPair& pair, const Relative& at) const;
  // Rows for a pair that overlaps: at the pose a contour push separates, at the scale at which the two are apart, or
  // the plane of the hulls.
  void repair(SeparationPair& pair, const Relative& at) const;
  // Clearance asked of a pair: the margin at least. One that started apart, but closer than its geoms ask for, keeps
  // what it had.
  double margin(const SeparationPair& pair) const;
  // The row of the step to `target`: a displacement x and rotation vector w of each unit change its gap by
  // n . (x_b - x_a) + lever_b . w_b - lever_a . w_a, and have to make up for -b.
  ProjectionRow row_at(const SeparationPair& pair, std::size_t k, const Relative& at) const;
  // Gap that counts as separated. A pair that started closer need not get farther apart than it was.
  double accepted(const SeparationPair& pair) const {
    return pair.conflict ? settings_.accept : std::min(settings_.accept, pair.initial_gap);
  }
  // Are the two `clearance` apart at full scale (or as far as they were in the input), by a query that trusts nothing
  // measured before?
  bool separated(const SeparationPair& pair, const Relative& at, double clearance) const;

 private:
  void refresh_halfspace(SeparationPair& pair, const Relative& at) const;
  PairGeometry geometry_of(const SeparationPair& pair, const Relative& at) const;
  double turned(const SeparationPair& pair, const Relative& at) const;
  double full_margin(const SeparationPair& pair) const;
  double need(const SeparationPair& pair, const Vec3& u) const;
  void measure(SeparationPair& pair, const Relative& at) const;
  bool push(SeparationPair& pair, const Relative& at) const;
  bool shrink(SeparationPair& pair, const Relative& at, double smallest) const;
  double depth(const SeparationPair& pair, const Relative& at, const PairGap& gap) const;

  const Model& model_;
  const SeparationAssets& assets_;
  const SeparationSettings& settings_;
};

}  // namespace s4r
