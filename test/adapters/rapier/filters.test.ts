/** Which pairs collide, compared with the engine: what it pushes apart in one step of a copy. */
import { expect, test } from '@jest/globals';
import { rapier } from '../../../src/adapters/rapier/index.js';
import { collisionRule } from '../../../src/core/filters.js';
import type { Scene } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { ball, boxMesh, dynamicAt, emptyWorld, plane, RAPIER, randomNumbers } from './worlds.js';

const { ColliderDesc, RigidBodyDesc } = RAPIER;

/** Pairs of colliders by their names in the scene. */
function ourPairs(scene: Scene): string[] {
  const collides = collisionRule(scene);
  const pairs: string[] = [];
  for (const a of scene.geoms) {
    for (const b of scene.geoms) {
      if (a.id < b.id && collides(a.id, b.id)) pairs.push([a.name, b.name].sort().join(' '));
    }
  }
  return pairs.sort();
}

/**
 * Those for which the engine has contacts after one step of a copy: all balls overlap. It can be asked for contacts of bodies of which
 * none is dynamic, which push nothing: they do not count.
 */
function theirPairs(world: RAPIER.World, nameOf: (handle: number) => string): string[] {
  const copy = RAPIER.World.restoreSnapshot(world.takeSnapshot());
  copy.timestep = 1e-9;
  copy.step();
  const pairs: string[] = [];
  copy.forEachCollider((a) => {
    copy.contactPairsWith(a, (b) => {
      if (a.handle < b.handle && [a, b].some(isDynamic)) {
        copy.contactPair(a, b, (manifold) => {
          if (manifold.numContacts() > 0) pairs.push([nameOf(a.handle), nameOf(b.handle)].sort().join(' '));
        });
      }
    });
  });
  copy.free();
  return pairs.sort();
}

/** Of a restored world, `parent()` is the first body for a collider that has none. */
function isDynamic(collider: RAPIER.Collider): boolean {
  return collider.translationWrtParent() !== null && collider.parent()!.isDynamic();
}

const groups = (random: () => number) => ((1 << Math.floor(4 * random())) << 16) | Math.floor(16 * random());

/** All balls of radius 1 within 0.2 of the origin, with random bodies, groups, flags and joints. */
function randomWorld(seed: number): RAPIER.World {
  const random = randomNumbers(seed);
  const world = emptyWorld();
  const types = ['Dynamic', 'Dynamic', 'Dynamic', 'Fixed', 'KinematicPositionBased', 'KinematicVelocityBased'] as const;
  const bodies: RAPIER.RigidBody[] = [];
  for (let i = 0; i < 12; i++) {
    const desc = new RigidBodyDesc(RAPIER.RigidBodyType[types[Math.floor(6 * random())]!]);
    const body = world.createRigidBody(desc.setTranslation(random(0, 0.2), random(0, 0.2), random(0, 0.2)).setEnabled(random() < 0.9));
    bodies.push(body);
    for (let k = random() < 0.3 ? 2 : 1; k > 0; k--) {
      const collider = ColliderDesc.ball(1)
        .setSensor(random() < 0.1)
        .setEnabled(random() < 0.9);
      if (random() < 0.5) collider.setCollisionGroups(groups(random));
      if (random() < 0.2) collider.setActiveCollisionTypes(Math.floor(16 * random()));
      world.createCollider(collider, body);
    }
  }
  world.createCollider(ColliderDesc.ball(1).setTranslation(0.1, 0, 0));
  world.createCollider(ColliderDesc.ball(1).setTranslation(0, 0.1, 0).setCollisionGroups(groups(random)));
  const origin = { x: 0, y: 0, z: 0 };
  for (let i = 0; i < 4; i++) {
    const [a, b] = [bodies[Math.floor(12 * random())]!, bodies[Math.floor(12 * random())]!];
    // Rapier 0.21 panics in a step if a joint holds a disabled body on a fixed one while two other bodies move.
    const panics = [a, b].some((body) => body.isFixed()) && ![a, b].every((body) => body.isEnabled());
    if (a !== b && !panics)
      world.createImpulseJoint(RAPIER.JointData.rope(5, origin, origin), a, b, true).setContactsEnabled(random() < 0.5);
  }
  return world;
}

test('random worlds: the engine has contacts for the same pairs', async () => {
  let total = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const world = randomWorld(seed);
    const colliderName = (handle: number) => `c${world.getCollider(handle).handle.toExponential()}`;
    const { scene } = await rapier.read(world, { joined: 'apart', colliderName });
    assertScene(scene);
    const ours = ourPairs(scene);
    expect(ours).toEqual(theirPairs(world, colliderName));
    total += ours.length;
    world.free();
  }
  expect(total).toBeGreaterThan(300);
});

/** The declarations know no other values than named ones. */
const types = (bits: number) => bits as RAPIER.ActiveCollisionTypes;

/** Whether the engine moves two overlapping balls in one step without gravity. */
async function comparePush(configure: (a: RAPIER.Collider, b: RAPIER.Collider, world: RAPIER.World) => void): Promise<[boolean, boolean]> {
  const world = emptyWorld({ x: 0, y: 0, z: 0 });
  const bodies = [dynamicAt(world), dynamicAt(world, 0.5)] as const;
  configure(ball(world, bodies[0]), ball(world, bodies[1]), world);
  const { scene } = await rapier.read(world);
  assertScene(scene);
  const ours = ourPairs(scene).length === 1;
  world.step();
  return [ours, bodies.some((body, i) => Math.abs(body.translation().x - 0.5 * i) > 1e-3)];
}

test.each([
  [true, 'plain', () => {}],
  [
    true,
    'solver groups that match',
    (a: RAPIER.Collider, b: RAPIER.Collider) => [a.setSolverGroups(0x00010002), b.setSolverGroups(0x00020001)],
  ],
  [false, 'solver groups of which one does not want the other', (a, b) => [a.setSolverGroups(0x00010002), b.setSolverGroups(0x00020004)]],
  [true, 'collision types that only one of the two wants', (a) => [a.setActiveCollisionTypes(types(0))]],
  [false, 'collision types that none wants', (a, b) => [a.setActiveCollisionTypes(types(14)), b.setActiveCollisionTypes(types(0))]],
  [false, 'a sensor', (a) => [a.setSensor(true)]],
] as readonly (readonly [boolean, string, (a: RAPIER.Collider, b: RAPIER.Collider) => unknown])[])(
  'pushes apart: %s, for %s',
  async (expected, _, configure) => {
    expect(await comparePush(configure)).toEqual([expected, expected]);
  },
);

const { vertices, triangles } = boxMesh(0.3, 0.3, 0.3);
const heights = Float32Array.of(0, 0.5, 0, 0.2, 0.3, 0, 0, 0.5, 0.2);
const SHAPES: Readonly<Record<string, () => RAPIER.ColliderDesc>> = {
  ball: () => ColliderDesc.ball(0.3),
  hull: () => ColliderDesc.convexHull(vertices)!,
  trimesh: () => ColliderDesc.trimesh(vertices, triangles),
  heightfield: () => ColliderDesc.heightfield(2, 2, heights, { x: 4, y: 1, z: 4 }),
  voxels: () => ColliderDesc.voxels(Int32Array.of(0, 0, 0, 1, 0, 0), { x: 0.5, y: 0.5, z: 0.5 }),
  polyline: () => ColliderDesc.polyline(Float32Array.of(-0.4, 0, 0, 0.4, 0.1, 0.1, 0.4, 0.4, 0.4)),
  compound: () => ColliderDesc.compound([SHAPES.ball!().shape, SHAPES.hull!().shape], [0, 0.2].map(at), [TURNED, TURNED]),
  halfspace: plane,
};
const TURNED = { x: 0.3, y: -0.2, z: 0.1, w: Math.sqrt(0.86) };
const at = (x: number) => ({ x, y: 0, z: 0 });
const OFFSETS = [-0.3, -0.1, 0.1, 0.3].flatMap((y) => [0, 0.2, 0.4].map((x) => [x, y, 0.1] as const));

/** Two bodies with these colliders, whose surfaces cross for some of the offsets. */
function pairWorld(first: string, second: string, offset: readonly [number, number, number]): RAPIER.World {
  const world = emptyWorld(at(0));
  world.createCollider(SHAPES[first]!(), dynamicAt(world));
  world.createCollider(SHAPES[second]!().setRotation(TURNED), dynamicAt(world, ...offset));
  return world;
}

const kinds = Object.keys(SHAPES);
// With 0.21 a step of a world where these two meet ends in a panic.
const pairs = kinds.flatMap((a) => kinds.map((b) => [a, b] as const)).filter((pair) => pair.toSorted().join() !== 'halfspace,voxels');
test.each(pairs)('a %s and a %s collide if the engine ever has contacts', async (a, b) => {
  const world = pairWorld(a, b, OFFSETS[0]!);
  const { scene } = await rapier.read(world);
  assertScene(scene);
  const contacts = OFFSETS.some((offset) => theirPairs(pairWorld(a, b, offset), String).length > 0);
  expect(ourPairs(scene).length > 0).toBe(contacts);
});

test('bodies that are not dynamic never meet', async () => {
  const world = emptyWorld();
  const immovable = [RigidBodyDesc.fixed(), RigidBodyDesc.kinematicPositionBased(), RigidBodyDesc.kinematicVelocityBased()];
  for (const desc of immovable) ball(world, world.createRigidBody(desc)).setActiveCollisionTypes(types(0xffff));
  for (let i = 0; i < 2; i++) world.createCollider(ColliderDesc.ball(1));
  const { scene } = await rapier.read(world);
  assertScene(scene);
  expect(ourPairs(scene)).toEqual([]);
  // One that cannot be displaced is turned by contacts.
  ball(world, world.createRigidBody(RigidBodyDesc.dynamic().lockTranslations()));
  expect(ourPairs((await rapier.read(world)).scene)).toHaveLength(5);
});

test('what cannot be moved, or not be known, is in the notes', async () => {
  const world = emptyWorld();
  const tilting = world.createRigidBody(RigidBodyDesc.dynamic().setUserData({ name: 'tilting floor' }));
  world.createCollider(new ColliderDesc(new RAPIER.HalfSpace({ x: 0, y: 1, z: 0 })), tilting);
  const hooked = dynamicAt(world, 0, 5, 0);
  ball(world, hooked).setActiveHooks(RAPIER.ActiveHooks.FILTER_CONTACT_PAIRS);
  const { scene, notes } = await rapier.read(world);
  assertScene(scene);
  expect(scene.bodies.map(({ mobility }) => mobility)).toEqual(['fixed', 'free']);
  expect(notes).toEqual([
    "'tilting floor' cannot be moved: a half-space has no end",
    'hooks that filter contacts (1 colliders) are not asked; name such pairs with allow',
  ]);
});

test('groups, skins and locks', async () => {
  const world = emptyWorld();
  const locked = world.createRigidBody(RigidBodyDesc.dynamic().lockTranslations());
  world.createCollider(ColliderDesc.ball(1).setCollisionGroups(0x80010003).setContactSkin(0.25), locked);
  const { scene } = await rapier.read(world);
  expect(scene.filter.maskRule).toBe('both');
  expect(scene.geoms[0]).toMatchObject({ category: 0x8001, mask: 3, margin: 0.25 });
  expect(scene.bodies[0]!.mobility).toBe('fixed');
  expect(scene.up).toEqual([0, 1, 0]);
});
