/** The other methods and the barrier's precondition, as processes and in themselves. They build native/bench/baselines. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Pose, Scene } from '../../src/core/scene.js';
import { loadBench, type PoolModule, type SpawnModule } from './load.js';

type Row = Record<string, number | string | boolean | null>;
interface Attempt {
  readonly poses: readonly Pose[];
  readonly status: string;
}

const { loadPool } = await loadBench<PoolModule>('lib/pools.mjs');
const { buildScene } = await loadBench<SpawnModule>('lib/spawn.mjs');
const { nativeMethod, gapsOf } = await loadBench<{
  nativeMethod(name: string, timeLimit: number, building: () => void): (scene: Scene) => Promise<Attempt>;
  gapsOf(scene: Scene, range: number, building: () => void): Promise<{ distances: Float64Array; crossings: number }>;
}>('lib/baselines-native.mjs');
const { barrier } = await loadBench<{ barrier(distance: number): number }>('lib/barrier.mjs');

const OUT = mkdtempSync(join(tmpdir(), 's4r-bench-'));
afterAll(() => rmSync(OUT, { recursive: true, force: true }));
const quiet = () => undefined;
const BUILD_TIME = 600_000;

function bench(name: string, ...args: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '' }; // Jest's own flags are no business of the bench's
  const all = ['bench/run.mjs', name, '--pool', 'procedural', '--seeds', '42', ...args, '--out', join(OUT, name)];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

function rowsOf(name: string, ...args: string[]): Row[] {
  const { status, stdout, stderr } = bench(name, '--json', ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Row[];
}

test(
  'baselines: every method starts from the same overlaps and is judged by the same evaluator',
  () => {
    const rows = rowsOf('baselines', '--n', '12', '--profiles', 'reference', '--time-limit', '20');
    expect(rows.map(({ method }) => method)).toEqual([
      'reference',
      'direct-qp-1',
      'direct-qp-50',
      'global-qp',
      'pd-pgs',
      'soft-penalty',
      'rejection',
      'mujoco-damped',
      'rapier-damped',
    ]);
    const by = Object.fromEntries(rows.map((row) => [row.method, row])) as Record<string, Row>;
    for (const row of rows) {
      expect(row).toMatchObject({ bench: 'baselines', pool: 'procedural', n: 12, seed: 42, threads: 1, contained: 0 });
      expect(row.pairsBefore).toBe(by.reference!.pairsBefore);
      expect(row.rmsd).toBeGreaterThan(0);
      expect(row.seconds).toBeGreaterThan(0);
      expect(row.seconds).toBeLessThan(25);
    }
    expect(by.reference!.pairsBefore).toBeGreaterThan(0);
    for (const name of ['direct-qp-50', 'global-qp', 'pd-pgs', 'soft-penalty', 'rejection', 'mujoco-damped'])
      expect(by[name]).toMatchObject({ status: 'solved', pairsAfter: 0 });
    // One linearisation at depth leaves overlaps; the same QP again and again does not (Table A11).
    expect(by['direct-qp-1']).toMatchObject({ status: 'iterations used up' });
    expect(by['direct-qp-1']!.pairsAfter).toBeGreaterThan(0);
    // Bodies that no row pushes stay, so variables for them change nothing.
    expect(by['global-qp']!.rmsd).toBeCloseTo(by['direct-qp-50']!.rmsd as number, 4);
    // The engines turn bodies, the others do not.
    expect(by['mujoco-damped']!.turn).toBeGreaterThan(0.1);
    expect(by['mujoco-damped']!.surfaceRmsd).toBeGreaterThan(1.01 * (by['mujoco-damped']!.rmsd as number));
    expect(by['pd-pgs']).toMatchObject({ turn: expect.closeTo(0, 4), surfaceRmsd: expect.closeTo(by['pd-pgs']!.rmsd as number, 9) });
    expect(readdirSync(join(OUT, 'baselines')).sort()).toEqual(['left', 'rmsd', 'time'].map((plot) => `baselines-${plot}-procedural.svg`));
    for (const plot of readdirSync(join(OUT, 'baselines')))
      expect(readFileSync(join(OUT, 'baselines', plot), 'utf8')).not.toMatch(/NaN|undefined/);
  },
  BUILD_TIME,
);

test('baselines prints what each method does, and only of those that ran', () => {
  const { status, stdout } = bench('baselines', '--n', '6', '--profiles', 'reference', '--methods', 'rejection,pd-pgs');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^pool +N +method +pairs +left +contained +rmsd +surface +turn +max move +time s +faster +rmsd ratio +status$/m);
  expect(stdout).toMatch(/^rejection: +bodies one at a time/m);
  expect(stdout).not.toMatch(/soft-penalty:/);
});

test('a method that runs into its time limit says so and leaves the scene as far as it came', async () => {
  const scene = buildScene(loadPool('procedural'), { spawn: 'box' }, 40, 42);
  const { poses, status } = await nativeMethod('soft-penalty', 0.05, quiet)(scene);
  expect(status).toBe('time limit');
  expect(poses).toHaveLength(40);
  expect(poses.flatMap(({ position }) => position).every(Number.isFinite)).toBe(true);
});

test('the native methods refuse scenery and unknown names', async () => {
  const walled = buildScene(loadPool('procedural'), { spawn: 'walls', phi: 0.02 }, 4, 42);
  await expect(nativeMethod('pd-pgs', 1, quiet)(walled)).rejects.toThrow(/free bodies only/);
  await expect(nativeMethod('no-such-method', 1, quiet)(walled)).rejects.toThrow(/no baseline is called 'no-such-method'/);
});

test('gaps of two cubes with an edge of 0.1 m, placed along z', async () => {
  const corners = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, k >> 2].map((bit) => 0.1 * bit - 0.05));
  const sides = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
  const mesh = { vertices: Float64Array.from(corners.flat()), triangles: Int32Array.from(sides) };
  const scene = buildScene([{ name: 'cube', shape: { type: 'mesh', mesh }, volume: 1e-3 }], { spawn: 'box' }, 2, 1);
  const placed = (z: number): Scene => {
    const pose = (i: number): Pose => ({ position: [0, 0, i * z], quaternion: [1, 0, 0, 0] });
    return { ...scene, bodies: scene.bodies.map((body, i) => ({ ...body, X_WB: pose(i) })) };
  };
  const apart = await gapsOf(placed(0.5), 1, quiet);
  expect([...apart.distances, apart.crossings]).toEqual([expect.closeTo(0.4, 12), 0]);
  expect(await gapsOf(placed(0.5), 0.3, quiet)).toMatchObject({ distances: new Float64Array(0), crossings: 0 });
  const overlapping = await gapsOf(placed(0.09), 1, quiet);
  expect(overlapping.distances[0]).toBeLessThan(0);
  expect(overlapping.crossings).toBeGreaterThan(0);
});

test("the barrier is IPC's: infinite without a gap, smooth to zero at d_hat, the paper's figures in between", () => {
  expect([barrier(-0.01), barrier(0)]).toEqual([Infinity, Infinity]);
  expect([barrier(0.02), barrier(1)]).toEqual([0, 0]);
  // Sec. 4.7: gaps of 6e-5 and 3e-4 give 2.3e-3 and 1.6e-3.
  expect(barrier(6e-5)).toBeCloseTo(2.3e-3, 4);
  expect(barrier(3e-4)).toBeCloseTo(1.6e-3, 4);
});

test('ipc: the input violates the precondition, every profile establishes it', () => {
  const [input, ...solved] = rowsOf('ipc', '--n', '12');
  expect(input).toMatchObject({ bench: 'ipc', method: 'input', barrier: null, barrierClosest: null, holds: false, status: 'as spawned' });
  expect(input!.closestGap).toBeLessThan(0);
  expect(input!.crossings).toBeGreaterThan(0);
  expect(solved.map(({ method }) => method)).toEqual(['reference', 'default', 'quick']);
  for (const row of solved) {
    expect(row).toMatchObject({ pairsBefore: input!.pairsBefore, pairsAfter: 0, crossings: 0, holds: true, status: 'solved' });
    expect(row.closestGap).toBeGreaterThan(0);
    expect(row.barrier).toBeGreaterThanOrEqual(row.barrierClosest as number);
  }
  expect(readdirSync(join(OUT, 'ipc'))).toEqual(['ipc-gap.svg']);
});

test.each([
  ['baselines', ['--methods', 'avbd']],
  ['baselines', ['--time-limit', '1,2']],
  ['baselines', ['--threads', '2']],
  ['ipc', ['--n', '0']],
])('%s %j: usage, and exit code 2', (name, args) => {
  const { status, stdout, stderr } = bench(name, ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^usage: npm run bench -- ${name} \\[--json\\]`, 'm'));
});
