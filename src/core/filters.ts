/** What collides: candidate pairs = all - intrinsic - the user's - masked out + explicit. The native core applies the same rule. */
import { freeJoints } from './joints.js';
import type { BodyId, Geom, GeomId, Scene } from './scene.js';

/**
 * The collision rule of a valid scene as one pure, symmetric function of two geom ids:
 * - geoms of one body never collide, not even as an explicit pair: nothing can move them apart;
 * - explicit pairs collide whatever welds, excludes and masks say;
 * - geoms of bodies welded to each other, neighbours, excluded body pairs and excluded geom pairs do not;
 * - the rest collides if the masks agree by `filter.maskRule`.
 */
export function collisionRule(scene: Scene): (a: GeomId, b: GeomId) => boolean {
  const { bodies, geoms, filter } = scene;
  const explicit = pairSet(
    filter.explicitPairs.map((pair) => pair.geoms),
    geoms.length,
  );
  const excludedGeoms = pairSet(filter.excludedGeoms, geoms.length);
  const excludedBodies = pairSet([...filter.excludedBodies, ...(filter.neighbours ?? [])], bodies.length);
  const weldOf = bodies.map((body) => body.weldedTo);

  return (a, b) => {
    const geomA = geoms[a] as Geom;
    const geomB = geoms[b] as Geom;
    if (geomA.bodyId === geomB.bodyId) return false;
    const geomKey = pairKey(a, b, geoms.length);
    if (explicit.has(geomKey)) return true;
    if (weldOf[geomA.bodyId] === weldOf[geomB.bodyId]) return false;
    if (excludedGeoms.has(geomKey)) return false;
    if (excludedBodies.has(pairKey(geomA.bodyId, geomB.bodyId, bodies.length))) return false;
    // >>> 0: JavaScript's & is signed, so bit 31 alone would read as negative.
    const aSeesB = (geomA.mask & geomB.category) >>> 0 !== 0;
    const bSeesA = (geomB.mask & geomA.category) >>> 0 !== 0;
    return filter.maskRule === 'both' ? aSeesB && bSeesA : aSeesB || bSeesA;
  };
}

/**
 * True if no allowed motion changes the relative pose of the two bodies: both immovable, or both in one rigid unit, and no free joint
 * moves only one of them.
 */
export function isConstant(scene: Scene, a: BodyId, b: BodyId): boolean {
  const bodyA = scene.bodies[a];
  const bodyB = scene.bodies[b];
  if (bodyA === undefined || bodyB === undefined) throw new RangeError(`isConstant: no bodies ${a} and ${b} in this scene`);
  const asUnits = bodyA.movesWith === bodyB.movesWith || (bodyA.mobility === 'fixed' && bodyB.mobility === 'fixed');
  return asUnits && !freeJoints(scene).some(({ moves }) => moves.includes(a) !== moves.includes(b));
}

/** One number per unordered pair of indices below `count`; exact for any scene that fits in memory. */
function pairKey(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a;
}

function pairSet(pairs: readonly (readonly [number, number])[], count: number): Set<number> {
  return new Set(pairs.map(([a, b]) => pairKey(a, b, count)));
}
