import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rapier, snapshotFile } from '../../../src/adapters/rapier/index.js';
import { RAPIER as FORMAT } from '../../../src/cli/formats/rapier.js';
import type { Result } from '../../../src/core/result.js';
import type { Pose, Scene } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import { ball, boxMesh, dynamicAt, emptyWorld, firstStepSpeed, RAPIER, randomNumbers, randomRotation, snapshotOf } from './worlds.js';

let solver: Solver;
let folder: string;
beforeAll(async () => {
  solver = await Solver.create();
  folder = mkdtempSync(join(tmpdir(), 's4r-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A result of which only the poses count. */
const resultWith = (scene: Scene, poses: ReadonlyMap<number, Pose>): Result =>
  ({ poses: scene.bodies.map(({ id, X_WB }) => poses.get(id) ?? X_WB) }) as unknown as Result;

/** Two overlapping balls and a third apart, all flying, and a floor without a body. */
function flyingWorld(): RAPIER.World {
  const world = emptyWorld();
  for (const x of [0, 0.5, 9]) {
    const body = dynamicAt(world, x, 3, 0);
    ball(world, body);
    body.setLinvel({ x: 1, y: 2, z: 3 }, true);
    body.setAngvel({ x: 3, y: 2, z: 1 }, true);
  }
  world.createCollider(RAPIER.ColliderDesc.cuboid(50, 1, 50));
  return world;
}

test('read, and write without a move, leave every bit of the world', async () => {
  const world = flyingWorld();
  for (let i = 0; i < 3; i++) world.step();
  const before = snapshotOf(world);
  const { scene, source } = await rapier.read(world);
  expect(snapshotOf(world).equals(before)).toBe(true);
  const { moved } = await rapier.write(source, resultWith(scene, new Map()));
  expect(moved).toEqual([]);
  expect(snapshotOf(world).equals(before)).toBe(true);
  const bytes = world.takeSnapshot();
  const copy = await rapier.read(bytes);
  expect((await rapier.write(copy.source, resultWith(copy.scene, new Map()))).output).toBe(bytes);
});

test('a live world is edited in place: poses, velocities of what moved, nothing else', async () => {
  const world = flyingWorld();
  const { scene, source } = await rapier.read(world);
  const result = await solver.solve(scene);
  expect(result.status).toBe('solved');
  const { moved, poses, verified } = await rapier.write(source, result);
  expect(moved).toEqual([0, 1]);
  expect(verified).toBeLessThan(1e-6);
  const [a, b, c] = source.bodies.slice(0, 3).map(({ handle }) => world.getRigidBody(handle!));
  for (const body of [a!, b!]) {
    expect([body.linvel(), body.angvel()].map(({ x, y, z }) => [x, y, z])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  }
  expect(c!.linvel()).toMatchObject({ x: 1, y: 2, z: 3 });
  // Colliders are where their bodies are, before any step.
  expect(a!.collider(0).translation()).toEqual(a!.translation());
  // What is read again is what was written.
  const again = await rapier.read(world);
  expect(again.scene.bodies.map(({ X_WB }) => X_WB)).toEqual(poses);
  expect(poses.map(({ position }) => position.map(Math.fround))).toEqual(poses.map(({ position }) => position));
  poses.forEach(({ position }, id) => {
    position.forEach((value, k) => {
      expect(value).toBeCloseTo(result.poses[id]!.position[k]!, 6);
    });
  });
  expect((await solver.check(again.scene)).repairable).toBe(0);
  expect(firstStepSpeed(world)).toBeLessThan(10);
});

test('keepVelocities', async () => {
  const world = flyingWorld();
  const { scene, source } = await rapier.read(world);
  await rapier.write(source, await solver.solve(scene), { keepVelocities: true });
  expect(world.getRigidBody(source.bodies[0]!.handle!).linvel()).toMatchObject({ x: 1, y: 2, z: 3 });
});

test('a sleeping body that moves wakes up', async () => {
  const world = flyingWorld();
  const { scene, source } = await rapier.read(world);
  world.forEachRigidBody((body) => body.sleep());
  const { moved } = await rapier.write(source, await solver.solve(scene));
  expect(world.getRigidBody(source.bodies[2]!.handle!).isSleeping()).toBe(true);
  for (const id of moved) expect(world.getRigidBody(source.bodies[id]!.handle!).isSleeping()).toBe(false);
});

test('turned bodies are stored as Rapier rounds them, and read again as that', async () => {
  const world = emptyWorld();
  const random = randomNumbers(4);
  for (let i = 0; i < 30; i++) ball(world, dynamicAt(world, 3 * i));
  const { scene, source } = await rapier.read(world);
  const poses = new Map(
    scene.bodies.map(({ id }): [number, Pose] => {
      const { x, y, z, w } = randomRotation(random);
      return [id, { position: [random(-20, 20), random(-20, 20), random(-20, 20)], quaternion: [w, x, y, z] }];
    }),
  );
  const written = await rapier.write(source, resultWith(scene, poses));
  expect(written.moved).toHaveLength(30);
  expect(written.verified).toBeLessThan(3e-6);
  const again = await rapier.read(world);
  expect(again.scene.bodies.map(({ X_WB }) => X_WB)).toEqual(written.poses);
});

test('a world that has changed since it was read is refused, and left alone', async () => {
  const world = flyingWorld();
  const { scene, source } = await rapier.read(world);
  const result = await solver.solve(scene);
  world.step();
  const before = snapshotOf(world);
  await expect(rapier.write(source, result)).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringMatching(/has moved since/) });
  expect(snapshotOf(world).equals(before)).toBe(true);
  world.removeRigidBody(world.getRigidBody(source.bodies[0]!.handle!));
  await expect(rapier.write(source, result)).rejects.toThrow(/body 'body_0': the body is gone/);
});

test('a multibody that moves as one keeps its shape in the engine', async () => {
  const world = emptyWorld({ x: 0, y: 0, z: 0 });
  const bodies = [0, 1, 2].map((x) => dynamicAt(world, x));
  for (const body of bodies) ball(world, body, 0.3);
  const hinge = () => RAPIER.JointData.revolute({ x: 0.5, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 }, { x: 0, y: 0, z: 1 });
  world.createMultibodyJoint(hinge(), bodies[0]!, bodies[1]!, true);
  world.createMultibodyJoint(hinge(), bodies[1]!, bodies[2]!, true);
  world.createCollider(RAPIER.ColliderDesc.cuboid(5, 1, 5).setTranslation(0, -1.2, 0));
  const { scene, source } = await rapier.read(world);
  const result = await solver.solve(scene);
  expect(result.status).toBe('solved');
  await rapier.write(source, result);
  const places = () => bodies.map((body) => Object.values(body.translation()));
  const written = places();
  world.step();
  places().forEach((place, i) => {
    place.forEach((value, k) => {
      expect(value).toBeCloseTo(written[i]![k] as number, 4);
    });
  });
});

test('a snapshot gives new bytes; the old ones stay', async () => {
  const bytes = flyingWorld().takeSnapshot();
  const before = Buffer.from(bytes);
  const { scene, source } = await rapier.read(bytes);
  const { output, poses } = await rapier.write(source, await solver.solve(scene));
  expect(Buffer.from(bytes).equals(before)).toBe(true);
  const again = await rapier.read(output);
  expect(again.scene.bodies.map(({ X_WB }) => X_WB)).toEqual(poses);
});

test('a collider without a body stands alone in a snapshot too', async () => {
  const { scene } = await rapier.read(flyingWorld().takeSnapshot());
  expect(scene.bodies.map(({ name, mobility }) => `${name} ${mobility}`)).toEqual([
    'body_0 free',
    'body_1 free',
    'body_2 free',
    'collider_3 fixed',
  ]);
});

test('a damaged snapshot is read or refused, wherever the damage is', async () => {
  const world = emptyWorld();
  const bodies = [0, 1].map((x) => world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, 0, 0)));
  const [a, b] = bodies as [RAPIER.RigidBody, RAPIER.RigidBody];
  const tetrahedron = [Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)] as const;
  world.createCollider(RAPIER.ColliderDesc.trimesh(...tetrahedron), a);
  world.createImpulseJoint(RAPIER.JointData.spherical({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }), a, b, true);
  const bytes = snapshotOf(world);
  const refusals = new Set<string>();
  for (let at = 0; at + 4 <= bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt32LE(77, at);
    await rapier.read(damaged).catch((error: Error & { code?: string }) => {
      expect(`at ${at}: ${error.code} ${error.message}`).toMatch(/: INVALID_INPUT /);
      refusals.add(error.message);
    });
  }
  expect([...refusals]).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^body 'body_0', collider 'body_0\/collider_0': expected vertex indices below 4, got 77 in triangle 0$/),
      expect.stringMatching(/^joint 'joint_0': a body of this joint is not in the world$/),
    ]),
  );
});

test('what is no snapshot, and no world, is refused', async () => {
  const bytes = flyingWorld().takeSnapshot();
  for (const bad of [new Uint8Array(0), Uint8Array.of(1, 2, 3), new Uint8Array(5000).fill(255), bytes.subarray(0, bytes.length - 1)]) {
    await expect(rapier.read(bad)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/expected a snapshot of Rapier/),
    });
  }
  await expect(rapier.read({} as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(rapier.read(bytes, { joined: 'never' as never })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});

test('bits that flip in a snapshot make no crash', async () => {
  const bytes = flyingWorld().takeSnapshot();
  const random = randomNumbers(99);
  let refused = 0;
  for (let i = 0; i < 300; i++) {
    const bad = Uint8Array.from(bytes);
    for (let k = 0; k < 3; k++) bad[Math.floor(random(0, bad.length))]! ^= 1 << Math.floor(random(0, 8));
    await rapier.read(bad).catch((error) => {
      expect(error).toMatchObject({ name: 'S4rError', code: 'INVALID_INPUT' });
      refused++;
    });
  }
  expect(refused).toBeGreaterThan(30);
});

test('triangles of vertices that are not there are refused', async () => {
  const world = emptyWorld();
  const { vertices, triangles } = boxMesh(1, 1, 1);
  world.createCollider(RAPIER.ColliderDesc.trimesh(vertices, triangles));
  const bytes = snapshotOf(world);
  const at = bytes.indexOf(Buffer.from(triangles.buffer));
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt32LE(77, at + 4);
  await expect(rapier.read(bytes)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/collider 'collider_0': expected vertex indices below 8, got 77 in triangle 0/),
  });
});

test('poses that are not finite are refused by name', async () => {
  const world = flyingWorld();
  world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setUserData({ name: 'lost' })).setTranslation({ x: Number.NaN, y: 0, z: 0 }, true);
  await expect(rapier.read(world)).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(/body 'lost': .*NaN/) });
});

test('names: the callback, userData, or the place in the world; always unique', async () => {
  const world = emptyWorld();
  for (const name of ['crate', 'crate', undefined, 'body_2']) {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setUserData(name === undefined ? 7 : { name }));
    ball(world, body);
  }
  const names = async (options = {}) => (await rapier.read(world, options)).scene.bodies.map(({ name }) => name);
  expect(await names()).toEqual(['crate', 'crate_2', 'body_2_2', 'body_2']);
  expect(await names({ name: () => 'thing' })).toEqual(['thing', 'thing_2', 'thing_3', 'thing_4']);
});

test('a file that changed since it was read is left alone', async () => {
  const file = join(folder, 'busy.rapier');
  writeFileSync(file, flyingWorld().takeSnapshot());
  const { scene, source } = await snapshotFile.read(file);
  const result = await solver.solve(scene);
  const newer = snapshotOf(emptyWorld());
  writeFileSync(file, newer);
  for (const dryRun of [true, false]) {
    const written = snapshotFile.write(source, result, { path: file, inPlace: true, dryRun });
    await expect(written).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringMatching(/has changed since it was read/) });
  }
  expect(readFileSync(file).equals(newer)).toBe(true);
  await snapshotFile.write(source, result, { path: join(folder, 'beside.rapier') });
});

test('files: written beside or in place, never over what was read by accident', async () => {
  const file = join(folder, 'world.rapier');
  const out = join(folder, 'fixed.rapier');
  const bytes = Buffer.from(flyingWorld().takeSnapshot());
  writeFileSync(file, bytes);
  expect(FORMAT.recognises(bytes.subarray(0, 4096))).toBe(true);
  const others = [
    '<mujoco/>',
    '<mujoco model="a long name"></mujoco>',
    'PXR-USDC\0\x08\0\0\0\0\0\0\0\0\0\0',
    'PK\x03\x04\x14\0\0\0\x08\0\x21\x5a\x99\x3d\x41\x51',
    '',
  ];
  for (const other of others) expect(FORMAT.recognises(Buffer.from(other, 'latin1'))).toBe(false);
  const opened = await FORMAT.open(file, {});
  expect(opened.inputs).toEqual([file]);
  const result = await solver.solve(opened.scene);
  await expect(opened.write(result, { path: file })).rejects.toMatchObject({ code: 'OUTPUT' });
  await expect(opened.write(result, { path: out, inPlace: true })).rejects.toMatchObject({ code: 'OUTPUT' });
  const planned = await opened.write(result, { path: out, dryRun: true });
  expect(planned.files).toEqual([{ path: out, original: file, edits: [], diff: '' }]);
  expect(() => readFileSync(out)).toThrow();
  await opened.write(result, { path: out });
  const again = await snapshotFile.read(out);
  expect((await solver.check(again.scene)).repairable).toBe(0);
  const clean = await solver.solve(again.scene);
  expect((await snapshotFile.write(again.source, clean, { path: out, inPlace: true })).files).toEqual([]);
  await opened.write(result, { path: file, inPlace: true });
  expect(readFileSync(file).equals(readFileSync(out))).toBe(true);
  writeFileSync(file, 'not a world');
  await expect(FORMAT.open(file, {})).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(file) });
  await expect(FORMAT.open(join(folder, 'none.rapier'), {})).rejects.toThrow(/no such file/);
});
