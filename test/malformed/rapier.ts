/** Snapshots of Rapier to be damaged, made here: they are of the version of Rapier that reads them. */
import RAPIER from '@dimforge/rapier3d-compat';
import type { Seed } from './mutate.js';

await RAPIER.init();

const { ColliderDesc, JointData, RigidBodyDesc } = RAPIER;

function snapshot(): Uint8Array {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  const tetrahedron = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const faces = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
  world.createCollider(new ColliderDesc(new RAPIER.HalfSpace({ x: 0, y: 1, z: 0 })));
  const movable = [
    ColliderDesc.ball(0.3),
    ColliderDesc.cuboid(0.1, 0.2, 0.3),
    ColliderDesc.convexHull(tetrahedron) as RAPIER.ColliderDesc,
    ColliderDesc.trimesh(tetrahedron, faces),
  ];
  const bodies = movable.map((desc, i) => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0.4 * i, 1, 0));
    world.createCollider(desc, body);
    return body;
  });
  const [a, b] = bodies as [RAPIER.RigidBody, RAPIER.RigidBody];
  world.createImpulseJoint(JointData.spherical({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }), a, b, true);
  return world.takeSnapshot();
}

const noNumbers = /(?!)/g;

export const RAPIER_SEEDS: readonly Seed[] = [
  {
    main: 'world.rapier',
    files: { 'world.rapier': snapshot() },
    pieces: [noNumbers],
    values: noNumbers,
    special: { empty: '', zeros: new Uint8Array(4000), text: 'no snapshot at all', 'a single byte': new Uint8Array([255]) },
  },
];
