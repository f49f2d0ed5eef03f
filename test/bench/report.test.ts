/** Means, ratios, tables and plots of the benches. */
import { expect, test } from '@jest/globals';
import { loadBench } from './load.js';

type Row = Record<string, unknown>;
type Column = [string, (row: Row) => unknown];

const { meansOf, table, withRatios } = await loadBench<{
  meansOf(rows: Row[], keys: string[]): Row[];
  withRatios(means: Row[], keys: string[]): Row[];
  table(columns: Column[], rows: Row[]): string;
}>('lib/report.mjs');
const { withTwins } = await loadBench<{ withTwins(means: Row[], rows: Row[], keys: string[]): Row[] }>('lib/twins.mjs');
const { lineChart, slopeOf } = await loadBench<{ lineChart(chart: object): string; slopeOf(points: number[][]): number | undefined }>(
  'lib/line-chart.mjs',
);
const { barChart } = await loadBench<{ barChart(chart: object): string }>('lib/bar-chart.mjs');

const row = (method: string, seed: number, seconds: number, more: Row = {}): Row => ({
  method,
  n: 40,
  seed,
  pairsBefore: 10,
  pairsAfter: 0,
  contained: 0,
  rmsd: 0.02,
  maxMove: seed / 1000,
  maxDepth: 0,
  seconds,
  status: 'solved',
  phases: { qp: seconds / 2 },
  ...more,
});

test('means over seeds, largest moves, statuses counted, ratios to reference', () => {
  const rows = [
    row('reference', 1, 2),
    row('reference', 2, 4),
    row('default', 1, 0.5, { rmsd: 0.01 }),
    row('default', 2, 1, { status: 'stalled' }),
  ];
  const [reference, other] = withRatios(meansOf(rows, ['n', 'method']), ['n']);
  expect(reference).toMatchObject({ seconds: 3, maxMove: 0.002, status: 'solved', seeds: 2, phases: { qp: 1.5 }, timeRatio: 1 });
  expect(other).toMatchObject({ seconds: 0.75, rmsd: 0.015, status: '1 solved, 1 stalled', timeRatio: 4, solveRatio: 4, rmsdRatio: 0.75 });
});

test('a method that turns bodies beside its twin: ratios of the means, and seeds that gain', () => {
  const rows = [
    row('default', 1, 1, { rmsd: 0.04 }),
    row('default', 2, 1, { rmsd: 0.02 }),
    row('default+rotation', 1, 3, { rmsd: 0.02 }),
    row('default+rotation', 2, 2, { rmsd: 0.025 }),
    row('reference+rotation', 1, 3),
  ];
  const [base, turning, alone] = withTwins(meansOf(rows, ['n', 'method']), rows, ['n']);
  expect(base).not.toHaveProperty('twin');
  expect(alone).not.toHaveProperty('twin');
  const { rmsd, ...twin } = turning!.twin as Record<string, number>;
  expect(rmsd).toBeCloseTo(0.75, 12);
  expect(twin).toEqual({ seconds: 2.5, smaller: 1, of: 2 });
});

test('a table: numbers to the right, words to the left', () => {
  const columns: Column[] = [
    ['name', ({ name }) => name],
    ['value', ({ value }) => value],
  ];
  const lines = table(columns, [
    { name: 'a', value: 1 },
    { name: 'long', value: undefined },
  ]);
  expect(lines).toBe('name  value\na         1\nlong      -');
});

test('the slope of a power law is its exponent', () => {
  expect(slopeOf([10, 100, 1000].map((n) => [n, 3 * n ** 1.15]))).toBeCloseTo(1.15, 12);
  expect(slopeOf([[10, 1]])).toBeUndefined();
});

const series = (points: number[][]) => [{ name: 'a < b', points, note: 'N^1' }];

test.each([
  [
    'several points',
    [
      [40, 0.1],
      [1000, 30],
      [5000, 2000],
    ],
    true,
  ],
  ['one point', [[40, 0.1]], true],
  [
    'all zero',
    [
      [0.1, 0],
      [0.2, 0],
    ],
    false,
  ],
  ['no point', [], true],
])('a line chart of %s has no bad coordinate', (_, points, log) => {
  const svg = lineChart({ title: 'T', subtitle: 'S', x: { label: 'N', log }, y: { label: 's', log }, series: series(points) });
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(svg).not.toMatch(/NaN|Infinity|undefined|a < b/);
  expect(lineChart({ title: 'T', subtitle: 'S', x: { label: 'N', log }, y: { label: 's', log }, series: series(points) })).toBe(svg);
});

test('a bar chart: groups, parts, bars of nothing', () => {
  const bars = [
    { label: 'reference', group: 'N = 40', parts: { setup: 1, tail: 3 }, note: '4 s' },
    { label: 'clean', group: 'N = 100', parts: { setup: 0, tail: 0 }, note: '0 s' },
  ];
  const svg = barChart({ title: 'T', subtitle: 'S', bars, share: true });
  expect(svg).toContain('N = 100');
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});
