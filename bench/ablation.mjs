// The paper's Tables A11 to A16 with the reference profile: one component on or off, everything else at the paper's setting.
// Table `parts`: the parts of the default profile, each off.
//   npm run bench -- ablation [--json] [--tables A11,A13,parts] [--n 40] and --seeds, --pool, --threads, --out as in `main`
// --n and --pool replace those of every table; the paper's figures beside ours then belong to other scenes.
// HY3D-Full of Table A12 has no counterpart among the pools.
import { ABLATIONS } from './lib/ablation-tables.mjs';
import { barChart } from './lib/bar-chart.mjs';
import { runBench } from './lib/exit.mjs';
import { cellsOf, measureCells, Report, warmSolver } from './lib/harness.mjs';
import { benchOptions, namesOf } from './lib/options.mjs';
import { settingOf } from './lib/plots.mjs';
import { loadPool } from './lib/pools.mjs';
import { groupsOf, meansOf, seconds, table } from './lib/report.mjs';

const TABLES = Object.keys(ABLATIONS);

await runBench(async () => {
  const options = benchOptions('ablation', { tables: namesOf(TABLES, TABLES), profiles: undefined });
  const report = new Report(options);
  const settings = options.tables.flatMap((id) => scenesOf(id, options).map((scenes) => ({ id, scenes })));
  for (const { scenes } of settings) for (const pool of scenes.pool) loadPool(pool);
  const solver = await warmSolver(options.threads);
  const rows = [];
  for (const { id, scenes } of settings) {
    const cells = cellsOf({ ...scenes, seeds: options.seeds }, [{ spawn: 'box' }]).map((cell) => ({ ...cell, table: id }));
    rows.push(...(await measureCells('ablation', solver, cells, ABLATIONS[id].variants, options, report)));
  }
  report.finish(rows, tables, plots);
});

/** Pools and sizes of a table: its own, or those of the command line. */
function scenesOf(id, { given, pool, n }) {
  return ABLATIONS[id].on.map((own) => ({ pool: given.includes('pool') ? pool : [own.pool], n: given.includes('n') ? n : [own.n] }));
}

function means(rows) {
  return meansOf(rows, ['table', 'pool', 'n', 'method']);
}

function tables(rows) {
  const note = "Each figure: ours, then the paper's in brackets (14 Xeon cores at 2.4 GHz, Python with FCL). Means over seeds.";
  return [note, ...groupsOf(means(rows), ['table']).map(oneTable)].join('\n\n');
}

function oneTable(lines) {
  const { title, columns, variants, on } = ABLATIONS[lines[0].table];
  const printedFor = (row) => {
    const printed = variants.find(({ name }) => name === row.method).printed;
    const own = on.find(({ pool }) => pool === row.pool) ?? on[0];
    return own.printed === undefined ? printed : (printed[own.printed] ?? {});
  };
  const cell = (key, value, digits) => (row) => {
    const theirs = printedFor(row)[key];
    return `${value(row).toFixed(digits)}${theirs === undefined ? '' : ` (${theirs})`}`;
  };
  const own = columns.map(([key, heading, value, digits]) => [heading, cell(key, value, digits)]);
  return `Table ${lines[0].table}: ${title}\n${table(
    [['pool', (row) => row.pool], ['N', (row) => row.n], ['variant', (row) => row.method], ...own, ['status', (row) => row.status]],
    lines,
  )}`;
}

function plots(rows) {
  const bars = means(rows).map((row) => ({
    label: row.method,
    group: `Table ${row.table}: ${row.pool}, N = ${row.n}`,
    parts: { time: row.seconds / slowest(rows, row) },
    note: `${seconds(row.seconds)} s, RMSD ${row.rmsd.toFixed(4)}${row.pairsAfter > 0 ? `, ${row.pairsAfter.toFixed(1)} left` : ''}`,
  }));
  const subtitle = `${settingOf(rows)}; bars are relative to their group`;
  return { 'ablation.svg': barChart({ title: 'One component at a time', subtitle, bars }) };
}

/** The longest mean time among the rows of the same table and scenes. */
function slowest(rows, { table: id, pool, n }) {
  return Math.max(...means(rows.filter((row) => row.table === id && row.pool === pool && row.n === n)).map((row) => row.seconds));
}
