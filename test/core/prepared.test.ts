/** Many states of one scene through the real native core, and the decisions around it. */
import { describe, expect, test } from '@jest/globals';
import { SILENT_LOGGER } from '../../src/core/logger.js';
import { packPoses, unpackPoses } from '../../src/core/pack.js';
import type { Pose, Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { box, buildScene, ground, sphere } from '../scenes/build.js';
import { icosphereMesh } from '../scenes/meshes.js';
import { randomScene, twoSpheres } from '../scenes/scenes.js';
import { FakeBackend, overlaps, solution } from './fake-backend.js';

const posesOf = (scene: Scene) => packPoses(scene.bodies.map((body) => body.X_WB));

/** The scene with its bodies at `poses`. */
function at(scene: Scene, poses: Float64Array): Scene {
  const placed = unpackPoses(poses);
  return { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: placed[body.id] as Pose })) };
}

describe('a prepared solver', () => {
  test('repairs state after state as a solve of each would', async () => {
    const solver = await Solver.create();
    const scene = randomScene(3, 20);
    const prepared = await solver.prepare(scene, { threads: 1 });
    let repaired = 0;
    for (let state = 0; state < 6; state++) {
      const poses = posesOf(randomScene(3, 20)).map((value, k) => (k % 7 < 3 ? value * (0.7 + 0.1 * state) : value));
      const found = await prepared.resolve(poses);
      const solved = await solver.solve(at(scene, poses), { threads: 1 });
      expect(found.status).toBe(solved.status);
      expect([...found.poses]).toEqual([...packPoses(solved.poses)]);
      expect(found.moved).toEqual(solved.moves.map((move) => move.bodyId).sort((a, b) => a - b));
      expect(found.rmsMove).toBeCloseTo(solved.rmsMove, 12);
      expect((await solver.check(at(scene, found.poses))).repairable).toBe(found.overlapsAfter);
      repaired += found.status === 'solved' ? 1 : 0;
    }
    expect(repaired).toBeGreaterThan(2);
  });

  test('counts no more overlaps than there are beyond the tolerance', async () => {
    const solver = await Solver.create();
    const [near, deep] = [2 - 1e-6, 1.5];
    const scene = buildScene([0, near, near + deep].map((x) => ({ at: [x, 0, 0], geoms: [sphere()] })));
    const prepared = await solver.prepare(scene, { tolerance: 1e-5 });
    expect(await prepared.resolve(posesOf(scene))).toMatchObject({ status: 'solved', overlapsBefore: 1, overlapsAfter: 0 });
  });

  test('turns bodies where that is allowed, as a solve does', async () => {
    const solver = await Solver.create();
    const scene = randomScene(4, 20);
    const prepared = await solver.prepare(scene, { rotation: true, threads: 1 });
    const found = await prepared.resolve(posesOf(scene));
    const solved = await solver.solve(scene, { rotation: true, threads: 1 });
    expect(solved.moves.some(({ rotation }) => rotation > 0.01)).toBe(true);
    expect([...found.poses]).toEqual([...packPoses(solved.poses)]);
  });

  test('gives a clean state back as it came, bit for bit', async () => {
    const solver = await Solver.create();
    const scene = buildScene([{ geoms: [sphere()] }, { at: [3, 0, 0], geoms: [{ type: 'mesh', mesh: icosphereMesh(1, 2) }] }]);
    const prepared = await solver.prepare(scene);
    const poses = posesOf(scene);
    const clean = await prepared.resolve(poses);
    expect(clean).toMatchObject({ status: 'clean', moved: [], overlapsBefore: 0, overlapsAfter: 0, rmsMove: 0 });
    expect(clean.poses).toBe(poses);
  });

  test('moves only what it was told to, and leaves fixed bodies alone', async () => {
    const solver = await Solver.create();
    const scene = buildScene([
      ground(),
      { name: 'a', at: [0, 0, 0.9], geoms: [sphere()] },
      { name: 'b', at: [0.5, 0, 1.1], geoms: [sphere()] },
    ]);
    const prepared = await solver.prepare(scene, { frozen: ['a'] });
    const poses = posesOf(scene);
    poses[7 + 2] = 1.5;
    const found = await prepared.resolve(poses);
    expect(found).toMatchObject({ status: 'solved', moved: [2] });
    expect([...found.poses.subarray(0, 14)]).toEqual([...poses.subarray(0, 14)]);
  });

  test('runs of one preparation may overlap and give the same bits', async () => {
    const solver = await Solver.create();
    const scene = randomScene(11, 20);
    const prepared = await solver.prepare(scene);
    const [one, ...others] = await Promise.all(Array.from({ length: 8 }, () => prepared.resolve(posesOf(scene))));
    for (const other of others) expect([...other.poses]).toEqual([...(one?.poses ?? [])]);
  });

  test('refuses poses of the wrong number, not finite or not unit, and the reference profile', async () => {
    const solver = await Solver.create();
    const scene = twoSpheres(0.5);
    await expect(solver.prepare(scene, { profile: 'reference' })).rejects.toThrow("'default' and 'quick', got 'reference'");
    const prepared = await solver.prepare(scene);
    await expect(prepared.resolve(new Float64Array(13))).rejects.toThrow('poses: expected 14 numbers, 7 for each of 2 bodies, got 13');
    await expect(prepared.resolve(new Float32Array(14) as never)).rejects.toThrow('poses: expected a Float64Array, got');
    const nan = posesOf(scene);
    nan[8] = Number.NaN;
    await expect(prepared.resolve(nan)).rejects.toThrow("body 'right' (poses[1]).position[1]: expected a finite number, got NaN");
    const long = posesOf(scene);
    long[3] = 1.1;
    await expect(prepared.resolve(long)).rejects.toThrow(
      /body 'left' \(poses\[0\]\)\.quaternion: expected a unit quaternion .* of length 1\.1/,
    );
  });

  test('is cancelled by its signal and ends at its time limit', async () => {
    const solver = await Solver.create();
    const scene = randomScene(5, 20);
    const prepared = await solver.prepare(scene, { timeLimit: 1e-9 });
    const poses = posesOf(scene);
    const late = await prepared.resolve(poses);
    expect(late).toMatchObject({ status: 'timeLimit', reason: 'the time limit of 1e-9 s was reached', moved: [] });
    expect(late.poses).toBe(poses);
    const unlimited = await solver.prepare(scene);
    const cancelled = await unlimited.resolve(poses, { signal: AbortSignal.abort() });
    expect(cancelled.status).toBe('cancelled');
  });

  test('is cancelled also if the core ended before it heard of it', async () => {
    const backend = new FakeBackend([], [], [{ ...solution(0.1), overlapsBefore: 1, left: new Int32Array(0) }]);
    const prepared = await (await Solver.create({ backend })).prepare(twoSpheres(0.5));
    const found = await prepared.resolve(posesOf(twoSpheres(0.5)), { signal: AbortSignal.abort() });
    expect(found).toMatchObject({ status: 'cancelled', moved: [] });
  });

  test('what the prepared run leaves overlapping is solved anew, and the outcome is that one', async () => {
    const scene = twoSpheres(0.5);
    const backend = new FakeBackend(
      [overlaps(1), overlaps(0)],
      [solution(2)],
      [{ ...solution(0.1, 'stagnation'), overlapsBefore: 1, left: Int32Array.of(0, 1) }],
    );
    const solver = await Solver.create({ backend, logger: SILENT_LOGGER });
    const found = await (await solver.prepare(scene)).resolve(posesOf(scene));
    expect(found).toMatchObject({ status: 'solved', moved: [1], overlapsBefore: 1, overlapsAfter: 0 });
    expect(found.poses[7]).toBe(2.5);
  });

  test('a run that breaks a promise is rejected, whatever it leaves overlapping', async () => {
    const scene = twoSpheres(0.5);
    const backend = new FakeBackend(
      [overlaps(1), overlaps(0)],
      [solution(2)],
      [{ ...solution(5), overlapsBefore: 1, left: Int32Array.of() }], // body 1 farther than maxShift
    );
    const solver = await Solver.create({ backend, logger: SILENT_LOGGER });
    const found = await (await solver.prepare(scene, { maxShift: 3 })).resolve(posesOf(scene));
    expect(found).toMatchObject({ status: 'solved', moved: [1], rmsMove: Math.sqrt(2) });
  });

  test('a table may be elsewhere in the next state', async () => {
    const solver = await Solver.create();
    const scene = buildScene([
      { name: 'table', fixed: true, geoms: [box(1, 1, 0.1)] },
      { name: 'cube', at: [0, 0, 0.15], geoms: [box(0.1)] },
    ]);
    const prepared = await solver.prepare(scene);
    const poses = posesOf(scene);
    expect((await prepared.resolve(poses)).moved).toEqual([1]);
    poses[2] = -0.5;
    expect((await prepared.resolve(poses)).status).toBe('clean');
  });
});
