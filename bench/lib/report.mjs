// Rows of measurements to means and aligned tables.

/** Means over the seeds of rows alike in `keys`, in order of appearance. Of LARGEST_FIELDS, the largest. */
export function meansOf(rows, keys) {
  return groupsOf(rows, keys).map((group) => {
    const mean = (value) => group.reduce((sum, row) => sum + value(row), 0) / group.length;
    const present = (names) => names.filter((name) => group[0][name] !== undefined);
    const means = Object.fromEntries(present(MEAN_FIELDS).map((name) => [name, mean((row) => row[name])]));
    const largest = Object.fromEntries(present(LARGEST_FIELDS).map((name) => [name, Math.max(...group.map((row) => row[name]))]));
    const nested = Object.fromEntries(
      ['phases', 'counts'].map((name) => {
        const names = Object.keys(group[0][name] ?? {});
        return [name, Object.fromEntries(names.map((key) => [key, mean((row) => row[name]?.[key] ?? 0)]))];
      }),
    );
    return { ...group[0], ...means, ...largest, ...nested, seeds: group.length, status: statusOf(group) };
  });
}

const MEAN_FIELDS = ['pairsBefore', 'pairsAfter', 'contained', 'rmsd', 'turn', 'surfaceRmsd', 'seconds'];
const LARGEST_FIELDS = ['maxMove', 'maxDepth', 'peakMegabytes'];

/** Rows alike in `keys`, in order of appearance. */
export function groupsOf(rows, keys) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name] ?? null));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** `solved` if all seeds ended so, otherwise how many ended how. */
function statusOf(group) {
  const counts = groupsOf(group, ['status']).map((same) => `${same.length} ${same[0].status}`);
  return counts.length === 1 ? group[0].status : counts.join(', ');
}

/** Adds `timeRatio`, `solveRatio` (setup left out) and `rmsdRatio`: this row against that of `baseline` alike in `keys`. */
export function withRatios(means, keys, baseline = 'reference') {
  return means.map((row) => {
    const base = means.find((other) => other.method === baseline && keys.every((name) => other[name] === row[name]));
    if (base === undefined) return row;
    const solve = ({ seconds, phases }) => seconds - (phases.setup ?? 0);
    const [timeRatio, solveRatio] = [base.seconds / row.seconds, solve(base) / solve(row)];
    return { ...row, timeRatio, solveRatio, rmsdRatio: row.rmsd / base.rmsd };
  });
}

/** Columns are [title, text of a row]; text that starts like a number is set flush right. */
export function table(columns, rows) {
  const cells = rows.map((row) => columns.map(([, text]) => String(text(row) ?? '-')));
  const right = columns.map((_, k) => cells.every((line) => /^(-|[-+]?[\d.])/.test(line[k])));
  const widths = columns.map(([title], k) => Math.max(title.length, ...cells.map((line) => line[k].length)));
  const aligned = (line) => line.map((cell, k) => (right[k] ? cell.padStart(widths[k]) : cell.padEnd(widths[k])));
  return [columns.map(([title]) => title), ...cells].map((line) => aligned(line).join('  ').trimEnd()).join('\n');
}

/** The end of a path is what tells files apart. */
export function shorten(text, width) {
  return text.length <= width ? text : `...${text.slice(3 - width)}`;
}

export const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

/** Three significant digits, for times from milliseconds to hours. */
export const seconds = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** A mean of counts: whole where it is. */
export const count = (value) => (Number.isInteger(value) ? value : value.toFixed(1));

/** A ratio of times; two digits where it is the slower one. */
function times(ratio) {
  if (ratio === undefined) return '-';
  return `${ratio < 0.95 ? ratio.toPrecision(2) : number(ratio, 1)}x`;
}

/** Columns most benches share; those without a baseline show a dash. */
export const COLUMNS = {
  pool: ['pool', (row) => row.pool],
  n: ['N', (row) => row.n],
  method: ['method', (row) => row.method],
  pairs: ['pairs', (row) => count(row.pairsBefore)],
  left: ['left', (row) => count(row.pairsAfter)],
  contained: ['contained', (row) => count(row.contained)],
  rmsd: ['rmsd', (row) => number(row.rmsd, 4)],
  maxMove: ['max move', (row) => number(row.maxMove, 3)],
  turn: ['turn', (row) => number(row.turn, 1)],
  surface: ['surface', (row) => number(row.surfaceRmsd ?? row.rmsd, 4)],
  seconds: ['time s', (row) => seconds(row.seconds)],
  timeRatio: ['faster', (row) => times(row.timeRatio)],
  solveRatio: ['no setup', (row) => times(row.solveRatio)],
  rmsdRatio: ['rmsd ratio', (row) => number(row.rmsdRatio, 2)],
  status: ['status', (row) => row.status],
};

/** Seconds of each stage that some row has. */
export function phaseColumns(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.phases)))];
  return names.map((name) => [name, (row) => (row.phases[name] === undefined ? '-' : seconds(row.phases[name]))]);
}

export const LEGEND =
  'pairs, left: overlapping pairs before and after by the FCL evaluator, contained ones included; contained: those left;\n' +
  'rmsd, max move: displacement of the centres [m], objects are 0.1 m; time: setup + solve, without evaluation. Means over seeds.';
