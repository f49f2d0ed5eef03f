/** What PhysX does not let collide: groups, filtered pairs, joints, articulations without self-collision. */
import { S4rError } from '../../core/errors.js';
import type { BodyId, GeomId, PairFilter } from '../../core/scene.js';
import type { Assembly, StageJoint } from './joints.js';
import type { Notes } from './notes.js';
import type { Collider, Physics, PhysicsBody } from './physics.js';
import type { Prim } from './usd/prim.js';
import { placeOfPrim } from './usd/xform.js';

/** Category and mask of every collider. */
export interface Masks {
  readonly category: number;
  readonly mask: number;
}

/**
 * Collision groups as masks: colliders in the same groups share a category.
 * @throws S4rError INVALID_INPUT if there are more than 32 kinds of them
 */
export function groupMasks(physics: Physics, notes: Notes): (collider: Collider) => Masks {
  const groups = physics.groups.map((prim) => ({
    prim,
    members: membersOf(prim, physics, notes),
    pass: prim.flag('physics:invertFilteredGroups', false),
  }));
  const targets = groups.map(({ prim }) => prim.targets('physics:filteredGroups'));
  const merged = groups.map(({ prim }) => prim.text('physics:mergeGroup') ?? prim.path);
  // Whether group i says that it does not collide with j. Groups of one merge name are one group.
  const shuts = (i: number, j: number) =>
    groups.some((group, k) => {
      if (merged[k] !== merged[i]) return false;
      const named = (targets[k] as readonly string[]).some(
        (path) => merged[groups.findIndex(({ prim }) => prim.path === path)] === merged[j],
      );
      return group.pass ? !named : named;
    });
  const kinds: number[][] = [[]];
  const kindOf = new Map<string, number>([['', 0]]);
  const kind = (collider: Collider) => {
    const own = groups.flatMap(({ members }, i) => (members(collider.prim.path) ? [i] : []));
    const key = own.join();
    const known = kindOf.get(key);
    if (known !== undefined) return known;
    if (kinds.length === 32) {
      const message = 'more than 31 different sets of collision groups; open one environment of the stage at a time';
      throw new S4rError('INVALID_INPUT', message, groups[0] === undefined ? {} : placeOfPrim(groups[0].prim));
    }
    kindOf.set(key, kinds.length);
    return kinds.push(own) - 1;
  };
  const all = new Map(physics.colliders.map((collider) => [collider, kind(collider)]));
  const masks = kinds.map((a) =>
    kinds.reduce((mask, b, bit) => (a.some((i) => b.some((j) => shuts(i, j) || shuts(j, i))) ? mask : (mask | (1 << bit)) >>> 0), 0),
  );
  return (collider) => {
    const k = all.get(collider) ?? 0;
    return { category: (1 << k) >>> 0, mask: masks[k] as number };
  };
}

/** The prims of a group: what its collection `colliders` includes, and all below. */
function membersOf(group: Prim, physics: Physics, notes: Notes): (path: string) => boolean {
  const includes = group.targets('collection:colliders:includes');
  const excludes = group.targets('collection:colliders:excludes');
  const explicit = group.text('collection:colliders:expansionRule') === 'explicitOnly';
  const root = group.flag('collection:colliders:includeRoot', false);
  for (const path of includes) {
    if (!path.includes('.') && path !== '/' && physics.find(path) === undefined)
      notes.add(`a collision group with <${path}>, where there is nothing`, group.path);
  }
  const under = (path: string, top: string) => path === top || top === '/' || (!explicit && path.startsWith(`${top}/`));
  const depth = (path: string, tops: readonly string[]) => Math.max(-1, ...tops.filter((top) => under(path, top)).map((top) => top.length));
  return (path) => Math.max(depth(path, includes), root ? 0 : -1) > depth(path, excludes);
}

/** Ids of a stage's bodies and colliders in the scene. */
export interface SceneIds {
  bodyId(body: PhysicsBody): BodyId;
  /** Geoms of a prim that is a collider. */
  geomIds(prim: Prim): readonly GeomId[];
  geomsOfBody(body: PhysicsBody): readonly GeomId[];
}

export function pairFilter(
  physics: Physics,
  joints: readonly StageJoint[],
  assemblies: readonly Assembly[],
  ids: SceneIds,
  notes: Notes,
): PairFilter {
  const neighbours = new Pairs();
  for (const { sides, collisionEnabled } of joints) {
    const [a, b] = sides.map(({ body, prim }) => body ?? physics.bodies.find((other) => other.prim === prim));
    if (!collisionEnabled && a !== undefined && b !== undefined) neighbours.add(ids.bodyId(a), ids.bodyId(b));
  }
  const excludedBodies = new Pairs();
  const excludedGeoms = new Pairs();
  for (const root of physics.articulations) {
    if (root.flag('physxArticulation:enabledSelfCollisions', true)) continue;
    const bodies = articulationBodies(root, physics, assemblies);
    for (const a of bodies) for (const b of bodies) excludedBodies.add(ids.bodyId(a), ids.bodyId(b));
  }
  for (const prim of physics.prims.filter((candidate) => candidate.has('PhysicsFilteredPairsAPI'))) {
    for (const path of prim.targets('physics:filteredPairs')) {
      const other = physics.find(path);
      const sides = other === undefined ? [] : [filterSide(prim, physics, assemblies), filterSide(other, physics, assemblies)];
      if (sides.length < 2 || sides.some((side) => side.bodies.length + side.colliders.length === 0)) {
        notes.add(`physics:filteredPairs between prims that are no bodies, colliders or articulations (<${path}>)`, prim.path);
        continue;
      }
      const [a, b] = sides as [FilterSide, FilterSide];
      for (const x of a.bodies) for (const y of b.bodies) excludedBodies.add(ids.bodyId(x), ids.bodyId(y));
      const geoms = (side: FilterSide) => [
        ...side.bodies.flatMap((body) => ids.geomsOfBody(body)),
        ...side.colliders.flatMap((c) => ids.geomIds(c)),
      ];
      if (a.colliders.length + b.colliders.length > 0) for (const x of geoms(a)) for (const y of geoms(b)) excludedGeoms.add(x, y);
    }
  }
  return {
    maskRule: 'both',
    neighbours: neighbours.list(),
    excludedBodies: excludedBodies.list(),
    excludedGeoms: excludedGeoms.list(),
    explicitPairs: [],
  };
}

interface FilterSide {
  readonly bodies: readonly PhysicsBody[];
  readonly colliders: readonly Prim[];
}

function filterSide(prim: Prim, physics: Physics, assemblies: readonly Assembly[]): FilterSide {
  if (physics.articulations.includes(prim)) return { bodies: articulationBodies(prim, physics, assemblies), colliders: [] };
  const body = physics.bodies.find((candidate) => candidate.prim === prim && candidate.kind !== 'static');
  if (body !== undefined) return { bodies: [body], colliders: [] };
  return { bodies: [], colliders: physics.colliders.some((collider) => collider.prim === prim) ? [prim] : [] };
}

/** All bodies that joints hold together with one at or below the prim, or with the body of a joint that the prim is. */
function articulationBodies(root: Prim, physics: Physics, assemblies: readonly Assembly[]): readonly PhysicsBody[] {
  const own = (body: PhysicsBody) => body.prim === root || body.prim.path.startsWith(`${root.path}/`);
  const found = assemblies.filter(
    ({ bodies, joints }) => joints.length > 0 && (bodies.some(own) || joints.some(({ prim }) => prim === root)),
  );
  return found.length > 0 ? found.flatMap(({ bodies }) => bodies) : physics.bodies.filter((body) => body.prim === root);
}

/** Unordered pairs of different ids, each once. */
class Pairs {
  private readonly found = new Map<string, readonly [number, number]>();

  add(a: number, b: number): void {
    if (a !== b) this.found.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [Math.min(a, b), Math.max(a, b)]);
  }

  list(): (readonly [number, number])[] {
    return [...this.found.values()].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  }
}
