/** Which bodies of a container are in each other's way in the end. */
import { listNames } from '../patterns.js';
import type { Evaluation } from '../result.js';
import type { Body, BodyId, Scene } from '../scene.js';
import type { Container } from './container.js';

const MAX_NAMES = 6;

/**
 * The bodies of the container that overlaps connect, of the group with the most overlaps, as the end of a sentence:
 * `; tightest in the container 'bin': 'a', 'b' and 'c'`. Empty if none of the overlaps is in it.
 */
export function tightestGroup(scene: Scene, { name, units }: Container, { overlaps }: Evaluation): string {
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
  return `; tightest in ${name}: ${listNames(
    members.map((unit) => scene.bodies[unit] as Body),
    MAX_NAMES,
  )}`;
}
