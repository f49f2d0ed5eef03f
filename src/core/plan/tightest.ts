/** Which bodies of a container are in each other's way in the end. */
import type { Plane } from '../geometry/polytope.js';
import { farthestPoint } from '../geometry/support-point.js';
import { listNames } from '../patterns.js';
import { dot, scaled } from '../pose-math.js';
import type { Evaluation } from '../result.js';
import type { Body, BodyId, Scene, Vec3 } from '../scene.js';
import type { Container } from './container.js';

const MAX_NAMES = 6;

/**
 * The bodies of the container that overlaps connect, of the group with the most overlaps, as the end of a sentence:
 * `; tightest in the container 'bin': 'a', 'b' and 'c'`. Empty if none of the overlaps is in it. Of two bodies that do not fit side by
 * side, as they are turned, it says what they need and what there is.
 */
export function tightestGroup(scene: Scene, { name, units, planes }: Container, { overlaps }: Evaluation): string {
  const held = new Set(units);
  const groupOf = new Map<BodyId, BodyId>();
  const find = (unit: BodyId): BodyId => {
    const next = groupOf.get(unit) ?? unit;
    return next === unit ? unit : find(next);
  };
  const heldOf = ({ bodyA, bodyB }: Evaluation['overlaps'][number]) => {
    return [bodyA, bodyB].map((id) => (scene.bodies[id] as Body).movesWith).filter((unit) => held.has(unit));
  };
  const inIt = overlaps.filter((overlap) => !overlap.constant && heldOf(overlap).length > 0);
  for (const overlap of inIt) {
    const [a, b = a] = heldOf(overlap) as [BodyId, BodyId?];
    groupOf.set(Math.max(find(a), find(b)), Math.min(find(a), find(b)));
    if (!groupOf.has(a)) groupOf.set(a, a);
  }
  const counts = new Map<BodyId, number>();
  for (const overlap of inIt) {
    const group = find(heldOf(overlap)[0] as BodyId);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const [tightest] = [...counts].sort(([a, many], [b, more]) => more - many || a - b);
  if (tightest === undefined) return '';
  const members = [...new Set(inIt.flatMap(heldOf))].filter((unit) => find(unit) === tightest[0]).sort((a, b) => a - b);
  const names = listNames(
    members.map((unit) => scene.bodies[unit] as Body),
    MAX_NAMES,
  );
  return `; tightest in ${name}: ${names}${members.length === 2 ? lackOfLength(scene, planes, members) : ''}`;
}

/** What the units in a row lack the least across two opposite sides; empty if they fit there. */
function lackOfLength(scene: Scene, planes: readonly Plane[], units: readonly BodyId[]): string {
  const across = planes.flatMap(({ normal, offset }, k) =>
    planes
      .slice(k + 1)
      .filter((other) => dot(normal, other.normal) < -1 + 1e-9)
      .map((other) => ({ has: offset + other.offset, needs: units.reduce((sum, unit) => sum + extent(scene, unit, normal), 0) })),
  );
  const [least] = across.sort((a, b) => a.needs - a.has - (b.needs - b.has));
  if (least === undefined || least.needs <= least.has) return '';
  const [needs, has] = [least.needs, least.has].map((length) => Number(length.toPrecision(3)));
  return needs === has ? '' : `, side by side they need ${needs} m, it has ${has} m`;
}

/** Of a unit along a unit vector of the world [m]. */
function extent({ bodies, geoms }: Scene, unit: BodyId, along: Vec3): number {
  const own = geoms.filter(({ bodyId }) => bodies[bodyId]?.movesWith === unit);
  const reach = (to: Vec3) => Math.max(...own.map((geom) => dot(farthestPoint(geom, (bodies[geom.bodyId] as Body).X_WB, to), to)));
  return own.length === 0 ? 0 : reach(along) + reach(scaled(along, -1));
}
