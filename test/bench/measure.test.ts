/** One cell: what is timed, what is judged, and which methods there are. */
import { expect, test } from '@jest/globals';
import type { Pose, Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { loadBench, type PoolModule, type SpawnModule } from './load.js';

type Row = Record<string, unknown>;
interface Method {
  readonly name: string;
  readonly profile: string;
  readonly options: object;
  readonly pad?: string;
}

const { loadPool } = await loadBench<PoolModule>('lib/pools.mjs');
const { buildScene } = await loadBench<SpawnModule>('lib/spawn.mjs');
const { availableMethods, METHODS } = await loadBench<{
  METHODS: Record<string, Omit<Method, 'name'>>;
  availableMethods(solver: unknown, names: string[], skipped: (line: string) => void): Promise<Method[]>;
}>('lib/methods.mjs');
const { measureProfile, measureMethod } = await loadBench<{
  measureProfile(solver: Solver, cell: Row, scene: Scene, method: Method, threads: number): Promise<Row>;
  measureMethod(
    solver: Solver,
    cell: Row,
    scene: Scene,
    method: { name: string; solve: (scene: Scene) => object },
    threads: number,
  ): Promise<Row>;
}>('lib/measure.mjs');
const { S4rError } = await loadBench<{ S4rError: new (code: string, message: string) => Error }>('../dist/index.js');

const SCENE = buildScene(loadPool('procedural'), { spawn: 'box' }, 12, 1);
const CELL = { bench: 'test', pool: 'procedural', n: 12, seed: 1 };
const solver = await Solver.create();

test('a profile: the row says who, where, how well and how long', async () => {
  const row = await measureProfile(solver, CELL, SCENE, { name: 'reference', ...METHODS.reference! }, 1);
  expect(row).toMatchObject({
    ...CELL,
    method: 'reference',
    profile: 'reference',
    threads: 1,
    pairsAfter: 0,
    contained: 0,
    status: 'solved',
  });
  const { repairable } = await solver.check(SCENE);
  expect(row.pairsBefore).toBe(repairable);
  expect(repairable).toBeGreaterThan(0);
  expect(row.rmsd).toBeGreaterThan(0);
  expect(row.maxMove).toBeGreaterThanOrEqual(row.rmsd as number);
  const phases = row.phases as Record<string, number>;
  expect(Object.keys(phases)).toEqual(expect.arrayContaining(['setup', 'detect', 'qp', 'tail']));
  // Setup is part of the time, evaluations are not.
  expect(row.seconds).toBeGreaterThanOrEqual(phases.setup!);
  expect(phases).not.toHaveProperty('evaluateBefore');
});

test('a profile that turns bodies: the row says how far', async () => {
  const row = await measureProfile(solver, CELL, SCENE, { name: 'default+rotation', ...METHODS['default+rotation']! }, 1);
  expect(row).toMatchObject({ method: 'default+rotation', profile: 'default', pairsAfter: 0, status: 'solved' });
  expect(row.turn).toBeGreaterThan(0);
  expect(row.surfaceRmsd).toBeGreaterThan(row.rmsd as number);
});

test('any other method is judged by the same evaluator', async () => {
  const apart = (scene: Scene) => scene.bodies.map(({ X_WB }, i): Pose => ({ ...X_WB, position: [i, 0, 0] }));
  const spread = { name: 'spread', solve: async (scene: Scene) => ({ poses: apart(scene), status: 'solved', seconds: 2 }) };
  const still = { name: 'still', solve: (scene: Scene) => ({ poses: scene.bodies.map((body) => body.X_WB), status: 'stalled' }) };
  const row = await measureMethod(solver, CELL, SCENE, spread, 1);
  expect(row).toMatchObject({ ...CELL, method: 'spread', profile: null, pairsAfter: 0, contained: 0, seconds: 2, status: 'solved' });
  expect(row.maxMove).toBeGreaterThan(10);
  const unchanged = await measureMethod(solver, CELL, SCENE, still, 1);
  expect(unchanged).toMatchObject({ pairsBefore: row.pairsBefore, pairsAfter: row.pairsBefore, rmsd: 0, maxMove: 0 });
});

test('a profile the build lacks is skipped with a line; none left is exit code 3', async () => {
  const old = {
    solve: async (_: Scene, { profile }: { profile: string }) => {
      if (profile !== 'reference') throw new S4rError('INVALID_OPTION', `no ${profile}`);
    },
  };
  const lines: string[] = [];
  const methods = await availableMethods(old, ['reference', 'reference-literal', 'quick'], (line) => lines.push(line));
  expect(methods.map(({ name }) => name)).toEqual(['reference', 'reference-literal']);
  expect(methods.map(({ pad }) => pad)).toEqual(['clearance + 0.2 ds', '0.2 ds nf, as the paper states']);
  expect(lines).toEqual(["quick: skipped, this build of s4r has no profile 'quick'"]);
  await expect(availableMethods(old, ['quick'], () => undefined)).rejects.toMatchObject({ code: 3 });
  const still = {
    solve: async (_: Scene, options: object) => {
      if ('rotation' in options) throw new S4rError('INVALID_OPTION', 'no rotation');
    },
  };
  lines.length = 0;
  expect((await availableMethods(still, ['default', 'default+rotation'], (line) => lines.push(line))).map(({ name }) => name)).toEqual([
    'default',
  ]);
  expect(lines).toEqual(["default+rotation: skipped, this build of s4r has no rotation in profile 'default'"]);
  const broken = { solve: async () => Promise.reject(new Error('no native core')) };
  await expect(availableMethods(broken, ['reference'], () => undefined)).rejects.toThrow('no native core');
});
