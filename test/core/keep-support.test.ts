/** What rests stays on what carries it. */
import { describe, expect, test } from '@jest/globals';
import type { SolverOptions } from '../../src/core/options.js';
import type { PackedEvaluation, PackedSolution } from '../../src/core/pack.js';
import type { Result } from '../../src/core/result.js';
import type { Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../scenes/build.js';
import { twoSpheres } from '../scenes/scenes.js';
import { FakeBackend, overlaps, type Placements, SUPPORTS, settlement, solution } from './fake-backend.js';

const table: BodySpec = { name: 'table', fixed: true, at: [0, 0, -0.05], geoms: [box(1, 1, 0.05)] };

/** Cubes of 0.1 m on a table, each `sink` deep in the one below, and one that reaches 0.03 m into the lowest. */
function pushedStack(sink: number, count = 3): Scene {
  const cubes = Array.from({ length: count }, (_, k): BodySpec => ({ at: [0, 0, 0.05 + 0.1 * k - sink * (k + 1)], geoms: [box(0.05)] }));
  return buildScene([table, ...cubes, { name: 'intruder', at: [0.07, 0.01, 0.04 - sink], geoms: [box(0.05, 0.05, 0.04)] }]);
}

const solve = async (scene: Scene, options: SolverOptions = {}) =>
  await (await Solver.create()).solve(scene, { keepSupport: true, ...options });

/** Gaps between the cubes of a stack, from the table up [m]. */
function gaps({ poses }: Result, count = 3): number[] {
  return Array.from({ length: count }, (_, k) => {
    const above = poses[k + 1]?.position[2] as number;
    return k === 0 ? above - 0.05 : above - (poses[k]?.position[2] as number) - 0.1;
  });
}

describe('a stack pushed from the side', () => {
  test.each([[0], [-2e-4], [4e-4]])('stands as it stood, sunk by %d m', async (sink) => {
    const result = await solve(pushedStack(sink));
    expect(result).toMatchObject({ status: 'solved', after: { repairable: 0 } });
    expect(result.supports?.kept).toEqual([
      { body: 'body1', on: 'table/0' },
      { body: 'body2', on: 'body1' },
      { body: 'body3', on: 'body2' },
      { body: 'intruder', on: 'table/0' },
    ]);
    expect(result.supports?.lost).toEqual([]);
    for (const gap of gaps(result)) {
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(gap).toBeLessThan(1e-3);
    }
  });

  test('and moves together where it is pushed far', async () => {
    const scene = pushedStack(0);
    const result = await solve(scene, { frozen: ['intruder'] });
    expect(result.status).toBe('solved');
    expect(result.supports?.lost).toEqual([]);
    for (const gap of gaps(result)) expect(gap).toBeLessThan(1e-3);
  });

  test('the same bits for any number of threads', async () => {
    const runs = await Promise.all([1, 4].map(async (threads) => await solve(pushedStack(4e-4, 6), { threads })));
    expect(runs[0]?.poses).toEqual(runs[1]?.poses);
  });

  test('what overlaps nothing and loses no support is not moved', async () => {
    const scene = pushedStack(4e-4);
    const far: Scene = buildScene([
      table,
      { name: 'a', at: [0.5, 0.5, 0.05 + 1e-4], geoms: [box(0.05)] },
      { name: 'b', at: [0.5, 0.5, 0.15 + 2e-4], geoms: [box(0.05)] },
      { name: 'left', at: [-0.5, 0, 0.05], geoms: [sphere(0.05)] },
      { name: 'right', at: [-0.45, 0, 0.05], geoms: [sphere(0.05)] },
    ]);
    const result = await solve(far);
    expect(result.status).toBe('solved');
    for (const id of [0, 1, 2]) expect(result.poses[id]).toBe(far.bodies[id]?.X_WB);
    expect((await solve(scene)).poses[0]).toBe(scene.bodies[0]?.X_WB);
  });
});

test('in a container too', async () => {
  for (const container of [
    { low: [-1, -1, -1], high: [1, 1, 1] },
    { low: [-0.2, -0.2, -1], high: [0.09, 0.2, 1] }, // the stack is pushed, as the intruder cannot be
  ] as const) {
    const result = await solve(pushedStack(0), { container });
    expect(result).toMatchObject({ status: 'solved', after: { repairable: 0 } });
    expect(result.poses).toHaveLength(5);
    expect(result.supports?.kept.length).toBeGreaterThanOrEqual(3);
  }
});

test('on scenery bodies slide; where that does not help they leave it, and the support is lost', async () => {
  const roomy = buildScene([
    ground(),
    { name: 'a', at: [0, 0, 0.0501], geoms: [sphere(0.05)] },
    { name: 'b', at: [0.01, 0, 0.0501], geoms: [sphere(0.05)] },
  ]);
  const slid = await solve(roomy);
  expect(slid.status).toBe('solved');
  for (const move of slid.moves) expect(move.translation[2]).toBe(0);
  // Between walls there is room only above.
  const wall = (x: number): BodySpec => ({ fixed: true, at: [x, 0, 0.5], geoms: [box(0.1, 1, 0.5)] });
  const narrow = buildScene([
    ground(),
    wall(-0.16),
    wall(0.16),
    { fixed: true, at: [0, 0.16, 0.5], geoms: [box(0.3, 0.1, 0.5)] },
    { fixed: true, at: [0, -0.16, 0.5], geoms: [box(0.3, 0.1, 0.5)] },
    { name: 'a', at: [0, 0, 0.0501], geoms: [sphere(0.05)] },
    { name: 'b', at: [0, 0, 0.0502], geoms: [sphere(0.05)] },
  ]);
  const climbed = await solve(narrow);
  expect(climbed.status).toBe('solved');
  expect(climbed.supports?.kept).toHaveLength(1);
  expect(climbed.supports?.lost).toHaveLength(1);
});

describe('decisions', () => {
  async function decide(
    evaluations: PackedEvaluation[],
    solutions: PackedSolution[],
    placements: Placements,
    options: SolverOptions = {},
  ): Promise<{ result: Result; backend: FakeBackend }> {
    const backend = new FakeBackend(evaluations, solutions, [], placements);
    const solver = await Solver.create({ backend });
    const result = await solver.solve(twoSpheres(), { keepSupport: true, frozen: ['left'], ...options });
    return { result, backend };
  }
  const none = { body: new Int32Array(), onBody: new Int32Array(), onGeom: new Int32Array() };
  const one = (answer = settlement(0, 1)) => ({ supports: [SUPPORTS], settlements: [settlement(0, 1), answer] });

  test('a clean scene asks nothing', async () => {
    const { result } = await decide([overlaps(0)], [], {});
    expect(result.status).toBe('clean');
    expect(result).not.toHaveProperty('supports');
  });

  test('without supports the scene is solved once', async () => {
    const settled = { ...none, kept: new Uint8Array(), shifts: new Float64Array(6), interrupted: false };
    const { result } = await decide([overlaps(1), overlaps(0)], [solution(2)], { supports: [none], settlements: [settled] });
    expect(result).toMatchObject({ status: 'solved', supports: { kept: [], lost: [] } });
  });

  test('what rests on scenery slides, without that as an obstacle', async () => {
    const { backend } = await decide([overlaps(1), overlaps(1), overlaps(0), overlaps(0)], [solution(2)], one());
    expect([...(backend.scenes[0]?.motionTranslate ?? [])]).toEqual([3, 2]);
    expect([...(backend.scenes[0]?.excludedGeoms ?? [])]).toEqual([0, 1]);
  });

  test('an attempt that leaves overlaps is followed by the free one', async () => {
    const { result, backend } = await decide(
      [overlaps(1), overlaps(1), overlaps(1), overlaps(0)],
      [solution(1, 'stagnation'), solution(2)],
      one(),
    );
    expect(backend.solved.map(({ separation }) => separation.fallback)).toEqual([false, true]);
    expect(result).toMatchObject({ status: 'solved', supports: { kept: [{ body: 'right', on: 'left/0' }] } });
    expect(result.poses[1]?.position[0]).toBe(2.5);
  });

  test('settled poses are taken if the evaluator agrees', async () => {
    const { result, backend } = await decide(
      [overlaps(1), overlaps(1), overlaps(0), overlaps(0), overlaps(0)],
      [solution(2)],
      one(settlement(-0.25, 1)),
    );
    expect([...(backend.settled[1]?.subarray(7, 10) ?? [])]).toEqual([2.5, 0, 0]);
    expect(result.poses[1]?.position).toEqual([2.5, 0, -0.25]);
    expect(result.moves).toMatchObject([{ translation: [2, 0, -0.25] }]);
  });

  test('and not if it finds more overlaps', async () => {
    const { result } = await decide(
      [overlaps(1), overlaps(1), overlaps(0), overlaps(0), overlaps(1), overlaps(0)],
      [solution(2), solution(3)],
      {
        supports: [SUPPORTS, none, SUPPORTS, SUPPORTS, SUPPORTS],
        settlements: [settlement(0, 1), settlement(-0.25, 1), settlement(0, 0)],
      },
    );
    expect(result.poses[1]?.position).toEqual([2.5, 0, 0]);
    expect(result).toMatchObject({ status: 'solved', supports: { kept: [], lost: [{ body: 'right', on: 'left/0' }] } });
  });

  test.each([
    ['more supports are lost', [SUPPORTS, SUPPORTS], 1, 3.5],
    ['fewer units rest on anything', [none, SUPPORTS], 0, 3.5],
    ['neither', [SUPPORTS, SUPPORTS], 0, 2.5],
    ['more units rest on something', [SUPPORTS, none], 1, 2.5],
  ])('sliding against the free attempt: %s', async (_, [stays, free], kept, x) => {
    const { result } = await decide([overlaps(1), overlaps(1), overlaps(0), overlaps(0), overlaps(0)], [solution(2), solution(3)], {
      supports: [SUPPORTS, stays as typeof SUPPORTS, free as typeof SUPPORTS],
      settlements: [settlement(0, 1), settlement(0, 0), settlement(0, kept)],
    });
    expect(result.poses[1]?.position[0]).toBe(x);
  });

  test('a prepared solver has no such option', async () => {
    const solver = await Solver.create({ backend: new FakeBackend([]) });
    await expect(solver.prepare(twoSpheres(), { keepSupport: true })).rejects.toThrow('option keepSupport: not of a prepared solver');
    await expect(solver.prepare(twoSpheres(), { overflow: 'lift' })).rejects.toThrow('option overflow: not of a prepared solver');
  });
});
