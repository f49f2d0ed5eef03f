/** What is written, for people. */
import type { FileEdit, FileWrite } from '../adapter.js';
import type { TextFile } from './document.js';
import { applyEdits, lineNumbers, type TextEdit, unifiedDiff } from './edits.js';

/** The edited copy of `original` at `path`. @param withText also its contents, in a dry run */
export function describeEdits(original: TextFile, path: string, edits: readonly TextEdit[], withText: boolean): FileWrite {
  const readable = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
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
