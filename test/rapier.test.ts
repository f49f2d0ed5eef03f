/** The entry `s4r/rapier`: one call that repairs a world. */
import { expect, test } from '@jest/globals';
import { checkWorld, fixWorld } from '../src/rapier.js';
import {
  ball,
  boxMesh,
  dynamicAt,
  emptyWorld,
  firstStepSpeed,
  peakSpeed,
  plane,
  RAPIER,
  randomNumbers,
  randomRotation,
  snapshotOf,
} from './adapters/rapier/worlds.js';

const { ColliderDesc, RigidBodyDesc } = RAPIER;

function twoBalls(): { world: RAPIER.World; bodies: RAPIER.RigidBody[] } {
  const world = emptyWorld();
  const bodies = [dynamicAt(world), dynamicAt(world, 0.5)];
  for (const body of bodies) ball(world, body);
  return { world, bodies };
}

/** Balls, boxes, round boxes, hulls and capsules, thrown into a box of `side` above a floor. */
function heap(count: number, side: number, seed: number): RAPIER.World {
  const random = randomNumbers(seed);
  const world = emptyWorld();
  world.createCollider(plane().setTranslation(0, -0.5, 0));
  const hull = Float32Array.from({ length: 60 }, () => random(-0.25, 0.25));
  const shapes = [
    () => ColliderDesc.ball(0.25),
    () => ColliderDesc.cuboid(0.2, 0.25, 0.3),
    () => ColliderDesc.roundCuboid(0.15, 0.2, 0.2, 0.05),
    () => ColliderDesc.convexHull(hull)!,
    () => ColliderDesc.capsule(0.2, 0.15),
  ];
  for (let i = 0; i < count; i++) {
    const at = [random(-side / 2, side / 2), random(0, side), random(-side / 2, side / 2)] as const;
    const body = world.createRigidBody(
      RigidBodyDesc.dynamic()
        .setTranslation(...at)
        .setRotation(randomRotation(random)),
    );
    world.createCollider(shapes[i % shapes.length]!(), body);
  }
  return world;
}

test('two balls of radius 1 at distance 0.5 part by 0.75 each, and nothing is thrown (F1)', async () => {
  const { world, bodies } = twoBalls();
  expect(firstStepSpeed(world)).toBeGreaterThan(1);
  const { status, moves } = await fixWorld(world, { margin: 1e-6 });
  expect(status).toBe('solved');
  for (const { distance } of moves) expect(distance).toBeCloseTo(0.75, 5);
  const places = bodies.map((body) => body.translation().x);
  expect(places[0]).toBeCloseTo(-0.75, 5);
  expect(places[1]).toBeCloseTo(1.25, 5);
  expect(moves.reduce((sum, { distance }) => sum + distance, 0)).toBeCloseTo(1.5, 5);
  expect(firstStepSpeed(world)).toBe(0);
});

test('after steps of overlap nothing is left that throws', async () => {
  const { world, bodies } = twoBalls();
  for (let i = 0; i < 5; i++) world.step();
  await fixWorld(world);
  expect(bodies.map((body) => body.linvel().x)).toEqual([0, 0]);
  expect(peakSpeed(world, 30)).toBe(0);
});

test('checkWorld changes nothing and says what overlaps', async () => {
  const { world } = twoBalls();
  const before = snapshotOf(world);
  const check = await checkWorld(world, { name: (handle) => (handle === 0 ? 'left' : 'right') });
  expect(check.overlaps[0]!.names).toMatchObject({ bodyA: 'left', bodyB: 'right' });
  expect(check.overlaps[0]!.depth).toBeCloseTo(1.5, 6);
  expect(snapshotOf(world).equals(before)).toBe(true);
});

test('walls of a room may overlap', async () => {
  const world = emptyWorld();
  for (const x of [0, 1]) world.createCollider(ColliderDesc.cuboid(1, 1, 1).setTranslation(x, 0, 0));
  world.createCollider(ColliderDesc.cuboid(1, 1, 1), world.createRigidBody(RigidBodyDesc.kinematicPositionBased()));
  expect((await checkWorld(world)).overlaps).toEqual([]);
  ball(world, dynamicAt(world, 0, 1.5, 0));
  expect((await checkWorld(world)).overlaps).toHaveLength(3);
});

test('a clean world is left as it is, bit for bit', async () => {
  const world = emptyWorld();
  for (const x of [0, 2.5]) ball(world, dynamicAt(world, x));
  const before = snapshotOf(world);
  const { status, output } = await fixWorld(world);
  expect(status).toBe('clean');
  expect(output).toBe(world);
  expect(snapshotOf(world).equals(before)).toBe(true);
});

test('bodies that a joint holds together move as one', async () => {
  const world = emptyWorld();
  const bodies = [0, 1].map((x) => dynamicAt(world, x, 0, 0));
  for (const body of bodies) ball(world, body, 0.4);
  const hinge = RAPIER.JointData.revolute({ x: 0.5, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 }, { x: 0, y: 0, z: 1 });
  world.createImpulseJoint(hinge, bodies[0]!, bodies[1]!, true);
  world.createCollider(plane().setTranslation(0, -0.3, 0));
  const { status, moves, notes } = await fixWorld(world);
  expect(status).toBe('solved');
  expect(moves).toHaveLength(1);
  expect(notes).toEqual(["joints hold 'body_0', 'body_1' together, so they move as one"]);
  const [a, b] = bodies.map((body) => body.translation());
  expect([b!.x - a!.x, b!.y - a!.y]).toEqual([1, 0]);
  expect(a!.y).toBeGreaterThan(0.1);
  expect(firstStepSpeed(world)).toBe(0);
});

test('locked axes stay locked', async () => {
  const world = emptyWorld();
  const locked = world.createRigidBody(RigidBodyDesc.dynamic().enabledTranslations(true, true, false));
  ball(world, locked);
  const slider = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0.1, 0.2, 0.9).enabledTranslations(true, false, false));
  ball(world, slider);
  const { status, notes } = await fixWorld(world);
  expect(status).toBe('solved');
  expect(notes).toEqual([
    "locked axes of 'body_0' allow only 'across 0 0 1 turn'",
    "locked axes of 'body_1' allow only 'along 1 0 0 turn'",
  ]);
  expect(locked.translation().z).toBe(0);
  expect([slider.translation().y, slider.translation().z]).toEqual([Math.fround(0.2), Math.fround(0.9)]);
});

test('heaps of all kinds end apart by the judge, and by the engine', async () => {
  for (const seed of [1, 2]) {
    const world = heap(40, 1.6, seed);
    expect(firstStepSpeed(world)).toBeGreaterThan(0.1);
    const { status, after } = await fixWorld(world, { rotation: seed === 2 });
    expect(status).toBe('solved');
    expect(after.repairable).toBe(0);
    expect((await checkWorld(world)).repairable).toBe(0);
    // Rounding of float32; it was metres per second.
    expect(peakSpeed(world, 10)).toBeLessThan(1e-4);
    world.free();
  }
});

test('overlaps of frozen bodies are constant before and after', async () => {
  const { world } = twoBalls();
  for (const x of [10, 10.5]) ball(world, dynamicAt(world, x));
  const { status, before, after } = await fixWorld(world, { frozen: ['body_0', 'body_1'] });
  expect([before.repairable, before.constant]).toEqual([1, 1]);
  expect([status, after.repairable, after.constant]).toEqual(['solved', 0, 1]);
});

test('far from the origin, where float32 is coarse, the rounded poses are apart too', async () => {
  const world = emptyWorld();
  for (const x of [0, 0.05, 0.12]) ball(world, dynamicAt(world, 2000 + x, 3000, -4000), 0.1);
  const { status, after } = await fixWorld(world, { margin: 0 });
  expect(status).toBe('solved');
  expect(after.repairable).toBe(0);
  expect((await checkWorld(world)).overlaps).toEqual([]);
  expect(firstStepSpeed(world)).toBe(0);
});

test('200 bodies, from a snapshot', async () => {
  const world = heap(200, 4, 5);
  const bytes = world.takeSnapshot();
  const { status, output, before } = await fixWorld(bytes);
  expect(before.repairable).toBeGreaterThan(50);
  expect(status).toBe('solved');
  const fixed = RAPIER.World.restoreSnapshot(output);
  expect((await checkWorld(fixed)).repairable).toBe(0);
  expect(peakSpeed(fixed, 5)).toBeLessThan(1e-4);
});

test('repaired pairs keep their contact skins apart', async () => {
  const world = emptyWorld();
  const bodies = [dynamicAt(world), dynamicAt(world, 1.5)];
  for (const body of bodies) ball(world, body).setContactSkin(0.05);
  expect((await fixWorld(world, { margin: 0 })).status).toBe('solved');
  const [a, b] = bodies.map((body) => body.translation().x);
  expect(b! - a!).toBeGreaterThanOrEqual(2.1);
  expect(b! - a!).toBeLessThan(2.11);
  expect(firstStepSpeed(world)).toBe(0);
});

test('a room: what is inside inward triangles is not in anything', async () => {
  const { vertices, triangles } = boxMesh(2, 2, 2);
  const inward = triangles.map((_, i) => triangles[i - (i % 3) + [0, 2, 1][i % 3]!]!);
  const world = emptyWorld();
  world.createCollider(ColliderDesc.trimesh(vertices, inward));
  ball(world, dynamicAt(world), 0.5);
  expect((await fixWorld(world)).status).toBe('clean');
  ball(world, dynamicAt(world, 1.7, 0.1, 0), 0.5);
  const { status, moves } = await fixWorld(world);
  expect(status).toBe('solved');
  expect(moves[0]!.translation[0]).toBeCloseTo(-0.2, 1);
  expect(firstStepSpeed(world)).toBe(0);
});

test('options: those of the solver, and no others', async () => {
  const { world, bodies } = twoBalls();
  await fixWorld(world, { frozen: ['body_0'], joined: 'apart' });
  expect(bodies[0]!.translation().x).toBe(0);
  await expect(fixWorld(world, { frosen: ['body_0'] } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
