// s4r against other ways to the same end, on the scenes of App. A.7: the paper's own baselines (App. A.8, A.16.1) and what
// users do today, rejection sampling and damped stepping in an engine.
//   npm run bench -- baselines [--json] [--n 40,100] [--seeds 42] [--pool household,concave] [--methods pd-pgs,mujoco-damped]
//                              [--profiles reference,default,quick] [--time-limit 60] [--out FOLDER]
// Rows as in `main`; those of other methods also have turn [degrees] and surfaceRmsd [m]. What ran into the time limit [s per scene] says so and is judged as it stood.
import { BASELINES, DEPARTURES } from './lib/baselines.mjs';
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, start, warmUpScene } from './lib/harness.mjs';
import { benchOptions, METHOD_NAMES, namesOf, PROFILES, positive, wholeNumbers } from './lib/options.mjs';
import { leftPlot, rmsdPlot, settingOf, timePlot } from './lib/plots.mjs';
import { COLUMNS, groupsOf, LEGEND, meansOf, table, withRatios } from './lib/report.mjs';

const NAMES = Object.keys(BASELINES);

const TURNED =
  'surface: rmsd of the vertices, which sees turns [m]; turn: root mean square rotation [degrees]; faster, rmsd ratio: against\n' +
  'reference; status: what the method itself says, pairs left are what the evaluator says.';

await runBench(async () => {
  const options = benchOptions('baselines', {
    n: wholeNumbers([40, 100, 200, 500]),
    profiles: namesOf(PROFILES, METHOD_NAMES),
    methods: namesOf(NAMES, NAMES),
    'time-limit': positive(60),
    threads: undefined,
  });
  const single = { ...options, threads: 1 };
  const report = new Report(options);
  const { solver, methods } = await start(single, report);
  const baselines = options.methods.map((name) => {
    const solve = BASELINES[name].make(options['time-limit'], (line) => report.progress(line));
    return { name, solve };
  });
  for (const { solve } of baselines) await solve(warmUpScene());
  const cells = cellsOf(options, [{ spawn: 'box' }]);
  const rows = await measureCells('baselines', solver, cells, [...methods, ...baselines], single, report);
  report.finish(rows, tables, plots);
});

function means(rows) {
  return withRatios(meansOf(rows, ['pool', 'n', 'method']), ['pool', 'n']);
}

function tables(rows) {
  const { pool, n, method, pairs, left, contained, rmsd, surface, turn, maxMove, seconds, timeRatio, rmsdRatio, status } = COLUMNS;
  const shown = NAMES.filter((name) => rows.some((row) => row.method === name));
  const width = Math.max(...shown.map((name) => name.length)) + 1;
  return [
    `${LEGEND}\n${TURNED}`,
    shown.map((name) => `${`${name}:`.padEnd(width)} ${BASELINES[name].what}`).join('\n'),
    DEPARTURES,
    table([pool, n, method, pairs, left, contained, rmsd, surface, turn, maxMove, seconds, timeRatio, rmsdRatio, status], means(rows)),
  ].join('\n\n');
}

/** A set for each pool: the methods are many. */
function plots(rows) {
  const files = groupsOf(rows, ['pool']).flatMap((group) => {
    const lines = means(group);
    const [{ pool }] = group;
    const setting = `${pool} scenes of App. A.7; ${settingOf(group)}`;
    return [
      [`baselines-time-${pool}.svg`, timePlot(lines, 'Time of each method against scene size', setting)],
      [`baselines-rmsd-${pool}.svg`, rmsdPlot(lines, 'Displacement of each method against scene size', `${setting}; objects are 0.1 m`)],
      [`baselines-left-${pool}.svg`, leftPlot(lines, 'Overlaps that each method leaves', setting)],
    ];
  });
  return Object.fromEntries(files);
}
