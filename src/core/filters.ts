/** What collides: candidate pairs = all - intrinsic - the user's - masked out + explicit. The native core applies the same rule. */
import { freeJoints, movesOneOf } from './joints.js';
import type { Body, BodyId, Geom, GeomId, PairFilter, Scene } from './scene.js';

/**
 * Whether the engine tests a pair of geoms, and if not, why:
 * - `intra-body`: both are parts of one body, or of moving bodies welded to each other;
 * - `neighbours`: their bodies are next to each other in a tree of joints;
 * - `filtered`: an exclude or the masks say so, or their bodies are fixed and welded, as all of a scene that has no joint in MuJoCo.
 */
export type PairRule = 'collides' | 'intra-body' | 'neighbours' | 'filtered';

/**
 * The rule of a valid scene as one pure, symmetric function of two geom ids. The first that applies:
 * - geoms of one body never collide, not even as an explicit pair: nothing can move them apart;
 * - explicit pairs collide whatever welds, excludes and masks say;
 * - geoms of bodies welded to each other, neighbours, excluded body pairs and excluded geom pairs do not;
 * - the rest collides if the masks agree by `filter.maskRule`.
 */
export function pairRule(scene: Scene): (a: GeomId, b: GeomId) => PairRule {
  const { bodies, geoms, filter } = scene;
  const explicit = pairSet(
    filter.explicitPairs.map((pair) => pair.geoms),
    geoms.length,
  );
  const excludedGeoms = pairSet(filter.excludedGeoms, geoms.length);
  const excludedBodies = pairSet(filter.excludedBodies, bodies.length);
  const neighbours = pairSet(filter.neighbours ?? [], bodies.length);

  return (a, b) => {
    const geomA = geoms[a] as Geom;
    const geomB = geoms[b] as Geom;
    if (geomA.bodyId === geomB.bodyId) return 'intra-body';
    const geomKey = pairKey(a, b, geoms.length);
    if (explicit.has(geomKey)) return 'collides';
    const bodyA = bodies[geomA.bodyId] as Body;
    const bodyB = bodies[geomB.bodyId] as Body;
    if (bodyA.weldedTo === bodyB.weldedTo) return bodyA.mobility === 'free' ? 'intra-body' : 'filtered';
    const bodyKey = pairKey(bodyA.id, bodyB.id, bodies.length);
    if (neighbours.has(bodyKey)) return 'neighbours';
    if (excludedGeoms.has(geomKey) || excludedBodies.has(bodyKey)) return 'filtered';
    return masksAgree(filter.maskRule, geomA, geomB) ? 'collides' : 'filtered';
  };
}

/** Whether a pair of geoms collides by `pairRule`. */
export function collisionRule(scene: Scene): (a: GeomId, b: GeomId) => boolean {
  const rule = pairRule(scene);
  return (a, b) => rule(a, b) === 'collides';
}

function masksAgree(maskRule: PairFilter['maskRule'], a: Geom, b: Geom): boolean {
  // >>> 0: JavaScript's & is signed, so bit 31 alone would read as negative.
  const aSeesB = (a.mask & b.category) >>> 0 !== 0;
  const bSeesA = (b.mask & a.category) >>> 0 !== 0;
  return maskRule === 'both' ? aSeesB && bSeesA : aSeesB || bSeesA;
}

/** Clearance that the engine wants between two geoms [m]: that of an explicit pair, else the sum of the geoms' margins. */
export function pairMargin({ geoms, filter }: Scene): (a: GeomId, b: GeomId) => number {
  const explicit = new Map(filter.explicitPairs.map(({ geoms: [a, b], margin }) => [pairKey(a, b, geoms.length), margin]));
  return (a, b) => explicit.get(pairKey(a, b, geoms.length)) ?? (geoms[a] as Geom).margin + (geoms[b] as Geom).margin;
}

/**
 * How many geoms collide with any other one, wherever the two are. Geoms that the rule cannot tell apart count as one kind, so that
 * scenery of ten thousand geoms costs no more than a few.
 */
export function countColliders(scene: Scene): number {
  const { geoms, filter } = scene;
  const named = new Set([...filter.excludedGeoms.flat(), ...filter.explicitPairs.flatMap((pair) => pair.geoms)]);
  const kinds = new Map<string, Geom[]>();
  for (const geom of geoms) {
    const key = named.has(geom.id) ? `${geom.id}` : `${geom.bodyId} ${geom.category} ${geom.mask}`;
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, [geom]);
    else kind.push(geom);
  }
  const collides = collisionRule(scene);
  const representatives = [...kinds.values()].map(([first]) => first as Geom);
  const meets = ({ id }: Geom) => representatives.some((other) => collides(id, other.id));
  return [...kinds.values()].reduce((sum, kind) => sum + (meets(kind[0] as Geom) ? kind.length : 0), 0);
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
  return asUnits && !freeJoints(scene).some((joint) => movesOneOf(joint, a, b));
}

/** One number per unordered pair of indices below `count`; exact for any scene that fits in memory. */
export function pairKey(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a;
}

function pairSet(pairs: readonly (readonly [number, number])[], count: number): Set<number> {
  return new Set(pairs.map(([a, b]) => pairKey(a, b, count)));
}
