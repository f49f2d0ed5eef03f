// Brings what is known about one pair up to date: cleared by arithmetic, or measured and given new rows.
#pragma once

#include "separation/pair_list.h"
#include "separation/settings.h"

namespace s4r {

class PairUpdate {
 public:
  PairUpdate(const Model& model, const SeparationAssets& assets, const SeparationSettings& settings)
      : model_(model), assets_(assets), settings_(settings) {}

  // First look at a pair at full scale: does it overlap, and if not, how close to the margin is it? `offset`: from A's
  // centre to B's.
  void look(SeparationPair& pair, const Vec3& offset) const;
  // Measures the pair anew unless arithmetic clears it. Afterwards `overlap` says whether the pair needs a repair.
  void refresh(SeparationPair& pair, const Vec3& offset) const;
  // Rows for a pair that overlaps: at the pose a contour push separates, at the scale at which the two are apart, or
  // the plane of the hulls.
  void repair(SeparationPair& pair, const Vec3& offset) const;
  // Clearance asked of a pair: the margin at least. One that started apart, but closer than its geoms ask for, keeps
  // what it had.
  double margin(const SeparationPair& pair) const;
  // Gap that counts as separated. A pair that started closer need not get farther apart than it was.
  double accepted(const SeparationPair& pair) const {
    return pair.conflict ? settings_.accept : std::min(settings_.accept, pair.initial_gap);
  }
  // Are the two `clearance` apart at full scale (or as far as they were in the input), by a query that trusts nothing
  // measured before?
  bool separated(const SeparationPair& pair, const Vec3& offset, double clearance) const;

 private:
  void refresh_halfspace(SeparationPair& pair, const Vec3& offset) const;
  double full_margin(const SeparationPair& pair) const;
  double need(const SeparationPair& pair, const Vec3& u) const;
  void measure(SeparationPair& pair, const Vec3& offset) const;
  bool push(SeparationPair& pair, const Vec3& u) const;
  bool shrink(SeparationPair& pair, const Vec3& offset, double smallest) const;
  double depth(const SeparationPair& pair, const Vec3& u, const PairGap& gap) const;

  const Model& model_;
  const SeparationAssets& assets_;
  const SeparationSettings& settings_;
};

}  // namespace s4r
