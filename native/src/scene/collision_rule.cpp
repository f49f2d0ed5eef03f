#include "scene/collision_rule.h"

#include <algorithm>

#include "scene/links.h"

namespace s4r {

CollisionRule::CollisionRule(const Scene& scene) : scene_(scene), link_(links_of(scene)) {
  for (const auto& [a, b] : scene.excluded_bodies) excluded_bodies_.insert(pair_key(a, b));
  for (const auto& [a, b] : scene.excluded_geoms) excluded_geoms_.insert(pair_key(a, b));
  for (const ExplicitPair& p : scene.explicit_pairs) explicit_margin_.emplace(pair_key(p.geom_a, p.geom_b), p.margin);
}

bool CollisionRule::allowed(int a, int b) const {
  const Geom& ga = scene_.geoms[a];
  const Geom& gb = scene_.geoms[b];
  if (ga.body == gb.body) return false;
  if (!explicit_margin_.empty() && explicit_margin_.contains(pair_key(a, b))) return true;
  if (scene_.bodies[ga.body].weld == scene_.bodies[gb.body].weld) return false;
  const bool forward = (ga.category & gb.mask) != 0, backward = (gb.category & ga.mask) != 0;
  if (!(scene_.masks_need_both ? forward && backward : forward || backward)) return false;
  if (!excluded_bodies_.empty() && excluded_bodies_.contains(pair_key(ga.body, gb.body))) return false;
  return excluded_geoms_.empty() || !excluded_geoms_.contains(pair_key(a, b));
}

bool CollisionRule::constant(int a, int b) const { return link_[scene_.geoms[a].body] == link_[scene_.geoms[b].body]; }

double CollisionRule::largest_margin() const {
  double largest = 0.0;
  for (const Geom& g : scene_.geoms) largest = std::max(largest, 2.0 * g.margin);
  for (const auto& [key, margin] : explicit_margin_) largest = std::max(largest, margin);
  return largest;
}

double CollisionRule::margin(int a, int b) const {
  if (!explicit_margin_.empty())
    if (const auto found = explicit_margin_.find(pair_key(a, b)); found != explicit_margin_.end()) return found->second;
  return scene_.geoms[a].margin + scene_.geoms[b].margin;
}

}  // namespace s4r
