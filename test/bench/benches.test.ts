/** The benches as processes, on tiny scenes of the bundled pool. They need the built s4r. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const OUT = mkdtempSync(join(tmpdir(), 's4r-bench-'));
afterAll(() => rmSync(OUT, { recursive: true, force: true }));

function bench(name: string, ...args: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '' }; // Jest's own flags are no business of the bench's
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.mjs', name, ...args, '--out', join(OUT, name)], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

const TINY = ['--pool', 'procedural', '--seeds', '42', '--n', '6', '--profiles', 'reference'];
const ROW = { pool: 'procedural', method: 'reference', profile: 'reference', n: 6, seed: 42, threads: 1 };

test.each([
  ['main', [], 1, ['main-phases.svg', 'main-rmsd.svg', 'main-time.svg']],
  ['dense', ['--box-n', '6', '--multipliers', '0.85'], 2, ['dense-rmsd.svg', 'dense-time.svg']],
  ['walls', ['--phi', '0.02'], 1, ['walls-left.svg', 'walls-rmsd.svg', 'walls-time.svg']],
  ['scale', [], 1, ['scale-memory.svg', 'scale-time.svg']],
])('%s --json prints rows and nothing else, and writes its plots', (name, more, count, plots) => {
  const { status, stdout, stderr } = bench(name, '--json', ...TINY, ...more);
  expect({ status, errors: stderr.replace(/^reference: boxes padded.*\n/, '') }).toEqual({ status: 0, errors: '' });
  const rows = JSON.parse(stdout);
  expect(rows).toHaveLength(count);
  for (const row of rows) {
    expect(row).toMatchObject({ bench: name, ...ROW });
    for (const field of ['pairsBefore', 'pairsAfter', 'contained', 'rmsd', 'maxMove', 'seconds'])
      expect(row[field]).toBeGreaterThanOrEqual(0);
    expect(row.status).toMatch(/^(clean|solved|improved)$/);
  }
  if (name === 'scale') expect(rows[0].peakMegabytes).toBeGreaterThan(10);
  expect(readdirSync(join(OUT, name)).sort()).toEqual(plots);
  for (const plot of plots) expect(readFileSync(join(OUT, name, plot), 'utf8')).not.toMatch(/NaN|undefined/);
});

test('walls rows say how full the cube is', () => {
  const { stdout } = bench('walls', '--json', ...TINY, '--phi', '0.02,0.05');
  for (const row of JSON.parse(stdout)) expect(row.fraction).toBeCloseTo(row.phi, 12);
});

test('dense: a long tail and the clean-up in rows of their own, with what each did', () => {
  const few = [...TINY.slice(0, -1), 'reference-tail200,reference-cleanup', '--box-n', '6', '--multipliers', '0.7'];
  const { status, stdout } = bench('dense', ...few);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^pool +spawn +N +method +tail +left after +tail s +clean-up +left after +clean-up s$/m);
  for (const name of ['reference-tail200', 'reference-cleanup']) expect(stdout.match(new RegExp(` ${name} `, 'g'))).toHaveLength(4);
});

test('rotation: turning bodies moves their centres less, and the rows tell how far it turned them', () => {
  const few = ['--pool', 'procedural', '--seeds', '42,7', '--n', '12', '--profiles', 'default,default+rotation'];
  const { status, stdout, stderr } = bench('rotation', '--json', ...few);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const rows = JSON.parse(stdout);
  expect(rows).toHaveLength(8);
  const mean = (method: string, multiplier: number, field: string) =>
    rows
      .filter((row: Record<string, unknown>) => row.method === method && row.multiplier === multiplier)
      .reduce((sum: number, row: Record<string, number>) => sum + (row[field] as number) / 2, 0);
  for (const row of rows) expect(row).toMatchObject({ bench: 'rotation', spawn: 'box', profile: 'default', pairsAfter: 0 });
  for (const multiplier of [1, 0.4]) {
    expect(mean('default+rotation', multiplier, 'rmsd')).toBeLessThan(mean('default', multiplier, 'rmsd'));
    expect(mean('default+rotation', multiplier, 'turn')).toBeGreaterThan(0.1);
    expect(mean('default+rotation', multiplier, 'surfaceRmsd')).toBeGreaterThan(mean('default+rotation', multiplier, 'rmsd'));
    expect(mean('default', multiplier, 'turn')).toBe(0);
    expect(mean('default', multiplier, 'surfaceRmsd')).toBe(mean('default', multiplier, 'rmsd'));
  }
  expect(readdirSync(join(OUT, 'rotation')).sort()).toEqual(['rotation-rmsd.svg', 'rotation-surface.svg', 'rotation-time.svg']);
});

test('rotation prints ratios to the twin', () => {
  const few = ['--pool', 'procedural', '--seeds', '42', '--n', '12', '--profiles', 'default,default+rotation'];
  const { status, stdout } = bench('rotation', ...few);
  expect(status).toBe(0);
  expect(stdout).toMatch(/ rmsd to twin +time to twin +smaller rmsd +status$/m);
  expect(stdout).toMatch(/^procedural +tight +12 +default\+rotation .* [-+][\d.]+ % +[\d.]+x +[01] of 1 +solved$/m);
});

test('upright: apart, upright and on the plane, and a picture', () => {
  const few = ['--pool', 'procedural', '--scenes', '8', '--profiles', 'default'];
  const { status, stdout, stderr } = bench('upright', '--json', ...few);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [row, ...others] = JSON.parse(stdout);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    ...ROW,
    bench: 'upright',
    method: 'default',
    profile: 'default',
    n: 10,
    scene: 8,
    wanted: 20,
    status: 'solved',
  });
  expect(Math.abs(row.pairsBefore - 20)).toBeLessThanOrEqual(2);
  expect(row.pairsAfter).toBe(0);
  expect(row.tilt).toBeLessThan(1e-6);
  expect(row.heightError).toBeLessThan(1e-6);
  expect(row.inPlaneRms).toBeGreaterThan(0.001);
  expect(row.inPlaneRms).toBeLessThan(row.rmsd);
  expect(row.yaw).toBeGreaterThan(0);
  const picture = readFileSync(join(OUT, 'upright', 'upright-8.svg'), 'utf8');
  expect(picture.match(/<image /g)).toHaveLength(4);
  expect(picture.length).toBeLessThan(200_000);
  const { stdout: text } = bench('upright', ...few);
  expect(text).toMatch(/^default: 1 of 1 solved: apart, upright, on the plane$/m);
  expect(readFileSync(join(OUT, 'upright', 'upright-8.svg'), 'utf8')).toBe(picture);
});

test('prepared --json prints a row with the times of its states', () => {
  const few = ['--pool', 'procedural', '--seeds', '42', '--n', '6', '--states', '4', '--profiles', 'quick'];
  const { status, stdout, stderr } = bench('prepared', '--json', ...few);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [row, ...others] = JSON.parse(stdout);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    ...ROW,
    bench: 'prepared',
    method: 'quick',
    profile: 'quick',
    states: 4,
    solved: 4,
    pairsAfter: 0,
    status: 'solved',
  });
  expect(row.milliseconds).toHaveLength(4);
  expect(row.milliseconds).toEqual([...row.milliseconds].sort((a, b) => a - b));
  expect(row.median).toBeGreaterThan(0);
  expect(row.p99).toBeGreaterThanOrEqual(row.median);
  expect(readFileSync(join(OUT, 'prepared', 'prepared-time.svg'), 'utf8')).not.toMatch(/NaN|undefined/);
});

test('narrow --json prints rows for every query, and writes its plot', () => {
  const few = ['--pool', 'procedural', '--sizes', '100,hulls', '--pairs', '2', '--poses', '2', '--rounds', '1'];
  const { status, stdout, stderr } = bench('narrow', '--json', ...few, '--kernels', 'portable');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const rows = JSON.parse(stdout);
  for (const row of rows) {
    expect(row).toMatchObject({ bench: 'narrow', method: expect.stringMatching(/^(fcl|portable|gjk)$/) });
    expect(row.nanoseconds).toBeGreaterThan(0);
    expect(row.ratio).toBeGreaterThan(0);
  }
  const queries = (method: string, size: string, gap: string) =>
    rows
      .filter((row: Record<string, unknown>) => row.method === method && row.size === size && row.class === gap)
      .map((row: Record<string, unknown>) => row.query);
  const common = ['boolean', 'distance', 'distance to 20 mm', 'distance, warm'];
  expect(queries('fcl', '100', '0-20 mm')).toEqual(['boolean', 'distance']);
  expect(queries('portable', '100', 'overlapping')).toEqual([...common, 'all crossings']);
  expect(queries('portable', '100', '0-20 mm')).toEqual([...common, 'cover to 4 mm', 'cover to 10 mm', 'cover to 20 mm']);
  expect(queries('portable', '100', '20-50 mm')).toEqual(common);
  expect(queries('gjk', 'hull-60', '0-20 mm')).toEqual(['convex', 'convex, warm']);
  expect(readdirSync(join(OUT, 'narrow'))).toEqual(['narrow-ratio.svg']);
});

test('main prints a table, with the pad of the reference rows', () => {
  const { status, stdout } = bench('main', ...TINY.slice(0, -1), 'reference,reference-literal');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^reference-literal: boxes padded by 0\.2 ds nf, as the paper states$/m);
  expect(stdout).toMatch(/^pool +N +method +pairs +left +contained +rmsd +max move +time s +faster +no setup +rmsd ratio +status$/m);
  expect(stdout).toMatch(/^procedural +6 +reference-literal /m);
});

test("ablation prints the paper's figures beside ours", () => {
  const { status, stdout } = bench('ablation', '--tables', 'A13,A16', ...TINY.slice(0, -2));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Table A13: scale of impact$/m);
  expect(stdout).toMatch(/^procedural +6 +fixed ds = 0\.01 +99\.0 \(99\) +[\d.]+ \(0\.34\)/m);
  expect(stdout).toMatch(/^procedural +6 +dense QP +18 \(120\)/m);
});

test.each([
  ['main', ['--no-such-option']],
  ['main', ['stray']],
  ['main', ['--n', '0']],
  ['main', ['--n', '40,']],
  ['main', ['--pool', 'kubric']],
  ['main', ['--profiles', 'fast']],
  ['main', ['--threads', '1,2']],
  ['walls', ['--phi', '-1']],
  ['narrow', ['--sizes', '200']],
  ['narrow', ['--pairs', '0']],
  ['narrow', ['--n', '40']],
  ['rotation', ['--profiles', 'rotation']],
  ['upright', ['--scenes', '0']],
  ['upright', ['--n', '40']],
  ['ablation', ['--tables', 'A10']],
  ['ablation', ['--profiles', 'reference']],
])('%s %j: usage, and exit code 2', (name, args) => {
  const { status, stdout, stderr } = bench(name, ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^usage: npm run bench -- ${name} \\[--json\\]`, 'm'));
  expect(stderr).not.toMatch(/^ +at /m);
});
