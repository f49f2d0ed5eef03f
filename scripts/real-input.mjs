#!/usr/bin/env node
// What `s4r check` and `s4r fix --dry-run` make of every scene of ../shared/data: a table of outcomes, and how many there are of each.
//   npm run real-input -- [--json] [--only PATTERN ...] [--jobs N] [--seconds S]
// PATTERN is part of a path, or has * for any characters. Each file has processes of its own, which may take S seconds (default 120).
// Exit code 1 if one crashed, hung or met a defect of s4r; a refusal, or overlaps that are left, are outcomes like others.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { number, seconds, shorten, table } from '../bench/lib/report.mjs';
import { formatOf, scenesIn } from './real-input/files.mjs';
import { FAILURES, outcomeOf } from './real-input/outcome.mjs';
import { StepError } from './steps.mjs';

const DATA = fileURLToPath(new URL('../../shared/data', import.meta.url));

const USAGE = 'usage: npm run real-input -- [--json] [--only PATTERN ...] [--jobs N] [--seconds S]';

async function main() {
  const { json, only, jobs, limit } = commandLine();
  if (!existsSync(DATA)) throw new StepError(`the scenes are not here: ${DATA} does not exist`, 3);
  const files = (await scenesIn(DATA)).filter((file) => matches(file, only));
  if (files.length === 0) throw new StepError(`no scene in ${DATA} matches ${only.join(', ')}`, 2);
  const rows = await inParallel(jobs, files, async (file, i) => {
    const row = await rowOf(file, limit);
    if (!json) process.stderr.write(`${i + 1} of ${files.length}: ${file}: ${row.check}, ${row.fix}\n`);
    return row;
  });
  console.log(json ? JSON.stringify(rows, null, 2) : `${table(COLUMNS, rows)}\n\n${totals(rows)}`);
  if (rows.some(({ check, fix }) => FAILURES.includes(check) || FAILURES.includes(fix))) process.exitCode = 1;
}

function commandLine() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        jobs: { type: 'string', default: String(availableParallelism()) },
        seconds: { type: 'string', default: '120' },
      },
    });
    const [jobs, limit] = [Number(values.jobs), Number(values.seconds)];
    if (!Number.isInteger(jobs) || jobs < 1) throw new Error(`--jobs: expected a whole number from 1, got ${values.jobs}`);
    if (!(limit > 0)) throw new Error(`--seconds: expected a positive number, got ${values.seconds}`);
    return { json: values.json, only: values.only, jobs, limit };
  } catch (error) {
    throw new StepError(`${error.message}\n${USAGE}`, 2);
  }
}

function matches(file, patterns) {
  const source = (text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return patterns.length === 0 || patterns.some((pattern) => new RegExp(source(pattern)).test(file));
}

/** Lengths in m, times in s; null for what there is none of. */
async function rowOf(file, limit) {
  const path = join(DATA, file);
  const check = await outcomeOf(['check', path, '--json'], limit);
  const fix = await outcomeOf(['fix', path, '--dry-run', '--json'], limit);
  const { before, after, moves } = fix.report ?? {};
  const message = [check.message, fix.message].find((text) => text !== undefined) ?? fix.report?.reason;
  return {
    file,
    format: await formatOf(path),
    check: check.status,
    fix: fix.status,
    pairsBefore: before?.repairable ?? check.report?.repairable ?? null,
    pairsAfter: after?.repairable ?? null,
    maxMove: moves === undefined ? null : (moves[0]?.distance ?? 0),
    seconds: check.seconds + fix.seconds,
    message: message?.replaceAll(`${DATA}/`, '') ?? null,
  };
}

/** The results in the order of the items, with so many at work at a time. */
async function inParallel(workers, items, work) {
  const results = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}

const COLUMNS = [
  ['file', ({ file }) => shorten(file, 60)],
  ['format', ({ format }) => format],
  ['check', ({ check }) => check],
  ['fix', ({ fix }) => fix],
  ['pairs', ({ pairsBefore, pairsAfter }) => (pairsBefore === null ? '-' : `${pairsBefore} -> ${pairsAfter ?? '?'}`)],
  ['max mm', ({ maxMove }) => number(maxMove === null ? Number.NaN : 1000 * maxMove, 2)],
  ['s', (row) => seconds(row.seconds)],
  ['why', ({ message }) => message ?? ''],
];

/** Per format, how many there are of each outcome. */
function totals(rows) {
  const counted = (list) => {
    const counts = new Map();
    for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ');
  };
  const line = (name, group) =>
    `${name}: ${group.length}; check: ${counted(group.map(({ check }) => check))}; fix: ${counted(group.map(({ fix }) => fix))}`;
  const formats = [...new Set(rows.map(({ format }) => format))];
  return [
    ...formats.map((format) =>
      line(
        format,
        rows.filter((row) => row.format === format),
      ),
    ),
    line('all', rows),
  ].join('\n');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
