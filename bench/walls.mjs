// Bodies in a closed cube of six half-spaces, by packing fraction: total mesh volume over the cube's volume (App. A.15).
//   npm run bench -- walls [--json] [--n 100] [--phi 0.14,0.18,0.22,0.26,0.3] and the options of `main`
// Rows: as `main`, plus phi, the fraction asked for, and fraction, the one the scene has. Pairs with walls count too. The paper solves 0.14 and fails from 0.18 on (12 to 35 pairs left).
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, start } from './lib/harness.mjs';
import { lineChart } from './lib/line-chart.mjs';
import { benchOptions, METHOD_NAMES, namesOf, PROFILES, positives, wholeNumbers } from './lib/options.mjs';
import { packingFraction } from './lib/packing.mjs';
import { seriesOf, settingOf } from './lib/plots.mjs';
import { loadPool } from './lib/pools.mjs';
import { COLUMNS, LEGEND, meansOf, table, withRatios } from './lib/report.mjs';
import { buildScene } from './lib/spawn.mjs';

const KEYS = ['pool', 'phi', 'n'];

await runBench(async () => {
  const options = benchOptions('walls', {
    n: wholeNumbers([100]),
    seeds: wholeNumbers([42, 123, 456, 7, 11], 0),
    phi: positives([0.14, 0.18, 0.22, 0.26, 0.3]),
    profiles: namesOf([...PROFILES, 'default+rotation'], METHOD_NAMES),
  });
  const report = new Report(options);
  const { solver, methods } = await start(options, report);
  const recipes = options.phi.map((phi) => ({ spawn: 'walls', phi }));
  const cells = cellsOf(options, recipes).map((cell) => ({ ...cell, fraction: fractionOf(cell) }));
  report.finish(await measureCells('walls', solver, cells, methods, options, report), tables, plots);
});

function fractionOf({ pool, recipe, n, seed }) {
  return packingFraction(buildScene(loadPool(pool), recipe, n, seed));
}

function means(rows) {
  return withRatios(meansOf(rows, [...KEYS, 'method']), KEYS);
}

function tables(rows) {
  const { pool, n, method, pairs, left, contained, rmsd, surface, turn, seconds, timeRatio, rmsdRatio, status } = COLUMNS;
  const phi = ['phi', (row) => row.fraction.toFixed(2)];
  return [
    LEGEND,
    table([pool, phi, n, method, pairs, left, contained, rmsd, surface, turn, seconds, timeRatio, rmsdRatio, status], means(rows)),
  ].join('\n\n');
}

/** Of the first N, if there are several. */
function plots(rows) {
  const lines = means(rows.filter((row) => row.n === rows[0].n));
  const subtitle = `N = ${rows[0].n} in a closed cube; ${settingOf(rows)}`;
  const plot = (title, label, y) =>
    lineChart({ title, subtitle, x: { label: 'packing fraction' }, y: { label }, series: seriesOf(lines, (row) => row.phi, y) });
  return {
    'walls-left.svg': plot('Pairs left between walls', 'overlapping pairs left', (row) => row.pairsAfter),
    'walls-rmsd.svg': plot('Displacement between walls', 'RMSD [m]', (row) => row.rmsd),
    'walls-time.svg': plot('Time between walls', 'setup + solve [s]', (row) => row.seconds),
  };
}
