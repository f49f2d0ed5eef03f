/** The `allow` option: pairs of bodies that may overlap do not collide. */
import { S4rError } from '../errors.js';
import { matching } from '../patterns.js';
import type { BodyId, Geom, Scene } from '../scene.js';

/** Patterns of the bodies on either side. */
export type AllowedPair = readonly [string, string];

/** More than anybody means: '*' on both sides of a large scene. */
const MAX_PAIRS = 1_000_000;

/**
 * The scene without collisions between the bodies of each pair, explicit pairs included; the same object without pairs.
 * @throws S4rError INVALID_OPTION for a pattern that matches no body, and for a pair that matches but one body on both sides
 */
export function allowOverlaps(scene: Scene, allow: readonly AllowedPair[] = []): Scene {
  if (allow.length === 0) return scene;
  const { bodies, geoms, filter } = scene;
  const allowed = new Map<number, readonly [BodyId, BodyId]>();
  for (const [a, b] of allow) {
    const before = allowed.size;
    const [left, right] = [matching(bodies, 'allow', a), matching(bodies, 'allow', b)];
    if (left.length * right.length > 2 * MAX_PAIRS) {
      const pairs = `${left.length} x ${right.length}`;
      throw new S4rError('INVALID_OPTION', `option allow: '${a}' and '${b}' name ${pairs} pairs of bodies, more than ${MAX_PAIRS}`);
    }
    for (const { id } of left) for (const { id: other } of right) if (id !== other) allowed.set(keyOf(scene, id, other), [id, other]);
    if (allowed.size === before && left.length === 1 && right.length === 1 && left[0] === right[0]) {
      throw new S4rError('INVALID_OPTION', `option allow: '${a}' and '${b}' are one and the same body; name two`);
    }
  }
  const bodyOf = (geom: number) => (geoms[geom] as Geom).bodyId;
  const explicitPairs = filter.explicitPairs.filter(({ geoms: [a, b] }) => !allowed.has(keyOf(scene, bodyOf(a), bodyOf(b))));
  return { ...scene, filter: { ...filter, excludedBodies: [...filter.excludedBodies, ...allowed.values()], explicitPairs } };
}

function keyOf({ bodies }: Scene, a: BodyId, b: BodyId): number {
  return Math.min(a, b) * bodies.length + Math.max(a, b);
}
