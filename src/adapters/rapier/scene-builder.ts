/** From a world to a `Scene`. */
import { ORIGIN, scaled, unitVector } from '../../core/pose-math.js';
import type { Body, BodyId, Geom, Scene, Vec3 } from '../../core/scene.js';
import { compose, vec3FromXyz } from '../conventions.js';
import { UniqueNames } from '../names.js';
import { type Freedom, listBodies, type NameOptions, type WorldBody } from './bodies.js';
import { type ListedCollider, listColliders, localPose } from './colliders.js';
import { type ContactClass, categoryAndMask, contactClass, pairFilter } from './filters.js';
import { treeJoints } from './joint-trees.js';
import { type Group, groupBodies, listLinks } from './links.js';
import { type Lock, lockOf } from './locks.js';
import { notesOn } from './notes.js';
import { ShapeReader } from './shapes.js';
import { Sizes } from './sizes.js';
import type { SourceBody } from './source.js';
import { parentOf, type RapierWorld, SHAPE_TYPE } from './world.js';

export interface RapierReadOptions extends NameOptions {
  /**
   * Bodies that joints hold together move as one, and not at all if a joint holds one of them on a body that does not move.
   * `apart`: each by itself; joints are then strained where their bodies moved. Default: together.
   */
  readonly joined?: 'together' | 'apart' | undefined;
  /**
   * To Rapier a triangle mesh is a surface: nothing pushes a body that is wholly inside. `solid`: that counts as an overlap where the
   * mesh is closed and its triangles face outwards. Default: solid.
   */
  readonly meshes?: 'solid' | 'surface' | undefined;
}

export interface BuiltScene {
  readonly scene: Scene;
  readonly bodies: readonly SourceBody[];
  readonly locks: ReadonlyMap<string, Lock>;
  readonly notes: readonly string[];
}

/** Rounding of a coordinate in float32, relative; four of them, for the numbers of two poses and what Rapier computes with them. */
const ROUNDING = 4 * 2 ** -24;

/** @throws S4rError INVALID_INPUT naming the body whose numbers cannot be used */
export function buildScene(world: RapierWorld, options: RapierReadOptions): BuiltScene {
  const names = new UniqueNames();
  const worldBodies = listBodies(world, options, names);
  const idOf = new Map(worldBodies.map(({ body }, id) => [body.handle, id]));
  const colliders = listColliders(world, worldBodies, idOf, options, names);
  // Nothing can be said of the inside of a half-space that moves.
  const planes = new Set(colliders.filter(({ collider }) => collider.shapeType() === SHAPE_TYPE.halfSpace).map(({ bodyId }) => bodyId));
  const freedoms = worldBodies.map(({ freedom }, id) => (planes.has(id) ? undefined : freedom));
  const links = listLinks(world, idOf);
  const movable = freedoms.map((freedom) => freedom !== undefined);
  const groups = groupBodies(movable, options.joined === 'apart' ? [] : links);
  const bodies = sceneBodies(worldBodies, colliders, groups);
  const { geoms, classes } = sceneGeoms(colliders, bodies, movable, options);
  const poses = bodies.map(({ X_WB }) => X_WB);
  const joints = treeJoints(groups, poses);
  const scene = {
    bodies,
    geoms,
    ...(joints.length === 0 ? {} : { joints }),
    filter: pairFilter(geoms, classes, links),
    up: upOf(world),
  };
  const locks = locksOf(groups, freedoms, bodies);
  return {
    scene,
    bodies: bodies.map(({ name, X_WB }, id) => ({ name, X_WB, handle: worldBodies[id]?.body.handle })),
    locks,
    notes: notesOn({ world, groups, bodies, locks, planes: [...planes].filter((id) => worldBodies[id]?.freedom !== undefined), colliders }),
  };
}

/** By name of the root of a unit. */
function locksOf(groups: readonly Group[], freedoms: readonly (Freedom | undefined)[], bodies: readonly Body[]): Map<string, Lock> {
  const locks = new Map<string, Lock>();
  for (const { members, anchored } of groups) {
    const lock = anchored ? undefined : lockOf(members.flatMap((id) => freedoms[id] ?? []));
    if (lock !== undefined) locks.set((bodies[members[0] as BodyId] as Body).name, lock);
  }
  return locks;
}

/**
 * The members of a group become a unit, unless it is anchored. Rapier tests no pair without a dynamic body: these are one weld. It does
 * test dynamic bodies that cannot be displaced.
 */
function sceneBodies(worldBodies: readonly WorldBody[], colliders: readonly ListedCollider[], groups: readonly Group[]): Body[] {
  const unitOf = new Map(groups.filter(({ anchored }) => !anchored).flatMap(({ members }) => members.map((id) => [id, members[0]])));
  const still = worldBodies.findIndex(({ dynamic }) => !dynamic);
  const weld = still < 0 ? worldBodies.length : still;
  const bodies = worldBodies.map(({ name, X_WB, dynamic }, id): Body => {
    const root = unitOf.get(id);
    const mobility = root === undefined ? 'fixed' : 'free';
    return { id, name, mobility, X_WB, weight: 1, movesWith: root ?? id, weldedTo: dynamic ? id : weld };
  });
  for (const { bodyId: id, name, X_WC } of colliders) {
    if (X_WC !== undefined) bodies.push({ id, name, mobility: 'fixed', X_WB: X_WC, weight: 1, movesWith: id, weldedTo: weld });
  }
  return bodies;
}

function sceneGeoms(
  colliders: readonly ListedCollider[],
  bodies: readonly Body[],
  movable: readonly boolean[],
  { meshes = 'solid' }: RapierReadOptions,
): { geoms: Geom[]; classes: ContactClass[] } {
  const shapes = new ShapeReader({ meshes });
  const geoms: Geom[] = [];
  const classes: ContactClass[] = [];
  const names = new UniqueNames();
  for (const { name } of colliders) names.reserve(name);
  for (const { collider, bodyId, name, X_WC } of colliders) {
    const body = bodies[bodyId] as Body;
    const X_BC = X_WC === undefined ? localPose(collider, name) : ORIGIN;
    const element = X_WC === undefined ? `body '${body.name}', collider '${name}'` : `collider '${name}'`;
    const parts = shapes.read(collider, movable[bodyId] === true, element);
    const skin = new Sizes(element).atLeastZero('contact skin', collider.contactSkin());
    const margin = skin + ROUNDING * Math.max(...body.X_WB.position.map(Math.abs));
    const groups = categoryAndMask(collider.collisionGroups());
    const contacts = contactClass(collider, parentOf(collider));
    parts.forEach(({ shape, X_CG }, i) => {
      geoms.push({
        id: geoms.length,
        name: parts.length === 1 ? name : names.make(`${name}/part_${i}`),
        bodyId,
        shape,
        X_BG: compose(X_BC, X_CG),
        margin,
        ...groups,
      });
      classes.push(contacts);
    });
  }
  return { geoms, classes };
}

function upOf({ gravity }: RapierWorld): Vec3 {
  const up = unitVector(scaled(vec3FromXyz(gravity), -1));
  return up?.every(Number.isFinite) ? up : [0, 1, 0];
}
