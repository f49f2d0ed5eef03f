// Methods that turn bodies beside their twins that only displace them.
import { groupsOf } from './report.mjs';

/** The name of the same method without turns, undefined for others. */
export const twinOf = (method) => (method.endsWith('+rotation') ? method.slice(0, -'+rotation'.length) : undefined);

/**
 * Adds to the means of methods that turn `twin`: {rmsd, seconds: this one's over its twin's, smaller: seeds with the smaller rmsd,
 * of: seeds that both have}.
 */
export function withTwins(means, rows, keys) {
  const alike = (a, b) => keys.every((name) => a[name] === b[name]);
  return means.map((mean) => {
    const base = means.find((other) => other.method === twinOf(mean.method) && alike(other, mean));
    if (base === undefined) return mean;
    const pairs = groupsOf(
      rows.filter((row) => alike(row, mean) && (row.method === mean.method || row.method === base.method)),
      ['seed'],
    ).filter((pair) => pair.length === 2);
    const smaller = pairs.filter((pair) => rmsdOf(pair, mean.method) < rmsdOf(pair, base.method)).length;
    return { ...mean, twin: { rmsd: mean.rmsd / base.rmsd, seconds: mean.seconds / base.seconds, smaller, of: pairs.length } };
  });
}

const rmsdOf = (rows, method) => rows.find((row) => row.method === method).rmsd;

const signed = (ratio) => `${ratio < 1 ? '-' : '+'}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;

/** Columns of `withTwins`; a dash for what has no twin. */
export const TWIN_COLUMNS = [
  ['rmsd to twin', ({ twin }) => twin && signed(twin.rmsd)],
  ['time to twin', ({ twin }) => twin && `${twin.seconds.toFixed(1)}x`],
  ['smaller rmsd', ({ twin }) => twin && `${twin.smaller} of ${twin.of}`],
];

/** The same in one line, for plots. */
export const twinNote = ({ twin }) => (twin === undefined ? '' : `, rmsd ${signed(twin.rmsd)}, time ${twin.seconds.toFixed(1)}x`);
