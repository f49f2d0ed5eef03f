// Bodies that turn as well against bodies that only move (Sec. 4.6), in the box of App. A.7 and in one 2.5 times smaller along each axis.
//   npm run bench -- rotation [--json] [--n 40] [--seeds 42,...] [--profiles default,default+rotation] and the options of `main`
// Rows: as `main`, plus spawn, multiplier, turn [degrees] and surfaceRmsd [m]; both 0 and the rmsd where nothing turns.
// The paper, Table 5: rmsd 0.0869 to 0.0792 in the tight box at 4.8 times the time, 0.0290 to 0.0262 in the loose one at 2.4 times,
// the smaller rmsd on 8 of 8 seeds in both.
import { barChart } from './lib/bar-chart.mjs';
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, start } from './lib/harness.mjs';
import { ROTATION } from './lib/methods.mjs';
import { benchOptions, METHOD_NAMES, namesOf, wholeNumbers } from './lib/options.mjs';
import { settingOf } from './lib/plots.mjs';
import { COLUMNS, LEGEND, meansOf, number, seconds, table } from './lib/report.mjs';
import { TIGHT } from './lib/spawn.mjs';
import { TWIN_COLUMNS, twinNote, twinOf, withTwins } from './lib/twins.mjs';

const BOXES = { loose: 1, tight: TIGHT };
const KEYS = ['pool', 'multiplier', 'n'];

const TURNS =
  'surface: rmsd of the vertices, which sees turns [m]; turn: root mean square rotation [degrees]; to twin: against the same method\n' +
  'without turns; smaller rmsd: on how many seeds.';

await runBench(async () => {
  const options = benchOptions('rotation', {
    n: wholeNumbers([40]),
    seeds: wholeNumbers([42, 123, 456, 7, 11, 19, 23, 31], 0),
    profiles: namesOf(
      ROTATION.flatMap((name) => [twinOf(name), name]),
      METHOD_NAMES,
    ),
  });
  const report = new Report(options);
  const { solver, methods } = await start(options, report);
  const recipes = Object.values(BOXES).map((multiplier) => ({ spawn: 'box', multiplier }));
  const rows = await measureCells('rotation', solver, cellsOf(options, recipes), methods, options, report);
  report.finish(
    rows.map((row) => ({ turn: 0, surfaceRmsd: row.rmsd, ...row })),
    tables,
    plots,
  );
});

function means(rows) {
  return withTwins(meansOf(rows, [...KEYS, 'method']), rows, KEYS);
}

function nameOf({ multiplier }) {
  return Object.keys(BOXES).find((name) => BOXES[name] === multiplier);
}

function tables(rows) {
  const { pool, n, method, pairs, left, rmsd, surface, turn, maxMove, seconds: time, status } = COLUMNS;
  const spawn = ['spawn', nameOf];
  return [
    `${LEGEND}\n${TURNS}`,
    table([pool, spawn, n, method, pairs, left, rmsd, surface, turn, maxMove, time, ...TWIN_COLUMNS, status], means(rows)),
  ].join('\n\n');
}

function plots(rows) {
  const chart = (title, value, note) => {
    const bars = means(rows).map((row) => ({
      label: row.method,
      group: `${nameOf(row)}, ${row.pool}, N = ${row.n}, ${number(row.pairsBefore, 1)} pairs`,
      parts: { value: value(row) },
      note: `${note(row)}${row.pairsAfter > 0 ? `, ${number(row.pairsAfter, 1)} left` : ''}`,
    }));
    return barChart({ title, subtitle: settingOf(rows), bars });
  };
  return {
    'rotation-rmsd.svg': chart(
      'Displacement with and without turns [m]',
      (row) => row.rmsd,
      (row) => `${number(row.rmsd, 4)}${twinNote(row)}`,
    ),
    'rotation-surface.svg': chart(
      'Displacement of the surfaces with and without turns [m]',
      (row) => row.surfaceRmsd,
      (row) => `${number(row.surfaceRmsd, 4)}, turned by ${number(row.turn, 1)} degrees`,
    ),
    'rotation-time.svg': chart(
      'Time with and without turns [s]',
      (row) => row.seconds,
      (row) => `${seconds(row.seconds)} s`,
    ),
  };
}
