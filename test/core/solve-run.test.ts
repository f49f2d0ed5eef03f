import { describe, expect, jest, test } from '@jest/globals';
import type { Progress, SolverOptions } from '../../src/core/options.js';
import type { PackedEvaluation, PackedSolution } from '../../src/core/pack.js';
import type { Result } from '../../src/core/result.js';
import { Solver } from '../../src/core/solver.js';
import { twoSpheres } from '../scenes/scenes.js';
import { FakeBackend, overlaps, solution } from './fake-backend.js';

const scene = twoSpheres();
const inputPoses = scene.bodies.map((body) => body.X_WB);

type Script<T> = (T | (() => T))[];

async function solve(
  evaluations: Script<PackedEvaluation>,
  solutions: Script<PackedSolution> = [],
  options: SolverOptions = {},
): Promise<{ result: Result; backend: FakeBackend; warnings: string[] }> {
  const backend = new FakeBackend(evaluations, solutions);
  const warnings: string[] = [];
  const solver = await Solver.create({ backend, logger: { warn: (message) => warnings.push(message), info() {} } });
  // The attempts of the continuation; the profiles in front of it have their own tests below.
  return { result: await solver.solve(scene, { profile: 'reference', ...options }), backend, warnings };
}

function expectUnchanged(result: Result): void {
  expect(result.moves).toEqual([]);
  expect(result.rmsMove).toBe(0);
  result.poses.forEach((pose, i) => {
    expect(pose).toBe(inputPoses[i]);
  });
  expect(result.after).toBe(result.before);
}

describe('status', () => {
  test('clean: nothing to repair, the solver is not asked', async () => {
    const { result, backend } = await solve([overlaps(0)]);
    expect(result.status).toBe('clean');
    expect(result).not.toHaveProperty('reason');
    expect(backend.solved).toHaveLength(0);
    expect(result.stats).toMatchObject({ algorithmStatus: 'not-run', backend: 'fake 1', steps: 0 });
    expectUnchanged(result);
  });

  test('solved: the first attempt that verifies is taken', async () => {
    const { result, backend } = await solve([overlaps(1), overlaps(0)], [solution(2)]);
    expect(result.status).toBe('solved');
    expect(result.moves).toMatchObject([{ name: 'right', translation: [2, 0, 0], wasOverlapping: true }]);
    expect(result.rmsMove).toBeCloseTo(Math.SQRT2, 12);
    expect([...(backend.checked[1]?.poses.slice(7, 10) ?? [])]).toEqual([2.5, 0, 0]);
  });

  test('what the solver believes does not count, only the evaluation', async () => {
    const { result } = await solve([overlaps(1), overlaps(0)], [solution(2, 'stagnation')]);
    expect(result.status).toBe('solved');
    const { result: lie } = await solve([overlaps(1), overlaps(1)], [solution(2)], { margin: 0 });
    expect(lie.status).toBe('stalled');
    expectUnchanged(lie);
  });

  test('improved: the attempt with the fewest overlaps is taken', async () => {
    const { result } = await solve(
      [overlaps(5), overlaps(3), overlaps(2), overlaps(2), overlaps(4)],
      [
        solution(1, 'stagnation', 'first'),
        solution(2, 'tail-budget', 'second.'),
        solution(3, 'stagnation', 'third'),
        solution(4, 'stagnation', 'fourth'),
      ],
    );
    expect(result).toMatchObject({ status: 'improved', reason: '2 of 5 overlaps are left (tail-budget: second)' });
    expect(result.poses[1]?.position[0]).toBe(2.5);
    expect(result.after.repairable).toBe(2);
    expect(result.stats).toMatchObject({ algorithmStatus: 'tail-budget', steps: 8 });
  });

  test('fewer overlaps with a deeper one among them are no improvement', async () => {
    const deeper = { ...overlaps(1), depth: Float64Array.of(1) };
    const { result } = await solve([overlaps(3), deeper], [solution(1, 'stagnation')], { reference: { marginSchedule: [1] } });
    expect(result.status).toBe('stalled');
    expectUnchanged(result);
  });

  test('stalled: no attempt is better than the input', async () => {
    const { result } = await solve(
      [overlaps(2), overlaps(2), overlaps(3), overlaps(2), overlaps(2)],
      Array(4).fill(solution(1, 'stagnation')),
    );
    expect(result).toMatchObject({
      status: 'stalled',
      reason: 'nothing better than the 2 overlaps of the input was found (the continuation ended as stagnation)',
    });
    expectUnchanged(result);
  });

  test('infeasible: the smallest clearance found no room either', async () => {
    const { result } = await solve([overlaps(2)], Array(4).fill(solution(0, 'container-infeasible', 'no room: {geom:0} against {geom:1}')));
    expect(result.status).toBe('infeasible');
    expect(result.reason).toBe("nothing better than the 2 overlaps of the input was found (no room: 'left/0' against 'right/0')");
    expectUnchanged(result);
  });

  test.each([
    ['cancelled', 'cancelled', 'cancelled by the caller'],
    ['time-limit', 'timeLimit', 'the time limit of 60 s was reached'],
  ] as const)('%s in the solver: the input comes back', async (status, expected, reason) => {
    const abort = new AbortController();
    const script = () => {
      if (status === 'cancelled') abort.abort();
      return solution(1, status);
    };
    const { result } = await solve([overlaps(2)], [script], { signal: abort.signal, timeLimit: 60 });
    expect(result).toMatchObject({ status: expected, reason });
    expectUnchanged(result);
  });

  test('interrupted evaluations prove nothing', async () => {
    const { result: early } = await solve([overlaps(0, true)], [], { timeLimit: 60 });
    expect(early.status).toBe('timeLimit');
    expect(early.before.interrupted).toBe(true);
    const { result: late } = await solve([overlaps(1), overlaps(0, true)], [solution(1)], { timeLimit: 60 });
    expect(late.status).toBe('timeLimit');
    expectUnchanged(late);
  });

  test('already aborted: nothing is computed', async () => {
    const { result, backend } = await solve([], [], { signal: AbortSignal.abort() });
    expect(result.status).toBe('cancelled');
    expect(result.before.interrupted).toBe(true);
    expect(backend.checked).toHaveLength(0);
    expectUnchanged(result);
  });

  test('aborted between two attempts', async () => {
    const abort = new AbortController();
    const script = () => {
      abort.abort();
      return overlaps(1);
    };
    const { result } = await solve([overlaps(2), script], [solution(1)], { signal: abort.signal });
    expect(result.status).toBe('cancelled');
    expectUnchanged(result);
  });
});

describe('profiles', () => {
  const tried = (backend: FakeBackend) => backend.solved.map(({ profile, margin }) => [profile, margin]);

  test.each(['default', 'quick'] as const)('%s alone if it separates everything', async (profile) => {
    const { result, backend } = await solve([overlaps(2), overlaps(0)], [solution(1)], { profile, margin: 0.01 });
    expect(result.status).toBe('solved');
    expect(result.stats.profile).toBe(profile);
    expect(tried(backend)).toEqual([[profile, 0.01]]);
  });

  test('what default leaves goes to reference, from the input again', async () => {
    const evaluations = [overlaps(4), overlaps(3), overlaps(1), overlaps(0)];
    const { result, backend } = await solve(
      evaluations,
      Array.from({ length: 3 }, () => solution(1)),
      { profile: 'default' },
    );
    expect(result.status).toBe('solved');
    expect(result.stats.profile).toBe('reference');
    expect(tried(backend)).toEqual([
      ['default', undefined],
      ['reference', undefined],
      ['reference', 0.02],
    ]);
  });

  test('the best attempt counts, whoever made it', async () => {
    const evaluations = [overlaps(4), overlaps(1), ...Array<PackedEvaluation>(4).fill(overlaps(2))];
    const { result } = await solve(
      evaluations,
      Array.from({ length: 5 }, () => solution(1)),
      { profile: 'default' },
    );
    expect(result).toMatchObject({ status: 'improved', stats: { profile: 'default' } });
    expect(result.after.repairable).toBe(1);
  });
});

describe('clearances', () => {
  const stuck = () => Array<PackedEvaluation>(5).fill(overlaps(1));
  test("without a margin the first is the profile's own, the next are fractions of it, for every pair", async () => {
    const { backend } = await solve(stuck(), Array(4).fill(solution(1)));
    expect(backend.solved[0]).not.toHaveProperty('margin');
    expect(backend.solved.slice(1).map((options) => options.margin)).toEqual([0.02, 0.02 * 0.25, 0.02 * 0.05]);
  });

  test('with a margin all are fractions of that', async () => {
    const { backend } = await solve(stuck(), Array(3).fill(solution(1)), { margin: 1, reference: { marginSchedule: [1, 0.5] } });
    expect(backend.solved.map((options) => options.margin)).toEqual([1, 0.5]);
  });

  test('with a margin the default schedule tries none twice', async () => {
    const { backend } = await solve(stuck(), Array(3).fill(solution(1)), { margin: 1 });
    expect(backend.solved.map((options) => options.margin)).toEqual([1, 0.25, 0.05]);
  });

  test('none is smaller than zero', async () => {
    const { backend } = await solve(stuck(), Array(3).fill(solution(1)), { margin: 0 });
    expect(backend.solved).toHaveLength(1);
  });
});

describe('promises of a result', () => {
  test('an attempt that breaks maxShift is rejected, the next one may do', async () => {
    const { result, warnings } = await solve([overlaps(1), overlaps(0), overlaps(0)], [solution(2), solution(0.5)], { maxShift: 1 });
    expect(warnings).toEqual(["an attempt was rejected: body 'right' moved by 2 m, more than maxShift = 1 m"]);
    expect(result).toMatchObject({ status: 'solved', moves: [{ distance: 0.5 }] });
  });

  test('frozen bodies stay even if the solver moves them', async () => {
    const { result } = await solve([overlaps(1), overlaps(0)], [solution(2)], { frozen: ['right'], margin: 0 });
    expect(result.status).toBe('stalled');
    expectUnchanged(result);
  });
});

describe('options', () => {
  test('tolerance, threads and the time left reach every call', async () => {
    const { backend } = await solve([overlaps(1), overlaps(0)], [solution(2)], { tolerance: 1e-3, threads: 3, timeLimit: 50 });
    for (const options of [...backend.checked.map((call) => call.options), ...backend.solved]) {
      expect(options).toMatchObject({ tolerance: 1e-3, threads: 3 });
      expect(options.timeLimit).toBeGreaterThan(0);
      expect(options.timeLimit).toBeLessThanOrEqual(50);
    }
  });

  test('progress is reported around the evaluations', async () => {
    const onProgress = jest.fn<(progress: Progress) => void>();
    await solve([overlaps(2), overlaps(0)], [solution(2)], { onProgress });
    expect(onProgress.mock.calls.map(([progress]) => progress)).toEqual([
      { stage: 'evaluate', fraction: 0, overlaps: -1 },
      { stage: 'evaluate', fraction: 1, overlaps: 2 },
      { stage: 'evaluate', fraction: 0, overlaps: -1 },
      { stage: 'evaluate', fraction: 1, overlaps: 0 },
    ]);
  });

  test('what onProgress throws comes out of solve', async () => {
    const onProgress = () => {
      throw new RangeError('mine');
    };
    await expect(solve([overlaps(2)], [], { onProgress })).rejects.toThrow(new RangeError('mine'));
  });

  test('bad options and scenes are refused before anything runs', async () => {
    await expect(solve([], [], { margin: -1 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    const solver = await Solver.create({ backend: new FakeBackend([]) });
    await expect(solver.solve({ ...scene, up: [0, 0, 0] })).rejects.toMatchObject({ code: 'INVALID_SCENE' });
    await expect(solver.check(scene, { threads: -1 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('check', () => {
  test('returns the evaluation', async () => {
    const solver = await Solver.create({ backend: new FakeBackend([overlaps(2)]) });
    expect(await solver.check(scene, { tolerance: 0.01 })).toMatchObject({ repairable: 2, repairableBodyPairs: 1 });
  });

  test('rejects with the reason of the signal, never with half a list', async () => {
    const reason = new Error('enough');
    const before = await Solver.create({ backend: new FakeBackend([]) });
    await expect(before.check(scene, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const script = () => {
      abort.abort(reason);
      return overlaps(1, true);
    };
    const during = await Solver.create({ backend: new FakeBackend([script]) });
    await expect(during.check(scene, { signal: abort.signal })).rejects.toBe(reason);
  });
});
