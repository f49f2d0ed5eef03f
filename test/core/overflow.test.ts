/** What has no room is lifted. */
import { describe, expect, test } from '@jest/globals';
import type { SolverOptions } from '../../src/core/options.js';
import type { Quat, Scene, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../scenes/build.js';
import { twoSpheres } from '../scenes/scenes.js';
import { FakeBackend, overlaps, solution } from './fake-backend.js';

const H = Math.SQRT1_2;
const plane = (at: Vec3, quaternion: Quat): BodySpec => ({ fixed: true, at, quaternion, geoms: [{ type: 'halfspace' }] });

/** A closed box of `side` x `side` x 0.11 m. */
function container(side: number): BodySpec[] {
  const half = side / 2;
  return [
    ground(),
    plane([-half, 0, 0], [H, 0, H, 0]),
    plane([half, 0, 0], [H, 0, -H, 0]),
    plane([0, -half, 0], [H, -H, 0, 0]),
    plane([0, half, 0], [H, H, 0, 0]),
    plane([0, 0, 0.11], [0, 1, 0, 0]),
  ];
}

/** `count` cubes of 0.1 m about the middle of a container with room for four. */
function tooFull(count: number): Scene {
  const cubes = Array.from({ length: count }, (_, k): BodySpec => {
    return { name: `cube${k}`, at: [0.06 * Math.cos(k), 0.06 * Math.sin(k), 0.055], geoms: [box(0.05)] };
  });
  return buildScene([...container(0.22), ...cubes]);
}

const solve = async (scene: Scene, options: SolverOptions = {}) =>
  await (await Solver.create()).solve(scene, { overflow: 'lift', separation: { fallback: false }, ...options });

describe('a container that is too full', () => {
  test('keeps what fits, and the others are above it', async () => {
    const result = await solve(tooFull(6));
    expect(result.status).toBe('solved');
    expect(result.after.repairable).toBe(0);
    const { lifted = [] } = result;
    expect(lifted.length).toBeGreaterThanOrEqual(2);
    expect(lifted.length).toBeLessThanOrEqual(3);
    expect(result.reason).toBe(`${lifted.length} bodies were lifted, as there is no room among the others`);
    for (const { bodyId, height } of lifted) {
      expect(height).toBeGreaterThan(0.04);
      expect(result.poses[bodyId]?.position[2]).toBeGreaterThan(0.15);
    }
    const up = new Set(lifted.map(({ bodyId }) => bodyId));
    for (let id = 6; id < 12; id++) if (!up.has(id)) expect(result.poses[id]?.position[2]).toBeLessThan(0.06);
  });

  test('without the option it stays too full', async () => {
    const result = await solve(tooFull(6), { overflow: 'fail' });
    expect(result.after.repairable).toBeGreaterThan(0);
    expect(result).not.toHaveProperty('lifted');
  });

  test('the limit of moves holds for the lifted too', async () => {
    const result = await solve(tooFull(6), { maxShift: 0.08 });
    expect(result.status).not.toBe('solved');
    expect(result).not.toHaveProperty('lifted');
  });

  test('the same for any number of threads', async () => {
    const runs = await Promise.all([1, 3].map(async (threads) => await solve(tooFull(5), { threads })));
    expect(runs[0]?.poses).toEqual(runs[1]?.poses);
    expect(runs[0]?.lifted).toEqual(runs[1]?.lifted);
  });
});

test('where there is room nothing is lifted', async () => {
  const result = await solve(twoSpheres());
  expect(result.status).toBe('solved');
  expect(result).not.toHaveProperty('lifted');
  expect(result).not.toHaveProperty('reason');
});

test('supports are reported with the lifted units where they are', async () => {
  const scene = tooFull(6);
  const result = await solve(scene, { keepSupport: true, restTolerance: 0.006 });
  expect(result.status).toBe('solved');
  const lost = result.supports?.lost.map(({ body }) => body);
  for (const { body } of result.lifted ?? []) expect(lost).toContain(body);
});

describe('decisions', () => {
  const chain = buildScene([
    { name: 'small', at: [0, 0, 0], geoms: [sphere(0.5)] },
    { name: 'big', at: [0.5, 0, 0], geoms: [sphere(1)] },
  ]);
  const lifting = (height: number) => ({
    heights: Float64Array.of(height),
    shifts: Float64Array.of(0, 0, height, 0, 0, 0),
    interrupted: false,
  });
  const run = async (evaluations: ReturnType<typeof overlaps>[], height: number) => {
    const backend = new FakeBackend(evaluations, [solution(1, 'stagnation')], [], { liftings: [lifting(height)] });
    const solver = await Solver.create({ backend });
    return { backend, result: await solver.solve(chain, { overflow: 'lift', separation: { fallback: false } }) };
  };

  test('of two alike the smaller one goes, and the judge sees it above', async () => {
    const { backend, result } = await run([overlaps(1), overlaps(1), overlaps(0), overlaps(0)], 2);
    expect([...(backend.raised[0] ?? [])]).toEqual([0]);
    expect(result).toMatchObject({ status: 'solved', lifted: [{ bodyId: 0, body: 'small', height: 2 }] });
    expect(result.reason).toBe('1 body was lifted, as there is no room among the others');
    expect(result.moves).toMatchObject([{ name: 'small', translation: [0, 0, 2] }]);
  });

  test('no place, or a judge that disagrees: the first result stands', async () => {
    const { result } = await run([overlaps(1), overlaps(1), overlaps(0)], -1);
    expect(result.status).toBe('stalled');
    const { result: refused } = await run([overlaps(1), overlaps(1), overlaps(0), overlaps(1)], 2);
    expect(refused.status).toBe('stalled');
  });
});
