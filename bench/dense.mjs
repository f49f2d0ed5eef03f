// Crowded scenes: centres in a ball (App. A.13), and the box of App. A.7 shrunk by a multiplier per axis (App. A.15).
//   npm run bench -- dense [--json] [--n 100,500,1000,2000] [--box-n 1000] [--multipliers 0.7,0.85,1] and the options of `main`
// The paper leaves 1.3, 32 and 192 pairs in the balls of N = 500, 1000, 2000, and 9.3 in the box at multiplier 0.70.
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, start } from './lib/harness.mjs';
import { benchOptions, METHOD_NAMES, namesOf, PROFILES, positives, wholeNumbers } from './lib/options.mjs';
import { rmsdPlot, settingOf, timePlot } from './lib/plots.mjs';
import { COLUMNS, LEGEND, meansOf, table, withRatios } from './lib/report.mjs';

const KEYS = ['pool', 'spawn', 'multiplier', 'n'];

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
  const { pool, n, method, pairs, left, contained, rmsd, maxMove, seconds, timeRatio, rmsdRatio, status } = COLUMNS;
  const spawn = ['spawn', (row) => (row.spawn === 'ball' ? 'ball' : `box ${row.multiplier.toFixed(2)}`)];
  return [
    LEGEND,
    table([pool, spawn, n, method, pairs, left, contained, rmsd, maxMove, seconds, timeRatio, rmsdRatio, status], means(rows)),
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
