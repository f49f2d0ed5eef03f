/** The Rapier adapter keeps what `docs/adapters.md` promises of every adapter, live and as snapshots; Rapier judges what collides. */
import RAPIER from '@dimforge/rapier3d-compat';
import { describe, it } from '@jest/globals';
import { type RapierSource, type RapierWorld, rapier } from '../../../src/adapters/rapier/index.js';
import { snapshotFile } from '../../../src/adapters/rapier/snapshot-file.js';
import { adapterConformance, type FileSubject, type LiveSubject } from '../../../src/testing/index.js';
import { enginePairs } from './engine-pairs.js';

const { ColliderDesc, JointData, RigidBodyDesc } = RAPIER;

await RAPIER.init();

const groups = (membership: number, filter: number) => (membership << 16) | filter;

/** All sorts of bodies that collide, and that do not. */
function filters(): RAPIER.World {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  const add = (desc: RAPIER.RigidBodyDesc, collider: RAPIER.ColliderDesc, at: number) => {
    const body = world.createRigidBody(desc.setTranslation(at, 1, 0));
    world.createCollider(collider, body);
    return body;
  };
  const ball = () => ColliderDesc.ball(0.5);
  world.createCollider(ball().setTranslation(0, -3, 0));
  world.createCollider(ColliderDesc.cuboid(5, 0.5, 5).setTranslation(0, -5, 0));
  add(RigidBodyDesc.fixed(), ball(), 1);
  add(RigidBodyDesc.kinematicPositionBased(), ball(), 2);
  add(RigidBodyDesc.kinematicVelocityBased(), ball(), 3);
  add(RigidBodyDesc.kinematicPositionBased(), ball().setActiveCollisionTypes(RAPIER.ActiveCollisionTypes.ALL), 4);
  const first = add(RigidBodyDesc.dynamic(), ball(), 5);
  const second = add(RigidBodyDesc.dynamic(), ball(), 6);
  const third = add(RigidBodyDesc.dynamic(), ball(), 7);
  add(RigidBodyDesc.dynamic(), ball().setCollisionGroups(groups(2, 0xffff)), 8);
  add(RigidBodyDesc.dynamic(), ball().setCollisionGroups(groups(1, 0xfffd)), 9);
  add(RigidBodyDesc.dynamic(), ball().setSolverGroups(groups(4, 1)), 10);
  add(RigidBodyDesc.dynamic(), ball().setActiveCollisionTypes(RAPIER.ActiveCollisionTypes.DYNAMIC_DYNAMIC), 11);
  world.createCollider(ColliderDesc.cuboid(0.2, 0.2, 0.2).setTranslation(0, 1, 0), first);
  const silent = JointData.fixed({ x: 0, y: 0, z: 0 }, { w: 1, x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { w: 1, x: 0, y: 0, z: 0 });
  world.createImpulseJoint(silent, first, second, true).setContactsEnabled(false);
  world.createImpulseJoint(JointData.spherical({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }), second, third, true);
  return world;
}

/** One collider of each kind, on bodies of their own, turned this way and that. */
function shapes(): RAPIER.World {
  const world = new RAPIER.World({ x: 0, y: 0, z: -9.81 });
  const tetrahedron = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const faces = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
  const movable = [
    ColliderDesc.ball(0.3),
    ColliderDesc.cuboid(0.1, 0.2, 0.3),
    ColliderDesc.capsule(0.3, 0.2),
    ColliderDesc.cylinder(0.3, 0.2),
    ColliderDesc.cone(0.3, 0.2),
    ColliderDesc.convexHull(tetrahedron)!,
    ColliderDesc.convexHull(tetrahedron)!,
    ColliderDesc.trimesh(tetrahedron, faces),
    ColliderDesc.roundCuboid(0.1, 0.2, 0.3, 0.05),
  ];
  movable.forEach((desc, i) => {
    const body = world.createRigidBody(
      RigidBodyDesc.dynamic()
        .setTranslation(2 * i, 0.25, 1)
        .setRotation({ x: 0.5, y: 0.5, z: i % 2 === 0 ? 0.5 : -0.5, w: 0.5 }),
    );
    world.createCollider(desc.setTranslation(0, 0.125, 0), body);
  });
  world.createCollider(ColliderDesc.heightfield(2, 2, Float32Array.of(0, 0.5, 0, 1, 0.25, 0, 0, 0.5, 1), { x: 4, y: 1, z: 4 }));
  return world;
}

const worlds: Readonly<Record<string, () => RAPIER.World>> = { filters, shapes };

const live: LiveSubject<RapierWorld, RapierSource> = {
  kind: 'live',
  read: async (world) => await rapier.read(world),
  write: async (source, result) => (await rapier.write(source as RapierSource & { input: RapierWorld }, result)).output,
  samples: Object.entries(worlds).map(([name, make]) => ({ name, make: async () => make() })),
  refused: [
    { name: 'no world', make: async () => ({}) as RapierWorld },
    {
      name: 'a body at no place',
      make: async () => {
        const world = filters();
        world.bodies.getAll()[4]!.setTranslation({ x: Number.NaN, y: 0, z: 0 }, true);
        return world;
      },
    },
  ],
  enginePairs: async (world, scene) => enginePairs(world as RAPIER.World, scene),
  state: (world) => (world as RAPIER.World).takeSnapshot(),
  // Rapier stores float32; `filters` holds bodies joined to others, which their poses are composed from.
  poseTolerance: 1e-6,
};

const files: FileSubject<Awaited<ReturnType<typeof snapshotFile.read>>['source']> = {
  kind: 'files',
  read: async (path) => await snapshotFile.read(path),
  write: async (source, result, target) => await snapshotFile.write(source, result, target),
  samples: Object.entries(worlds).map(([name, make]) => ({
    name,
    main: 'world.rapier',
    files: { 'world.rapier': make().takeSnapshot() },
  })),
  refused: [],
  enginePairs: async (path, scene) => {
    const { source } = await snapshotFile.read(path);
    return enginePairs(RAPIER.World.restoreSnapshot(source.input), scene);
  },
  poseTolerance: 1e-6,
  binary: true,
};

describe.each([
  ['live worlds', adapterConformance(live)],
  ['snapshots', adapterConformance(files)],
])('conformance of %s', (_, checks) => {
  for (const { name, run } of checks) it(name, run);
});
