/** Unified diffs as `patch -p0` takes them: one for every file, with paths from the current directory. */
import { isAbsolute, relative, resolve } from 'node:path';
import { S4rError } from '../index.js';

/** Lines of unchanged text shown around a change, as in `diff -u`. */
const CONTEXT = 3;

/** Lines that take the place of others. A line keeps its break, and the mark of diffs if it has none. */
interface Change {
  /** Index of the first line replaced; for an insertion of the line that it goes before. */
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** All that is known of one file. */
interface FilePatch {
  readonly oldName: string;
  readonly newName: string;
  /** The lines of the old file that diffs show, by index. */
  readonly lines: Map<number, string>;
  readonly changes: Change[];
}

/**
 * Several diffs as one. Those of the same file, each against the file as it is, are merged: `patch` applies one after the other.
 * @param diffs of the adapters, in unified format
 * @throws S4rError INVALID_OPTION if two of them change the same line
 */
export function patchOf(diffs: readonly string[]): string {
  const files = new Map<string, FilePatch>();
  for (const diff of diffs) parse(diff, files);
  return [...files.values()].map(print).join('');
}

function parse(diff: string, files: Map<string, FilePatch>): void {
  const rows = joinMarks(diff.match(/[^\n]*\n/g) ?? []);
  let file: FilePatch | undefined;
  for (let k = 0; k < rows.length; ) {
    const row = rows[k] as string;
    if (row.startsWith('--- ')) {
      const [oldName, newName] = [row, rows[k + 1] as string].map((each) => each.slice(4, -1)) as [string, string];
      const key = `${oldName}\n${newName}`;
      file = files.get(key) ?? { oldName, newName, lines: new Map(), changes: [] };
      files.set(key, file);
      k += 2;
    } else {
      k = parseHunk(rows, k, file as FilePatch);
    }
  }
}

/** @returns where the next hunk or file begins */
function parseHunk(rows: readonly string[], start: number, { lines, changes }: FilePatch): number {
  const [first, count, newCount] = (/^@@ -(\d+),(\d+) \+\d+,(\d+) @@/.exec(rows[start] as string) as RegExpExecArray)
    .slice(1)
    .map(Number) as [number, number, number];
  let at = count === 0 ? first : first - 1;
  const [end, ends] = [at + count, newCount];
  let change: { at: number; removed: string[]; added: string[] } | undefined;
  let k = start + 1;
  for (let fresh = 0; at < end || fresh < ends; k++) {
    const [sign, text] = [rows[k]?.[0], (rows[k] as string).slice(1)];
    if (sign === '+') {
      change ??= begin(changes, at);
      change.added.push(text);
    } else {
      if (sign === ' ' || (change?.added.length ?? 0) > 0) change = undefined;
      if (sign === '-') {
        change ??= begin(changes, at);
        change.removed.push(text);
      }
      lines.set(at++, text);
    }
    if (sign !== '-') fresh++;
  }
  return k;
}

function begin(changes: Change[], at: number) {
  const change = { at, removed: [], added: [] };
  changes.push(change);
  return change;
}

/** The mark of a last line without a break goes with the line. */
function joinMarks(rows: readonly string[]): string[] {
  const joined: string[] = [];
  for (const row of rows) {
    if (row.startsWith('\\')) joined.push(`${joined.pop()}${row}`);
    else joined.push(row);
  }
  return joined;
}

function print({ oldName, newName, lines, changes }: FilePatch): string {
  const name = fromHere(newName);
  let out = `--- ${oldName === newName ? name : fromHere(oldName)}\n+++ ${name}\n`;
  let shift = 0;
  for (const hunk of hunks(merged(changes, name))) {
    const known = (line: number) => lines.has(line);
    let first = (hunk[0] as Change).at;
    const begins = first - CONTEXT;
    while (first > begins && known(first - 1)) first--;
    let at = first;
    let body = '';
    let added = 0;
    const unchanged = (end: number) => {
      for (; at < end && known(at); at++) body += ` ${lines.get(at)}`;
    };
    for (const change of hunk) {
      unchanged(change.at);
      body += prefixed('-', change.removed) + prefixed('+', change.added);
      at = change.at + change.removed.length;
      added += change.added.length - change.removed.length;
    }
    unchanged(at + CONTEXT);
    out += `@@ -${range(first, at - first)} +${range(first + shift, at - first + added)} @@\n${body}`;
    shift += added;
  }
  return out;
}

/** In the order of the file, each once. */
function merged(changes: readonly Change[], name: string): Change[] {
  const result: Change[] = [];
  for (const change of [...changes].sort((a, b) => a.at - b.at || a.removed.length - b.removed.length)) {
    const last = result.at(-1);
    if (last !== undefined && JSON.stringify(last) === JSON.stringify(change)) continue;
    if (last !== undefined && (change.at < last.at + last.removed.length || change.at === last.at)) {
      const message = `two states change line ${change.at + 1} of ${name}, so no diff shows both; ask for one at a time`;
      throw new S4rError('INVALID_OPTION', message);
    }
    result.push(change);
  }
  return result;
}

/** Changes whose context touches are shown together. */
function hunks(changes: readonly Change[]): Change[][] {
  const result: Change[][] = [];
  for (const change of changes) {
    const last = result.at(-1)?.at(-1);
    if (last !== undefined && change.at - (last.at + last.removed.length) <= 2 * CONTEXT) result.at(-1)?.push(change);
    else result.push([change]);
  }
  return result;
}

function prefixed(sign: string, lines: readonly string[]): string {
  return lines.map((line) => `${sign}${line}`).join('');
}

/** An empty range is named by the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

/** `patch` takes no absolute path, and none that leads upwards: such a file needs its name on the command line. */
function fromHere(path: string): string {
  const way = relative('.', resolve(path));
  return !isAbsolute(path) || path === '/dev/null' || way === '' || way.startsWith('..') ? path : way;
}
