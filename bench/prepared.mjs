// Prepared scenes: the same bodies resolved from many random states, as the resets of a training environment are.
//   npm run bench -- prepared [--json] [--n 40] [--states 200] and the options of `main`
// `seeds`: which bodies; the states follow from it. Milliseconds of wall time per call of `resolve`, the evaluator's verdict
// included; building the prepared scene is a column of its own.
import { runBench } from './lib/exit.mjs';
import { Report, warmSolver } from './lib/harness.mjs';
import { lineChart } from './lib/line-chart.mjs';
import { benchOptions, namesOf, wholeNumbers } from './lib/options.mjs';
import { loadPool } from './lib/pools.mjs';
import { number, table } from './lib/report.mjs';
import { buildScene, drawPoses } from './lib/spawn.mjs';

const RECIPE = { spawn: 'box' };
/** States resolved before the clock counts. */
const WARM_UP = 10;

await runBench(async () => {
  const options = benchOptions('prepared', {
    n: wholeNumbers([40]),
    seeds: wholeNumbers([42], 0),
    states: wholeNumbers([200]),
    profiles: namesOf(['default', 'quick'], ['default', 'quick']),
  });
  const report = new Report(options);
  const solver = await warmSolver(options.threads);
  const rows = [];
  for (const pool of options.pool)
    for (const n of options.n)
      for (const seed of options.seeds)
        for (const profile of options.profiles) {
          report.progress(`prepared: ${pool} N = ${n} seed ${seed} ${profile}`);
          const cell = { bench: 'prepared', pool, method: profile, profile, n, seed, threads: options.threads };
          rows.push({ ...cell, ...(await measure(solver, cell, options.states[0])) });
        }
  report.finish(rows, tables, plots);
});

async function measure(solver, { pool, n, seed, profile, threads }, states) {
  const scene = buildScene(loadPool(pool), RECIPE, n, seed);
  const begin = performance.now();
  const prepared = await solver.prepare(scene, { profile, threads });
  const prepareMilliseconds = performance.now() - begin;
  const milliseconds = [];
  const count = { solved: 0, clean: 0, pairsBefore: 0, pairsAfter: 0, rms: 0 };
  for (let state = -WARM_UP; state < states; state++) {
    const poses = drawPoses(scene, RECIPE, seed + 1000 + state);
    const start = performance.now();
    const found = await prepared.resolve(poses);
    if (state < 0) continue;
    milliseconds.push(performance.now() - start);
    if (found.status === 'solved' || found.status === 'clean') count[found.status]++;
    count.pairsBefore += found.overlapsBefore / states;
    count.pairsAfter += found.overlapsAfter;
    count.rms += found.rmsMove / states;
  }
  milliseconds.sort((a, b) => a - b);
  const quantile = (q) => milliseconds[Math.min(milliseconds.length - 1, Math.floor(q * milliseconds.length))];
  return {
    states,
    solved: count.solved + count.clean,
    status: count.solved + count.clean === states ? 'solved' : `${count.solved + count.clean} of ${states} solved`,
    pairsBefore: count.pairsBefore,
    pairsAfter: count.pairsAfter,
    rmsd: count.rms,
    prepareMilliseconds,
    median: quantile(0.5),
    p90: quantile(0.9),
    p99: quantile(0.99),
    max: milliseconds.at(-1),
    seconds: milliseconds.reduce((sum, value) => sum + value, 0) / 1000,
    milliseconds,
  };
}

function tables(rows) {
  const ms = (name, key) => [name, (row) => number(row[key], 2)];
  return [
    'ms per state; pairs: mean per state before, sum over all states after',
    table(
      [
        ['pool', (row) => row.pool],
        ['N', (row) => row.n],
        ['method', (row) => row.method],
        ['states', (row) => row.states],
        ['solved', (row) => row.solved],
        ['pairs', (row) => number(row.pairsBefore, 1)],
        ['left', (row) => row.pairsAfter],
        ['RMSD', (row) => number(row.rmsd, 4)],
        ms('prepare', 'prepareMilliseconds'),
        ms('median', 'median'),
        ms('p90', 'p90'),
        ms('p99', 'p99'),
        ms('max', 'max'),
      ],
      rows,
    ),
  ].join('\n');
}

function plots(rows) {
  const percentiles = Array.from({ length: 21 }, (_, k) => 5 * k);
  const at = (sorted, percent) => sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))];
  const series = rows.map((row) => ({
    name: `${row.pool} N = ${row.n} ${row.method}`,
    points: percentiles.map((percent) => [percent, at(row.milliseconds, percent)]),
    note: `median ${number(row.median, 2)}, p99 ${number(row.p99, 2)} ms`,
  }));
  const y = { label: 'milliseconds' };
  return {
    'prepared-time.svg': lineChart({
      title: 'Time per resolved state',
      subtitle: 'verdict included',
      x: { label: 'percentile' },
      y,
      series,
    }),
  };
}
