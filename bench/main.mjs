// The main comparison: scenes of App. A.7 from N = 40 to 5000, seeds 42, 123, 456, one thread.
//   npm run bench -- main [--json] [--n 40,100] [--seeds 42] [--pool household,printable] [--profiles reference,default]
//                         [--threads 1] [--out FOLDER]
// Rows: see lib/measure.mjs. Lengths in m, objects are 0.1 m; seconds are setup + solve, evaluation outside.
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, start } from './lib/harness.mjs';
import { benchOptions, wholeNumbers } from './lib/options.mjs';
import { phasesPlot, rmsdPlot, settingOf, timePlot } from './lib/plots.mjs';
import { COLUMNS, LEGEND, meansOf, phaseColumns, table, withRatios } from './lib/report.mjs';

await runBench(async () => {
  const options = benchOptions('main', { n: wholeNumbers([40, 100, 200, 500, 1000, 2000, 5000]) });
  const report = new Report(options);
  const { solver, methods } = await start(options, report);
  for (const { name, pad } of methods) if (pad !== undefined) report.note(`${name}: boxes padded by ${pad}`);
  const rows = await measureCells('main', solver, cellsOf(options, [{ spawn: 'box' }]), methods, options, report);
  report.finish(rows, tables, plots);
});

function means(rows) {
  return withRatios(meansOf(rows, ['pool', 'n', 'method']), ['pool', 'n']);
}

function tables(rows) {
  const { pool, n, method, pairs, left, contained, rmsd, maxMove, seconds, timeRatio, solveRatio, rmsdRatio, status } = COLUMNS;
  const lines = means(rows);
  return [
    `${LEGEND}\nfaster: reference's time over this one's; no setup: the same without setup, which in reference holds the first detection.`,
    table([pool, n, method, pairs, left, contained, rmsd, maxMove, seconds, timeRatio, solveRatio, rmsdRatio, status], lines),
    'seconds per stage; detect includes the detections of the tail',
    table([pool, n, method, ...phaseColumns(lines)], lines),
  ].join('\n\n');
}

function plots(rows) {
  const lines = means(rows);
  const setting = `scenes of App. A.7; ${settingOf(rows)}`;
  return {
    'main-time.svg': timePlot(lines, 'Time against scene size', setting),
    'main-rmsd.svg': rmsdPlot(lines, 'Displacement against scene size', `${setting}; objects are 0.1 m`),
    'main-phases.svg': phasesPlot(lines, 'Where the time goes', setting),
  };
}
