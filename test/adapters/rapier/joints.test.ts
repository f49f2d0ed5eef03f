import { expect, test } from '@jest/globals';
import { rapier } from '../../../src/adapters/rapier/index.js';
import { assertScene } from '../../../src/core/validate.js';
import { ball, dynamicAt, emptyWorld, RAPIER } from './worlds.js';

const { JointData, RigidBodyDesc } = RAPIER;
const at = (x = 0, y = 0, z = 0) => ({ x, y, z });
const identity = { x: 0, y: 0, z: 0, w: 1 };

/** Balls of radius 0.4, one apart along x, from x = 0. */
function chain(world: RAPIER.World, count: number): RAPIER.RigidBody[] {
  return Array.from({ length: count }, (_, i) => {
    const body = dynamicAt(world, i);
    ball(world, body, 0.4);
    return body;
  });
}

const hinge = () => JointData.revolute(at(0.5), at(-0.5), at(0, 0, 1));

test('joined bodies are one unit, or units of their own', async () => {
  const world = emptyWorld();
  const [a, b, c] = chain(world, 4) as [RAPIER.RigidBody, RAPIER.RigidBody, RAPIER.RigidBody];
  world.createImpulseJoint(hinge(), c, b, true);
  world.createImpulseJoint(JointData.spherical(at(0.5), at(-0.5)), a, b, true).setContactsEnabled(false);
  const { scene, notes } = await rapier.read(world);
  assertScene(scene);
  expect(scene.bodies.map(({ movesWith }) => movesWith)).toEqual([0, 0, 0, 3]);
  expect(scene.filter.neighbours).toEqual([[0, 1]]);
  expect(notes).toEqual(["joints hold 'body_0', 'body_1', 'body_2' together, so they move as one"]);
  const apart = await rapier.read(world, { joined: 'apart' });
  expect(apart.scene.bodies.map(({ movesWith }) => movesWith)).toEqual([0, 1, 2, 3]);
  expect(apart.scene.joints).toBeUndefined();
});

test('bodies that a joint holds on a fixed or kinematic one do not move', async () => {
  for (const desc of [RigidBodyDesc.fixed(), RigidBodyDesc.kinematicPositionBased(), RigidBodyDesc.dynamic().lockTranslations()]) {
    const world = emptyWorld();
    const base = world.createRigidBody(desc.setTranslation(-1, 0, 0));
    ball(world, base, 0.4);
    const [a, b] = chain(world, 2) as [RAPIER.RigidBody, RAPIER.RigidBody];
    world.createImpulseJoint(hinge(), a, b, true);
    world.createImpulseJoint(JointData.fixed(at(0.5), identity, at(-0.5), identity), base, a, true);
    const { scene } = await rapier.read(world);
    assertScene(scene);
    expect(scene.bodies.map(({ mobility }) => mobility)).toEqual(['fixed', 'fixed', 'fixed']);
    const apart = await rapier.read(world, { joined: 'apart' });
    expect(apart.scene.bodies.map(({ mobility }) => mobility)).toEqual(['fixed', 'free', 'free']);
  }
});

test('joints of a multibody hold together too, also in a snapshot', async () => {
  const world = emptyWorld();
  const bodies = chain(world, 4);
  world.createMultibodyJoint(hinge(), bodies[0]!, bodies[1]!, true);
  world.createMultibodyJoint(hinge(), bodies[1]!, bodies[2]!, true).setContactsEnabled(false);
  for (const input of [world, world.takeSnapshot()]) {
    const { scene } = await rapier.read(input);
    expect(scene.bodies.map(({ movesWith }) => movesWith)).toEqual([0, 0, 0, 3]);
    expect(scene.filter.neighbours).toEqual([[1, 2]]);
    expect(scene.joints).toBeUndefined();
  }
});

test('hinges and slides of a tree become joints of the scene', async () => {
  const world = emptyWorld();
  const base = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(-1, 0, 0));
  const [a, b, c] = chain(world, 3) as [RAPIER.RigidBody, RAPIER.RigidBody, RAPIER.RigidBody];
  // The outer joint first, and with the child as its first body.
  const slide = world.createImpulseJoint(JointData.prismatic(at(-0.5), at(0.5, 0.25, 0), at(0, 1, 0)), c, b, true);
  (slide as RAPIER.PrismaticImpulseJoint).setLimits(-0.5, 2);
  world.createImpulseJoint(JointData.spherical(at(0.5), at(-0.5)), a, b, true);
  world.createImpulseJoint(hinge(), base, a, true);
  a.setRotation({ x: 0, y: 0, z: Math.sin(0.15), w: Math.cos(0.15) }, true);
  const { scene } = await rapier.read(world);
  assertScene(scene);
  const [first, second] = scene.joints!;
  expect(scene.joints).toHaveLength(2);
  expect(first).toMatchObject({ id: 0, name: 'joint_2', type: 'hinge', anchor: [-0.5, 0, 0], moves: [1, 2, 3] });
  expect(first!.position).toBeCloseTo(0.3, 6);
  expect(first!.axis[2]).toBeCloseTo(1, 6);
  expect(first).not.toHaveProperty('limits');
  expect(second).toMatchObject({ id: 1, name: 'joint_0', type: 'slide', moves: [3], limits: [-0.5, 2] });
  // Its coordinate, 0.25, displaces body b against c along y, so it moves c the other way.
  expect(second!.axis[1]).toBeCloseTo(-1, 6);
  expect(second!.position).toBeCloseTo(0.25, 6);
  expect((await rapier.read(world.takeSnapshot())).scene).toEqual(scene);
});

test('the sign of a hinge is that of its limits in Rapier', async () => {
  const world = emptyWorld(at());
  const base = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(-1, 0, 0));
  const [a] = chain(world, 1) as [RAPIER.RigidBody];
  const joint = world.createImpulseJoint(hinge(), base, a, true) as RAPIER.RevoluteImpulseJoint;
  joint.setLimits(0.4, 0.8);
  const before = (await rapier.read(world)).scene.joints![0]!;
  expect(before).toMatchObject({ position: 0 });
  expect(before.limits![0]).toBeCloseTo(0.4, 6);
  for (let i = 0; i < 200; i++) world.step();
  const after = (await rapier.read(world)).scene.joints![0]!;
  expect(after.position).toBeGreaterThan(0.35);
});

test('a loop gives no joints', async () => {
  const world = emptyWorld();
  const [a, b, c] = chain(world, 3) as [RAPIER.RigidBody, RAPIER.RigidBody, RAPIER.RigidBody];
  for (const [from, to] of [
    [a, b],
    [b, c],
    [c, a],
  ] as const) {
    world.createImpulseJoint(hinge(), from, to, true);
  }
  const { scene } = await rapier.read(world);
  expect(scene.joints).toBeUndefined();
  expect(new Set(scene.bodies.map(({ movesWith }) => movesWith)).size).toBe(1);
});
