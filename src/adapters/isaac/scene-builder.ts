/** From a stage to a `Scene`. */

import { S4rError } from '../../core/errors.js';
import { scaled } from '../../core/pose-math.js';
import type { Body, BodyId, Geom, GeomId, Joint, Pose, Scene, Vec3 } from '../../core/scene.js';
import { type Affine, affineOf, column, determinant, inverse, multiply, rotationOf } from './affine.js';
import { groupMasks, pairFilter } from './filters.js';
import { type Assembly, assembliesOf, freeableJoints, readJoints } from './joints.js';
import { MeshReader } from './meshes.js';
import { Notes } from './notes.js';
import { type Collider, type Physics, type PhysicsBody, readPhysics } from './physics.js';
import { ShapeReader } from './shapes.js';
import type { SourceBody } from './source.js';
import type { Prim } from './usd/prim.js';
import type { Stage } from './usd/stage.js';
import { placeOfPrim } from './usd/xform.js';

/** @throws S4rError INVALID_INPUT with file, line and prim */
export function buildScene(stage: Stage): { scene: Scene; bodies: SourceBody[]; notes: string[] } {
  const notes = new Notes();
  const physics = readPhysics(stage, notes);
  const joints = readJoints(physics, stage.metersPerUnit, notes);
  const assemblies = assembliesOf(physics, joints);
  const ids = new Map(physics.bodies.map((body, id) => [body, id]));
  const bodies = sceneBodies(physics, assemblies, ids, stage.metersPerUnit);
  const geoms = sceneGeoms(physics, bodies, ids, stage.metersPerUnit, notes);
  const geomsBy = (test: (prim: Prim, body: PhysicsBody) => boolean): GeomId[] =>
    geoms.flatMap(({ geom, collider }) => (test(collider.prim, collider.body) ? [geom.id] : []));
  const filter = pairFilter(
    physics,
    joints,
    assemblies,
    {
      bodyId: (body) => ids.get(body) as BodyId,
      geomIds: (prim) => geomsBy((other) => other === prim),
      geomsOfBody: (body) => geomsBy((_, other) => other === body),
    },
    notes,
  );
  const sceneJoints = assemblies
    .flatMap((assembly) => freeableJoints(assembly, stage.metersPerUnit, notes))
    .map(({ prim, moves, ...rest }, id): Joint => ({ id, name: prim.path, ...rest, moves: moves.map((body) => ids.get(body) as BodyId) }));
  const scene: Scene = {
    bodies,
    geoms: geoms.map(({ geom }) => geom),
    ...(sceneJoints.length > 0 && { joints: sceneJoints }),
    filter,
    up: upOf(stage, physics),
  };
  if (geoms.length === 0) notes.add('no prim has PhysicsCollisionAPI, so there is nothing to check', stage.layer.file);
  const source = physics.bodies.map((body, id): SourceBody => {
    const { name, X_WB, mobility, movesWith } = bodies[id] as Body;
    return { id, name, prim: body.prim, X_WB, world: body.world, free: mobility === 'free', root: movesWith };
  });
  return { scene, bodies: source, notes: [...stage.notes, ...notes.list()] };
}

function sceneBodies(
  physics: Physics,
  assemblies: readonly Assembly[],
  ids: ReadonlyMap<PhysicsBody, BodyId>,
  metersPerUnit: number,
): Body[] {
  const assemblyOf = new Map(assemblies.flatMap((assembly) => assembly.bodies.map((body) => [body, assembly] as const)));
  // A half-space cannot move, whatever it hangs on: shapes.ts lets none on bodies that do.
  const firstStill = physics.bodies.findIndex(({ kind }) => kind !== 'dynamic');
  return physics.bodies.map((body, id): Body => {
    const assembly = assemblyOf.get(body);
    const free = assembly !== undefined && !assembly.anchored;
    return {
      id,
      name: body.prim.path,
      mobility: free ? 'free' : 'fixed',
      X_WB: poseOf(body.prim, body.world, metersPerUnit),
      weight: 1,
      movesWith: free ? (ids.get(assembly.root) as BodyId) : id,
      // Static and kinematic actors never collide with each other in PhysX.
      weldedTo: body.kind === 'dynamic' ? id : firstStill,
    };
  });
}

function sceneGeoms(
  physics: Physics,
  bodies: readonly Body[],
  ids: ReadonlyMap<PhysicsBody, BodyId>,
  metersPerUnit: number,
  notes: Notes,
): { geom: Geom; collider: Collider }[] {
  const shapes = new ShapeReader(new MeshReader(), notes);
  const masksOf = groupMasks(physics, notes);
  const found: { geom: Geom; collider: Collider }[] = [];
  for (const collider of physics.colliders) {
    const bodyId = ids.get(collider.body) as BodyId;
    const { X_WB } = bodies[bodyId] as Body;
    const local = multiply(
      inverse(affineOf(X_WB)) as Affine,
      collider.world.map((value) => value * metersPerUnit),
    );
    const shape = shapes.read(collider.prim, local, collider.body.kind);
    if (shape === undefined) continue;
    const margin = restOffset(collider.prim, notes) * metersPerUnit;
    const geom: Geom = { id: found.length, name: collider.prim.path, bodyId, ...shape, margin, ...masksOf(collider) };
    found.push({ geom, collider });
  }
  return found;
}

/** Distance at which PhysX holds surfaces apart; the offsets of a pair add up. -inf, the default, leaves it to PhysX: 0. */
function restOffset(prim: Prim, notes: Notes): number {
  const offset = prim.number('physxCollision:restOffset') ?? 0;
  if (offset >= 0 && Number.isFinite(offset)) return offset;
  if (offset !== -Infinity) notes.add('a negative restOffset lets surfaces sink in; it is taken for 0', prim.path);
  return 0;
}

function poseOf(prim: Prim, world: Affine, metersPerUnit: number): Pose {
  if (!(Math.abs(determinant(world)) > 0) || !world.every(Number.isFinite)) {
    throw new S4rError(
      'INVALID_INPUT',
      'the transform of a body is singular or not finite; no axis of its scale may be 0',
      placeOfPrim(prim),
    );
  }
  return { position: scaled(column(world, 3), metersPerUnit), quaternion: rotationOf(world) };
}

/** Against the gravity of the first physics scene, or the stage's up axis. */
function upOf({ upAxis }: Stage, physics: Physics): Vec3 {
  const scene = physics.prims.find(({ typeName }) => typeName === 'PhysicsScene');
  const [x = 0, y = 0, z = 0] = scene?.numbers('physics:gravityDirection') ?? [];
  const length = Math.hypot(x, y, z);
  if (length > 0 && Number.isFinite(length)) return [x === 0 ? 0 : -x / length, y === 0 ? 0 : -y / length, z === 0 ? 0 : -z / length];
  return upAxis === 'Y' ? [0, 1, 0] : [0, 0, 1];
}
