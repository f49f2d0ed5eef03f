/** Edits of a file by source offset. */

/** Replace the characters from `start` up to `end` of a binary string by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What is edited, for people: the element and the attribute. */
  readonly element: string;
  readonly attribute: string;
}

/** Edits may come in any order but must not overlap; insertions at one offset keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of sorted(edits)) {
    if (edit.start < at) throw new RangeError(`edits overlap at offset ${edit.start}`);
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function sorted(edits: readonly TextEdit[]): TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Lines of unchanged text shown around a change, as in `diff -u`. */
const CONTEXT = 3;

/** Adjacent lines that change, as indices, the last one included. */
interface Region {
  first: number;
  last: number;
  readonly edits: TextEdit[];
}

/**
 * The edits as a unified diff, empty if there are none. `text` is the binary string they apply to;
 * the names and the result are readable text.
 */
export function unifiedDiff(oldName: string, newName: string, text: string, edits: readonly TextEdit[]): string {
  if (edits.length === 0) return '';
  const lines = splitLines(text);
  const starts = lineStarts(lines);
  let out = '';
  let shift = 0;
  for (const hunk of hunks(regions(edits, starts))) {
    const first = Math.max(0, (hunk[0] as Region).first - CONTEXT);
    const end = Math.min(lines.length, (hunk.at(-1) as Region).last + 1 + CONTEXT);
    let body = '';
    let added = 0;
    let at = first;
    for (const region of hunk) {
      const old = lines.slice(region.first, region.last + 1);
      const base = starts[region.first] ?? 0; // an empty text has no lines
      const own = region.edits.map((edit) => ({ ...edit, start: edit.start - base, end: edit.end - base }));
      const fresh = splitLines(applyEdits(old.join(''), own));
      body += prefixed(' ', lines.slice(at, region.first)) + prefixed('-', old) + prefixed('+', fresh);
      added += fresh.length - old.length;
      at = region.last + 1;
    }
    body += prefixed(' ', lines.slice(at, end));
    const count = end - first;
    out += `@@ -${range(first, count)} +${range(first + shift, count + added)} @@\n${body}`;
    shift += added;
  }
  return `--- ${oldName}\n+++ ${newName}\n${Buffer.from(out, 'latin1').toString('utf8')}`;
}

/** Numbers, from 1, of the lines that hold given offsets: for many of them in one text. */
export function lineNumbers(text: string): (offset: number) => number {
  const starts = lineStarts(splitLines(text));
  return (offset) => lineIndex(starts, offset) + 1;
}

/** Lines with their line breaks; none for an empty text. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function lineStarts(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    at += line.length;
    return at - line.length;
  });
}

function prefixed(sign: string, lines: readonly string[]): string {
  return lines.map((line) => `${sign}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`).join('');
}

/** An empty range is named by the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

/** Runs of edited lines; edits that touch the same line share one. */
function regions(edits: readonly TextEdit[], starts: readonly number[]): Region[] {
  const result: Region[] = [];
  for (const edit of sorted(edits)) {
    const first = lineIndex(starts, edit.start);
    const last = lineIndex(starts, edit.end);
    const previous = result.at(-1);
    if (previous !== undefined && first <= previous.last) {
      previous.last = Math.max(previous.last, last);
      previous.edits.push(edit);
    } else {
      result.push({ first, last, edits: [edit] });
    }
  }
  return result;
}

/** Regions whose context touches are shown together. */
function hunks(all: readonly Region[]): Region[][] {
  const result: Region[][] = [];
  for (const region of all) {
    const previous = result.at(-1)?.at(-1);
    if (previous !== undefined && region.first - previous.last <= 2 * CONTEXT + 1) result.at(-1)?.push(region);
    else result.push([region]);
  }
  return result;
}

/** Index of the line that holds `offset`: binary search in the ascending starts. */
function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
