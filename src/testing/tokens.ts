/** Which words of a text an edit changed, found without asking who made it. */

/** Blanks are words too: a changed indent is a change. */
function tokens(text: string): string[] {
  return text.match(/\s+|[^\s"'<>=,;()[\]{}]+|[\s\S]/g) ?? [];
}

/** Beyond this many comparisons the stretch between the first and the last change counts as changed. */
const MAX_COMPARISONS = 2e7;

/**
 * Places in `before` at which `after` differs, as people may read them: words that are gone, and gaps where something is new.
 * They come from a longest common subsequence, so an edit of one number is one place.
 */
export function changedPlaces(before: string, after: string): string[] {
  const [a, b] = [tokens(before), tokens(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const inner = differences(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lines = lineNumbers(a);
  return inner.map(({ index, gap }) => {
    const at = start + index;
    return `${gap ? 'the gap before ' : ''}word ${at + 1}, ${JSON.stringify(a[at] ?? 'the end')} in line ${lines[at] ?? lines.at(-1)}`;
  });
}

function differences(a: readonly string[], b: readonly string[]): { index: number; gap: boolean }[] {
  if (a.length === 0) return b.length === 0 ? [] : [{ index: 0, gap: true }];
  if (a.length * b.length > MAX_COMPARISONS) return a.map((_, index) => ({ index, gap: false }));
  const width = b.length + 1;
  // Length of the longest common subsequence of a[i..] and b[j..].
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: { index: number; gap: boolean }[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ index: i++, gap: false });
    } else {
      const last = found.at(-1);
      // What replaces a word that is gone is no change of its own.
      if (last === undefined || (last.index !== i && last.index !== i - 1)) found.push({ index: i, gap: true });
      j++;
    }
  }
  return found;
}

/** Line of each word, from 1. */
function lineNumbers(words: readonly string[]): number[] {
  let line = 1;
  return words.map((word) => {
    const own = line;
    line += word.split('\n').length - 1;
    return own;
  });
}
