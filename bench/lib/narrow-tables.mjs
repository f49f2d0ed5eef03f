// Tables of the narrow-phase bench: a line for each size, class and method, a column for each query.
import { groupsOf, table } from './report.mjs';

const LEGEND =
  'us per query, and how many times faster than FCL: than its Boolean query for boolean and all crossings, than its distance for\n' +
  'the others. boolean: do surfaces cross; warm: from the last witness; cover: planes that cover all triangle pairs in range,\n' +
  'the closest pair being known. build: a tree, per mesh.';

/** A table for each pool and for builds. */
export function narrowTables(rows) {
  const builds = rows.filter((row) => row.query === 'build');
  const queries = rows.filter((row) => row.query !== 'build');
  const parts = groupsOf(queries, ['pool']).map((group) => `${group[0].pool}\n${pivot(group)}`);
  if (builds.length > 0) parts.push(`trees\n${pivot(builds, [['pool', ([first]) => first.pool]])}`);
  return [LEGEND, ...parts].join('\n\n');
}

function pivot(rows, leading = []) {
  const queries = [...new Set(rows.map((row) => row.query))];
  const lines = groupsOf(rows, ['pool', 'size', 'class', 'method']);
  return table(
    [
      ...leading,
      ['size', ([first]) => first.size],
      ['class', ([first]) => first.class],
      ['method', ([first]) => first.method],
      ...queries.map((query) => [query, (line) => cell(line.find((row) => row.query === query))]),
    ],
    lines,
  );
}

function cell(row) {
  if (row === undefined) return '-';
  const time = (row.nanoseconds / 1000).toPrecision(3);
  return row.method === 'fcl' ? time : `${time} (${row.ratio.toFixed(1)}x)`;
}
