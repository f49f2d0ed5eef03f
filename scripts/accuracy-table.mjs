/**
 * Measures the accuracy of every pair of shape kinds and writes the table into docs/algorithm.md, between its markers:
 * node scripts/accuracy-table.mjs. The measuring is the test AccuracyPairs (native/tests/accuracy_pairs_test.cpp).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNative } from './build-native.mjs';
import { BUILD, exitWith, isMain, ROOT, run, StepError, step } from './steps.mjs';

const PAGE = join(ROOT, 'docs', 'algorithm.md');
const BEGIN = '<!-- accuracy table: begin (scripts/accuracy-table.mjs) -->';
const END = '<!-- accuracy table: end -->';

/** Runs the test, which leaves its rows as JSON. */
function measure(folder) {
  const path = join(BUILD, 'reports', 'accuracy.json');
  mkdirSync(join(BUILD, 'reports'), { recursive: true });
  run(join(folder, 's4r_tests'), ['--gtest_filter=*AccuracyPairs*', '--gtest_brief=1'], { env: { S4R_ACCURACY_TABLE: path } });
  return JSON.parse(readFileSync(path, 'utf8'));
}

function verdict(row) {
  if (row.unsupported > 0) return 'unsupported';
  return row.wrong === 0 ? 'all right' : `${row.wrong} wrong`;
}

/** One line for each pair: errors in metres as evaluator / solver, worst of far and near. */
export function accuracyTable(rows) {
  const stretched = new Map(rows.filter((row) => row.stretched).map((row) => [`${row.a} - ${row.b}`, row]));
  const errors = (row, range) => `${row[`evaluator${range}`].toExponential(0)} / ${row[`solver${range}`].toExponential(0)}`;
  const worst = (row) => {
    if (row === undefined) return '';
    const evaluator = Math.max(row.evaluatorApart, row.evaluatorNear);
    const solver = Math.max(row.solverApart, row.solverNear);
    return `${evaluator.toExponential(0)} / ${solver.toExponential(0)}`;
  };
  const lines = rows
    .filter((row) => !row.stretched)
    .map((row) => {
      const pair = `${row.a} - ${row.b}`;
      const poses = row.apart + row.near + row.overlapping;
      return `| ${[pair, poses, verdict(row), errors(row, 'Apart'), errors(row, 'Near'), worst(stretched.get(pair))].join(' | ')} |`;
    });
  return [
    '| pair | poses | signs | error apart [m] | error near contact [m] | plates and needles [m] |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function writeTable(table) {
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new StepError(`${PAGE} lacks the markers of the table`);
  writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`);
}

if (isMain(import.meta.url)) {
  try {
    const folder = buildNative('release');
    step('accuracy table', () => {
      const rows = measure(folder);
      writeTable(accuracyTable(rows));
      return `${rows.length} rows`;
    });
  } catch (error) {
    exitWith(error);
  }
}
