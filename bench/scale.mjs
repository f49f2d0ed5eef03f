// Large scenes of App. A.7, each solved in a process of its own so that its memory is its own.
//   npm run bench -- scale [--json] [--n 1000,...,30000] and the options of `main`
// `peakMegabytes`: largest resident set of the process, evaluation included; `sceneMegabytes`: with the scene built, before the
// solve. Reference looks at every pair of bodies and is left out above N = 5000 unless --profiles names it.

import { runCell } from './lib/cell.mjs';
import { runBench } from './lib/exit.mjs';
import { cellsOf, Report, start } from './lib/harness.mjs';
import { lineChart, slopeOf } from './lib/line-chart.mjs';
import { benchOptions, METHOD_NAMES, namesOf, PROFILES, wholeNumbers } from './lib/options.mjs';
import { seriesOf, settingOf, timePlot } from './lib/plots.mjs';
import { COLUMNS, groupsOf, LEGEND, meansOf, number, table, withRatios } from './lib/report.mjs';

const REFERENCE_LIMIT = 5000;

await runBench(async () => {
  const options = benchOptions('scale', {
    n: wholeNumbers([1000, 2000, 5000, 10000, 20000, 30000]),
    profiles: namesOf(PROFILES, METHOD_NAMES),
  });
  const report = new Report(options);
  const { methods } = await start(options, report);
  const skip = (method, n) => method.profile === 'reference' && n > REFERENCE_LIMIT && !options.given.includes('profiles');
  if (options.n.some((n) => methods.some((method) => skip(method, n)))) {
    report.note(`reference: left out above N = ${REFERENCE_LIMIT}; '--profiles reference' runs it`);
  }
  const rows = [];
  for (const cell of cellsOf(options, [{ spawn: 'box' }])) {
    for (const { name, ...method } of methods) {
      if (skip(method, cell.n)) continue;
      report.progress(`scale: ${cell.pool} N = ${cell.n} seed ${cell.seed} ${name}`);
      rows.push(await runCell({ bench: 'scale', cell, method: name, threads: options.threads }));
    }
  }
  report.finish(rows, tables, plots);
});

function means(rows) {
  return withRatios(meansOf(rows, ['pool', 'n', 'method']), ['pool', 'n']);
}

function tables(rows) {
  const { pool, n, method, pairs, left, contained, rmsd, seconds, timeRatio, status } = COLUMNS;
  const peak = ['peak MB', (row) => number(row.peakMegabytes, 0)];
  const lines = means(rows);
  return [
    LEGEND,
    table([pool, n, method, pairs, left, contained, rmsd, seconds, timeRatio, peak, status], lines),
    groupsOf(lines, ['pool', 'method']).map(growth).join('\n'),
  ].join('\n\n');
}

/** How time grows, over all N and from the first to the last. */
function growth(group) {
  const points = group.map((row) => [row.n, row.seconds]);
  const [first, last] = [group[0], group.at(-1)];
  const ends = slopeOf([points[0], points.at(-1)]);
  if (ends === undefined) return `${first.pool} ${first.method}: one N only, no growth to tell`;
  return `${first.pool} ${first.method}: N^${ends.toFixed(2)} from ${first.n} to ${last.n}, N^${slopeOf(points).toFixed(2)} fitted`;
}

function plots(rows) {
  const lines = means(rows);
  const subtitle = `scenes of App. A.7; ${settingOf(rows)}`;
  const memory = seriesOf(
    lines,
    (row) => row.n,
    (row) => row.peakMegabytes,
  );
  return {
    'scale-time.svg': timePlot(lines, 'Time of large scenes', subtitle),
    'scale-memory.svg': lineChart({
      title: 'Memory of large scenes',
      subtitle: `${subtitle}; evaluation included`,
      x: { label: 'bodies N', log: true },
      y: { label: 'peak resident set [MB]', log: true },
      series: memory,
    }),
  };
}
