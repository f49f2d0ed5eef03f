// Crowded scenes: centres in a ball (App. A.13), and the box of App. A.7 shrunk by a multiplier per axis (App. A.15).
//   npm run bench -- dense [--json] [--n 100,500,1000,2000] [--box-n 1000] [--multipliers 0.7,0.85,1] and the options of `main`
// The paper leaves 1.3, 32 and 192 pairs in the balls of N = 500, 1000, 2000, and 9.3 in the box at multiplier 0.70, which a tail of 200
// iterations clears: --profiles reference-tail200; the penalty pass of App. A.2 behind the tail: --profiles reference-cleanup.
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, start } from './lib/harness.mjs';
import { benchOptions, METHOD_NAMES, namesOf, PROFILES, positives, wholeNumbers } from './lib/options.mjs';
import { rmsdPlot, settingOf, timePlot } from './lib/plots.mjs';
import { COLUMNS, LEGEND, meansOf, number, seconds, table, withRatios } from './lib/report.mjs';

const KEYS = ['pool', 'spawn', 'multiplier', 'n'];

const ENDS = 'tail, clean-up: their iterations; left after: pairs by the detector of the solver after each; - where it did not run';

/** Of `counts` and of `phases`. */
const END_COLUMNS = [
  ['tail', ({ counts }) => number(counts.tailIterations, 1)],
  ['left after', ({ counts }) => number(counts.overlapsAfterTail, 1)],
  ['tail s', ({ phases }) => phases.tail && seconds(phases.tail)],
  ['clean-up', ({ counts }) => (counts.cleanupIterations > 0 ? number(counts.cleanupIterations, 1) : '-')],
  ['left after', ({ counts }) => (counts.cleanupIterations > 0 ? number(counts.overlapsAfterCleanup, 1) : '-')],
  ['clean-up s', ({ phases }) => (phases.cleanup > 0 ? seconds(phases.cleanup) : '-')],
];

await runBench(async () => {
  const options = benchOptions('dense', {
    n: wholeNumbers([100, 500, 1000, 2000]),
    'box-n': wholeNumbers([1000]),
    multipliers: positives([0.7, 0.85, 1]),
    profiles: namesOf(PROFILES, METHOD_NAMES),
  });
  const report = new Report(options);
  const { solver, methods } = await start(options, report);
  const boxes = options.multipliers.map((multiplier) => ({ spawn: 'box', multiplier }));
  const cells = [...cellsOf(options, [{ spawn: 'ball' }]), ...cellsOf({ ...options, n: options['box-n'] }, boxes)];
  report.finish(await measureCells('dense', solver, cells, methods, options, report), tables, plots);
});

function means(rows) {
  return withRatios(meansOf(rows, [...KEYS, 'method']), KEYS);
}

function tables(rows) {
  const { pool, n, method, pairs, left, contained, rmsd, maxMove, seconds: time, timeRatio, rmsdRatio, status } = COLUMNS;
  const spawn = ['spawn', (row) => (row.spawn === 'ball' ? 'ball' : `box ${row.multiplier.toFixed(2)}`)];
  const lines = means(rows);
  const ends = lines.filter((row) => row.profile === 'reference');
  return [
    LEGEND,
    table([pool, spawn, n, method, pairs, left, contained, rmsd, maxMove, time, timeRatio, rmsdRatio, status], lines),
    ...(ends.length === 0 ? [] : [`${ENDS}\n${table([pool, spawn, n, method, ...END_COLUMNS], ends)}`]),
  ].join('\n\n');
}

function plots(rows) {
  const balls = means(rows).filter((row) => row.spawn === 'ball');
  const setting = `spherical spawn of App. A.13; ${settingOf(rows)}`;
  return {
    'dense-time.svg': timePlot(balls, 'Time in dense balls', setting),
    'dense-rmsd.svg': rmsdPlot(balls, 'Displacement in dense balls', setting),
  };
}
