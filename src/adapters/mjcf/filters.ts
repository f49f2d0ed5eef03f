/** MuJoCo's collision filters in terms of `Scene`: contype/conaffinity, `<exclude>`, parent and child, `<pair>`. */
import type { BodyId, ExplicitPair, GeomId, PairFilter } from '../../core/scene.js';
import type { MainModule, MjModel } from './engine.js';

/** What of the model's options bears on collision. */
export interface ContactOptions {
  /** `<flag contact="disable"/>` or `<flag constraint="disable"/>`: no contacts at all, not even of `<pair>`s. */
  readonly disabled: boolean;
  readonly filterParent: boolean;
  /** `<flag override="enable"/>`: this margin [m] for every pair instead of the geoms' and pairs' own. */
  readonly overrideMargin: number | undefined;
}

export function contactOptions(engine: MainModule, model: MjModel): ContactOptions {
  const { mjtDisableBit: disable, mjtEnableBit: enable } = engine;
  const option = model.opt;
  const has = (flags: number, bit: { value: number }) => (flags & bit.value) !== 0;
  return {
    disabled: has(option.disableflags, disable.mjDSBL_CONTACT) || has(option.disableflags, disable.mjDSBL_CONSTRAINT),
    filterParent: !has(option.disableflags, disable.mjDSBL_FILTERPARENT),
    overrideMargin: has(option.enableflags, enable.mjENBL_OVERRIDE) ? option.o_margin : undefined,
  };
}

/** Geoms that can ever collide, by MuJoCo id, ascending: a bit in contype or conaffinity, or a `<pair>`. */
export function collidableGeoms(model: MjModel): number[] {
  const paired = new Set<number>([...model.pair_geom1, ...model.pair_geom2]);
  const result: number[] = [];
  for (let g = 0; g < model.ngeom; g++) {
    if (model.geom_contype[g] !== 0 || model.geom_conaffinity[g] !== 0 || paired.has(g)) result.push(g);
  }
  return result;
}

/**
 * The filter of a scene with these bodies and geoms.
 * @param bodyOf scene body per MuJoCo body, undefined for those left out
 * @param geomOf scene geom per MuJoCo geom, likewise
 */
export function pairFilter(
  engine: MainModule,
  model: MjModel,
  options: ContactOptions,
  bodyOf: readonly (BodyId | undefined)[],
  geomOf: ReadonlyMap<number, GeomId>,
): PairFilter {
  const explicitPairs: ExplicitPair[] = [];
  const uncollided = uncollidedTypes(engine, model);
  for (let p = 0; p < model.npair && !options.disabled; p++) {
    const a = geomOf.get(model.pair_geom1[p]);
    const b = geomOf.get(model.pair_geom2[p]);
    if (a === undefined || b === undefined || a === b || uncollided(model.pair_geom1[p], model.pair_geom2[p])) continue;
    explicitPairs.push({ geoms: [a, b], margin: options.overrideMargin ?? (model.pair_margin[p] as number) });
  }
  const groups = weldGroups(model);
  const excludedBodies = bodyPairs(bodyOf, [...excludes(model), ...bodiesOf(groups, jointlessGroups(model, groups))]);
  const neighbours = bodyPairs(bodyOf, options.filterParent ? bodiesOf(groups, adjacentGroups(model, groups)) : []);
  const excludedGeoms = uncollidedGeoms(engine, model, geomOf, uncollided);
  return { maskRule: 'either', neighbours, excludedBodies, excludedGeoms, explicitPairs };
}

/** The pairs, of MuJoCo bodies, in terms of the scene, each once and in order. */
function bodyPairs(bodyOf: readonly (BodyId | undefined)[], found: Iterable<readonly [number, number]>): [BodyId, BodyId][] {
  const pairs = new Map<string, [BodyId, BodyId]>();
  for (const [inA, inB] of found) {
    const a = bodyOf[inA];
    const b = bodyOf[inB];
    if (a === undefined || b === undefined || a === b) continue;
    const pair: [BodyId, BodyId] = a < b ? [a, b] : [b, a];
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** `<exclude>`. */
function excludes(model: MjModel): [number, number][] {
  return Array.from(model.exclude_signature as Int32Array, (signature) => [signature >>> 16, signature & 0xffff]);
}

type Groups = ReadonlyMap<number, readonly number[]>;

function* bodiesOf(groups: Groups, pairs: Iterable<readonly [number, number]>): Generator<[number, number]> {
  for (const [a, b] of pairs) for (const inA of groups.get(a) ?? []) for (const inB of groups.get(b) ?? []) yield [inA, inB];
}

/** Bodies welded to each other, by the first of them. */
function weldGroups(model: MjModel): Groups {
  const groups = new Map<number, number[]>();
  for (let b = 0; b < model.nbody; b++) {
    const weld = model.body_weldid[b] as number;
    const group = groups.get(weld);
    if (group === undefined) groups.set(weld, [b]);
    else group.push(b);
  }
  return groups;
}

/** Pairs of weld groups without joints: the world and mocap bodies never collide with each other. */
function* jointlessGroups(model: MjModel, groups: Groups): Generator<[number, number]> {
  const jointless = [...groups.keys()].filter((weld) => model.body_dofnum[weld] === 0);
  for (const [i, a] of jointless.entries()) for (const b of jointless.slice(i + 1)) yield [a, b];
}

/** Pairs of weld groups that are parent and child, where the world is nobody's parent. */
function* adjacentGroups(model: MjModel, groups: Groups): Generator<[number, number]> {
  for (const weld of groups.keys()) {
    const parent = model.body_weldid[model.body_parentid[weld]] as number;
    if (weld !== 0 && parent !== 0) yield [parent, weld];
  }
}

/**
 * Whether MuJoCo has no test for the types of two geoms, not even of a `<pair>`: a height field with a plane, a height field
 * or an SDF, and two planes, which stand in bodies without joints anyway. Measured with MuJoCo 3.14, every type with every other.
 */
function uncollidedTypes({ mjtGeom }: MainModule, model: MjModel): (a: number, b: number) => boolean {
  const field = mjtGeom.mjGEOM_HFIELD.value;
  const others = new Set<number>([mjtGeom.mjGEOM_PLANE.value, field, mjtGeom.mjGEOM_SDF.value]);
  return (a, b) => {
    const [typeA, typeB] = [model.geom_type[a] as number, model.geom_type[b] as number];
    return (typeA === field && others.has(typeB)) || (typeB === field && others.has(typeA));
  };
}

/** Pairs of such geoms that masks and joints would let collide. */
function uncollidedGeoms(
  { mjtGeom }: MainModule,
  model: MjModel,
  geomOf: ReadonlyMap<number, GeomId>,
  uncollided: (a: number, b: number) => boolean,
): [GeomId, GeomId][] {
  const geoms = [...geomOf].filter(([g]) => model.geom_type[g] === mjtGeom.mjGEOM_HFIELD.value);
  const groupOf = (g: number) => model.body_weldid[model.geom_bodyid[g]] as number;
  const isJointless = (g: number) => model.body_dofnum[groupOf(g)] === 0;
  const seen = (a: number, b: number) => ((model.geom_contype[a] as number) & (model.geom_conaffinity[b] as number)) !== 0;
  const pairs = new Map<string, [GeomId, GeomId]>();
  for (const [g, idG] of geoms) {
    for (const [h, idH] of geomOf) {
      if (!uncollided(g, h) || groupOf(g) === groupOf(h) || (isJointless(g) && isJointless(h))) continue;
      const pair: [GeomId, GeomId] = idG < idH ? [idG, idH] : [idH, idG];
      if (seen(g, h) || seen(h, g)) pairs.set(pair.join(), pair);
    }
  }
  return [...pairs.values()];
}
