/** What is written, for people. */
import type { FileEdit, FileWrite } from '../adapter.js';
import type { TextFile } from './document.js';
import { applyEdits, lineNumbers, type TextEdit, unifiedDiff } from './edits.js';

/** The edited copy of `original` at `path`. @param withText also its contents, in a dry run */
export function describeEdits(original: TextFile, path: string, edits: readonly TextEdit[], withText: boolean): FileWrite {
  const lineOf = lineNumbers(original.text);
  const list = [...edits]
    .sort((a, b) => a.start - b.start)
    .map(
      ({ start, end, text, element, attribute }): FileEdit => ({
        line: lineOf(start),
        element,
        attribute,
        before: readable(original.text.slice(start, end)),
        after: readable(text),
      }),
    );
  const diff = unifiedDiff(original.path, path, original.text, edits);
  const file = { path, original: original.path, edits: list, diff };
  return withText ? { ...file, text: readable(applyEdits(original.text, edits)) } : file;
}

/** A new file at `path`. @param text its contents, a binary string @param edits what it says of the scene */
export function describeNew(path: string, text: string, edits: readonly FileEdit[], withText: boolean): FileWrite {
  const diff = unifiedDiff('/dev/null', path, '', [{ start: 0, end: 0, text, element: '', attribute: '' }]);
  return { path, edits, diff, ...(withText && { text: readable(text) }) };
}

function readable(binary: string): string {
  return Buffer.from(binary, 'latin1').toString('utf8');
}
