/** Rapier's collision rules as a `PairFilter`. */
import type { BodyId, Geom, GeomId, PairFilter } from '../../core/scene.js';
import type { Link } from './links.js';
import { BODY_TYPE, type RapierBody, type RapierCollider, SHAPE_TYPE as TYPE } from './world.js';

/** What of a collider decides, besides its collision groups, whether it pushes another one. */
export interface ContactClass {
  readonly solverGroups: number;
  readonly activeCollisionTypes: number;
  readonly bodyType: number;
  /** Type of a shape that does not meet all others; undefined for those that do. */
  readonly shapeType: number | undefined;
}

/** By type of shape the types that Rapier 0.21 computes no contacts with, in either order. */
const NEVER_MEET = new Map<number, readonly number[]>([
  [TYPE.triMesh, [TYPE.heightField, TYPE.voxels]],
  [TYPE.heightField, [TYPE.triMesh, TYPE.heightField, TYPE.voxels]],
  [TYPE.voxels, [TYPE.triMesh, TYPE.heightField]],
  [TYPE.halfSpace, [TYPE.halfSpace]],
]);

export function contactClass(collider: RapierCollider, body: RapierBody | undefined): ContactClass {
  const shapeType = collider.shapeType();
  return {
    solverGroups: collider.solverGroups(),
    activeCollisionTypes: collider.activeCollisionTypes(),
    bodyType: body?.bodyType() ?? BODY_TYPE.fixed,
    shapeType: NEVER_MEET.has(shapeType) ? shapeType : undefined,
  };
}

/** Groups are 32 bits: what a collider is in the upper half, what it meets in the lower one. */
export function categoryAndMask(groups: number): Pick<Geom, 'category' | 'mask'> {
  return { category: groups >>> 16, mask: groups & 0xffff };
}

/** @param classes by geom id */
export function pairFilter(geoms: readonly Geom[], classes: readonly ContactClass[], links: readonly Link[]): PairFilter {
  return {
    maskRule: 'both',
    neighbours: neighbours(links),
    excludedBodies: [],
    excludedGeoms: [...excludedGeoms(geoms, classes)],
    explicitPairs: [],
  };
}

/** Bodies whose joint switches contacts off, each pair once and in order. */
function neighbours(links: readonly Link[]): [BodyId, BodyId][] {
  const pairs = new Map<string, [BodyId, BodyId]>();
  for (const { bodies, contactsEnabled } of links) {
    if (contactsEnabled) continue;
    const pair: [BodyId, BodyId] = [Math.min(...bodies), Math.max(...bodies)];
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Pairs that the collision groups let through and another rule does not. */
function* excludedGeoms(geoms: readonly Geom[], classes: readonly ContactClass[]): Generator<[GeomId, GeomId]> {
  const members = new Map<string, { readonly of: ContactClass; readonly ids: GeomId[] }>();
  classes.forEach((of, id) => {
    const key = Object.values(of).join();
    const known = members.get(key);
    if (known === undefined) members.set(key, { of, ids: [id] });
    else known.ids.push(id);
  });
  const all = [...members.values()];
  for (const [i, first] of all.entries()) {
    for (const second of all.slice(i)) {
      if (pushes(first.of, second.of)) continue;
      for (const a of first.ids) {
        for (const b of second.ids) {
          if ((first !== second || a < b) && meets(geoms[a] as Geom, geoms[b] as Geom)) yield a < b ? [a, b] : [b, a];
        }
      }
    }
  }
}

function meets(a: Geom, b: Geom): boolean {
  return a.bodyId !== b.bodyId && (a.mask & b.category) !== 0 && (b.mask & a.category) !== 0;
}

/** Contacts without a force are no collision. Pairs without a dynamic body have none, which their weld says already. */
function pushes(a: ContactClass, b: ContactClass): boolean {
  if (a.bodyType !== BODY_TYPE.dynamic && b.bodyType !== BODY_TYPE.dynamic) return true;
  return groupsMatch(a.solverGroups, b.solverGroups) && typesMatch(a, b) && shapesMeet(a.shapeType, b.shapeType);
}

function shapesMeet(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || NEVER_MEET.get(a)?.includes(b) !== true;
}

function groupsMatch(a: number, b: number): boolean {
  return ((a >>> 16) & b & 0xffff) !== 0 && ((b >>> 16) & a & 0xffff) !== 0;
}

/** One of the two has to want the kind of pair. The lowest four bits say with which types of bodies a dynamic one may collide. */
function typesMatch(a: ContactClass, b: ContactClass): boolean {
  const other = a.bodyType === BODY_TYPE.dynamic ? b.bodyType : a.bodyType;
  return (((a.activeCollisionTypes | b.activeCollisionTypes) >>> other) & 1) !== 0;
}
