/** Wording shared by error messages: how a wrong value is shown, and which known names are near a wrong one. */

/** Taken out of the loop: looking up a global is slow where code runs in a sandbox, as under jest. */
const { min } = Math;

/** A value as an error message shows it: short, one line, unambiguous about its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 57)}...` : value}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) {
    const shown = value.slice(0, 4).map(describeValue).join(', ');
    return `[${shown}${value.length > 4 ? `, ... ${value.length} items` : ''}]`;
  }
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name} of ${value.byteLength} bytes`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0 || entries.length > 3 || Object.getPrototypeOf(value) !== Object.prototype) return 'an object';
    const shown = entries.map(([key, item]) => `${key}: ${typeof item === 'object' && !Array.isArray(item) ? '...' : describeValue(item)}`);
    return `{ ${shown.join(', ')} }`;
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** At most `limit` of `names` a typing error away from `wanted` or containing it, nearest first. */
export function nearNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const target = wanted.toLowerCase();
  const reach = Math.max(2, Math.floor(target.length / 3));
  const near: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const contains = target.length > 1 && (candidate.includes(target) || (candidate.length > 2 && target.includes(candidate)));
    // A bound on the edit distance from the lengths alone spares most comparisons in scenes of thousands of names.
    const distance = Math.abs(candidate.length - target.length) > reach ? Infinity : editDistance(target, candidate);
    if (contains || distance <= reach) near.push({ name, distance: contains ? Math.min(distance, reach) : distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.name);
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = new Uint32Array(b.length + 1).map((_, j) => j);
  let row = new Uint32Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const letter = a.charCodeAt(i);
    row[0] = i + 1;
    for (let j = 0; j < b.length; j++) {
      const substitution = (previous[j] as number) + (b.charCodeAt(j) === letter ? 0 : 1);
      const above = (previous[j + 1] as number) + 1;
      const left = (row[j] as number) + 1;
      const gap = min(above, left);
      row[j + 1] = min(substitution, gap);
    }
    [previous, row] = [row, previous];
  }
  return previous[b.length] as number;
}
