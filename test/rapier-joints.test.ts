/** Joints of Rapier's worlds freed: `fixWorld(world, { freeJoints })`. */
import { expect, test } from '@jest/globals';
import { rapier } from '../src/adapters/rapier/index.js';
import { checkWorld, fixWorld } from '../src/rapier.js';
import { emptyWorld, firstStepSpeed, peakSpeed, RAPIER } from './adapters/rapier/worlds.js';

const { ColliderDesc, JointData, RigidBodyDesc } = RAPIER;
const at = (x = 0, y = 0, z = 0) => ({ x, y, z });

interface Door {
  readonly world: RAPIER.World;
  readonly hinges: readonly RAPIER.RevoluteImpulseJoint[];
  readonly leaves: readonly RAPIER.RigidBody[];
}

/** Two leaves in the plane z = 0, hinged on a post at the origin and on each other about y; the outer one is 0.02 deep in a wall. */
function foldingDoor(): Door {
  const world = emptyWorld();
  const post = world.createRigidBody(RigidBodyDesc.fixed());
  const leaves = [0.5, 1.5].map((x) => {
    const leaf = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, 0, 0));
    world.createCollider(ColliderDesc.cuboid(0.5, 0.3, 0.02), leaf);
    return leaf;
  }) as [RAPIER.RigidBody, RAPIER.RigidBody];
  const hinges = [
    world.createImpulseJoint(JointData.revolute(at(), at(-0.5), at(0, 1, 0)), post, leaves[0], true),
    // The outer leaf is the first body of its joint.
    world.createImpulseJoint(JointData.revolute(at(-0.5), at(0.5), at(0, 1, 0)), leaves[1], leaves[0], true),
  ] as RAPIER.RevoluteImpulseJoint[];
  hinges[1]!.setContactsEnabled(false);
  world.createCollider(ColliderDesc.cuboid(0.3, 0.5, 0.3).setTranslation(1.6, 0, 0.3));
  return { world, hinges, leaves };
}

/** Largest distance between the two anchors of a joint [m]. */
function strain(world: RAPIER.World): number {
  let worst = 0;
  world.impulseJoints.forEach((joint) => {
    const [a, b] = [inWorld(joint.body1(), joint.anchor1()), inWorld(joint.body2(), joint.anchor2())];
    worst = Math.max(worst, Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z));
  });
  return worst;
}

/** p + v + 2 w (u x v) + 2 u x (u x v), for a rotation [u, w]. */
function inWorld(body: RAPIER.RigidBody, v: RAPIER.Vector): RAPIER.Vector {
  const { x, y, z, w } = body.rotation();
  const p = body.translation();
  const cross = (a: RAPIER.Vector, b: RAPIER.Vector) => at(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
  const uv = cross({ x, y, z }, v);
  const uuv = cross({ x, y, z }, uv);
  return at(p.x + v.x + 2 * (w * uv.x + uuv.x), p.y + v.y + 2 * (w * uv.y + uuv.y), p.z + v.z + 2 * (w * uv.z + uuv.z));
}

test('without free joints a door on a fixed post is stuck in the wall', async () => {
  const { world } = foldingDoor();
  const { status, before } = await fixWorld(world);
  expect([status, before.repairable, before.constant]).toEqual(['clean', 0, 1]);
  expect(firstStepSpeed(world)).toBeGreaterThan(0.01);
});

test.each([
  ['the inner hinge', ['joint_0'], [true, true]],
  ['the outer hinge', ['joint_1'], [false, true]],
  ['both hinges', ['joint_*'], [true, true]],
])('%s opens to get the door out of the wall', async (_, freeJoints, moved) => {
  const { world, leaves } = foldingDoor();
  expect((await checkWorld(world, { freeJoints })).repairable).toBe(1);
  const { status, poses, joints, after } = await fixWorld(world, { joined: 'together', freeJoints });
  expect(status).toBe('solved');
  expect(after).toMatchObject({ repairable: 0, constant: 0 });
  expect(joints!.map(({ name }) => name)).toEqual(expect.arrayContaining(freeJoints.filter((name) => !name.includes('*'))));
  leaves.forEach((leaf, i) => {
    expect(leaf.rotation().y !== 0).toBe(moved[i]);
    const { x, y, z } = leaf.translation();
    expect(poses[i + 1]!.position).toEqual([x, y, z]);
  });
  expect(strain(world)).toBeLessThan(1e-6);
  // Nothing pulls a joint together, and nothing pushes.
  expect(peakSpeed(world, 10)).toBeLessThan(1e-3);
  // Joints stand where the result says.
  const again = (await rapier.read(world)).scene.joints!;
  for (const { name, after: position } of joints!) {
    expect(again.find((joint) => joint.name === name)!.position).toBeCloseTo(position, 5);
  }
  expect((await checkWorld(world, { freeJoints })).overlaps).toEqual([]);
});

test('two bodies on a hinge, held by nothing: both move, and stay together', async () => {
  const { world, leaves } = foldingDoor();
  world.removeRigidBody(world.impulseJoints.getAll()[0]!.body1());
  const { status, moves } = await fixWorld(world, { freeJoints: ['joint_*'], rotation: true });
  expect(status).toBe('solved');
  expect(moves).toHaveLength(1);
  for (const leaf of leaves) expect(Math.hypot(leaf.translation().z, leaf.rotation().y)).toBeGreaterThan(1e-4);
  expect(strain(world)).toBeLessThan(1e-6);
  expect(peakSpeed(world, 10)).toBeLessThan(1e-3);
});

test('limits hold; what they leave is still said to be repairable', async () => {
  const { world, hinges } = foldingDoor();
  hinges[0]!.setLimits(-0.04, 0.04);
  // As deep as the wall, but nearer to the post.
  world.createCollider(ColliderDesc.ball(0.1).setTranslation(0.3, 0, 0.1));
  const { status, before, after, joints } = await fixWorld(world, { freeJoints: ['joint_0'] });
  expect(before).toMatchObject({ repairable: 2, constant: 0 });
  expect(status).toBe('improved');
  expect(after).toMatchObject({ repairable: 1, constant: 0 });
  expect(Math.abs(joints![0]!.after)).toBeLessThan(0.0401);
  expect(strain(world)).toBeLessThan(1e-6);
});

test('a drawer slides, in a snapshot too', async () => {
  const world = emptyWorld();
  const desk = world.createRigidBody(RigidBodyDesc.fixed());
  const drawer = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 0, 0.1));
  world.createCollider(ColliderDesc.cuboid(0.2, 0.1, 0.3), drawer);
  const slide = world.createImpulseJoint(JointData.prismatic(at(), at(), at(0, 0, 1)), desk, drawer, true);
  (slide as RAPIER.PrismaticImpulseJoint).setLimits(-0.5, 0.5);
  world.createCollider(ColliderDesc.ball(0.1).setTranslation(0, 0, 0.45));
  const { status, output, joints } = await fixWorld(world.takeSnapshot(), { freeJoints: ['joint_0'], margin: 1e-5 });
  expect(status).toBe('solved');
  expect(joints).toHaveLength(1);
  expect(joints![0]!.before).toBeCloseTo(0.1, 6);
  expect(joints![0]!.after).toBeCloseTo(0.05, 4);
  const fixed = RAPIER.World.restoreSnapshot(output);
  const { x, y, z } = fixed.getRigidBody(drawer.handle).translation();
  expect(Math.hypot(x, y)).toBeLessThan(1e-6);
  expect(z).toBeCloseTo(0.05, 4);
  expect(peakSpeed(fixed, 10)).toBeLessThan(1e-3);
});

test('what rounding adds is told: a leaf so long that its rotation is coarse', async () => {
  const turned = { x: 0, y: Math.sin(0.35), z: 0, w: Math.cos(0.35) };
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  let improved = 0;
  for (let i = 0; i < 8; i++) {
    const world = emptyWorld();
    const post = world.createRigidBody(RigidBodyDesc.fixed());
    const leaf = world.createRigidBody(RigidBodyDesc.dynamic().setRotation(turned));
    world.createCollider(ColliderDesc.cuboid(100, 1, 1), leaf);
    world.createImpulseJoint(JointData.revolute(at(), at(), at(0, 1, 0)), post, leaf, true);
    // A stop 0.1 deep in the leaf, r along it.
    const r = 41.3 + 2 * i;
    const stop = ColliderDesc.cuboid(1, 1, 1).setTranslation(c * r + s * 1.9, 0, -s * r + c * 1.9);
    world.createCollider(stop.setRotation(turned), post);
    const { status, after, reason } = await fixWorld(world, { freeJoints: ['joint_0'], margin: 3e-7 });
    const { repairable, maxDepth } = await checkWorld(world, { freeJoints: ['joint_0'] });
    expect(after).toMatchObject({ repairable, maxDepth });
    if (repairable === 0) {
      expect(status).toBe('solved');
      continue;
    }
    improved++;
    expect(status).toBe('improved');
    expect(reason).toMatch(/rounding to float32 made 1 overlaps/);
  }
  expect(improved).toBeGreaterThan(0);
});
