/** Overlaps that were accepted once and do not fail any more: `--baseline`, `--write-baseline`. */
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { slashes } from '../adapters/files/paths.js';
import { type Overlap, S4rError } from '../index.js';
import { isHarmful } from './findings.js';
import type { Outcome } from './outcome.js';
import { store } from './report.js';

/** One entry. Names of the pair in either order. */
interface AcceptedPair {
  /** Relative to the folder of the baseline; absent: any file. */
  readonly file?: string;
  /** Of `--key all`; absent: any state. */
  readonly state?: string;
  readonly bodyA: string;
  readonly bodyB: string;
  readonly geomA: string;
  readonly geomB: string;
  /** [m] */
  readonly depth: number;
}

/** Plain data: it also goes to other processes. */
export interface Baseline {
  readonly path: string;
  readonly pairs: readonly AcceptedPair[];
}

/** What an overlap may be deeper than it was, so that the last digits of another machine do not count [m]. */
const SLACK = 1e-4;

const NAMES = ['bodyA', 'bodyB', 'geomA', 'geomB'] as const;

/** @throws S4rError INVALID_INPUT */
export async function readBaseline(path: string): Promise<Baseline> {
  const refuse = (message: string, cause?: unknown) => new S4rError('INVALID_INPUT', message, { file: path }, { cause });
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw refuse(cause.code === 'ENOENT' ? 'no such baseline; --write-baseline makes one' : `cannot read it (${cause.code})`, cause);
  });
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    throw refuse(`a baseline is a JSON list: ${(cause as Error).message}`, cause);
  }
  if (!Array.isArray(list)) throw refuse('a baseline is a JSON list of accepted pairs');
  list.forEach((entry, i) => {
    const fault = faultOf(entry);
    if (fault !== undefined) throw refuse(`entry ${i + 1}: ${fault}`);
  });
  return { path, pairs: list as AcceptedPair[] };
}

function faultOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return 'expected an object';
  const values = entry as Record<string, unknown>;
  const unnamed = NAMES.find((name) => typeof values[name] !== 'string');
  if (unnamed !== undefined) return `expected a name as '${unnamed}'`;
  const odd = ['file', 'state'].find((name) => !['string', 'undefined'].includes(typeof values[name]));
  if (odd !== undefined) return `expected a text as '${odd}'`;
  const { depth } = values;
  return typeof depth === 'number' && depth >= 0 ? undefined : `expected a depth >= 0 [m], got ${JSON.stringify(depth)}`;
}

/** Whether the baseline has an overlap of this file and state, and it is no deeper now than there. */
export function acceptedBy(baseline: Baseline | undefined, file: string, state: string | undefined): (overlap: Overlap) => boolean {
  if (baseline === undefined) return () => false;
  const here = baseline.pairs.filter(isOf(relativeTo(baseline.path, file), state));
  const depths = new Map<string, number>();
  for (const pair of here) depths.set(keyOf(pair), Math.max(pair.depth, depths.get(keyOf(pair)) ?? 0));
  return ({ names, depth }) => depth <= (depths.get(keyOf(names)) ?? -Infinity) + SLACK;
}

/** One sentence for each entry of these files that nothing needs any more. */
export function staleEntries(baseline: Baseline, outcomes: readonly Outcome[]): string[] {
  const checked = outcomes.filter(({ failure }) => failure === undefined);
  const found = checked.map(({ file, state, findings }) => ({
    covers: isOf(relativeTo(baseline.path, file), state),
    keys: new Set(findings.map(({ names }) => keyOf(names))),
  }));
  const stale = baseline.pairs.filter((pair) => {
    const own = found.filter(({ covers }) => covers(pair));
    return own.length > 0 && !own.some(({ keys }) => keys.has(keyOf(pair)));
  });
  return stale.map(({ file, geomA, geomB }) => {
    return `${baseline.path}: '${geomA}' and '${geomB}'${file === undefined ? '' : ` of ${file}`} do not overlap any more; remove the entry`;
  });
}

/**
 * The baseline that accepts everything found.
 * @throws S4rError OUTPUT
 */
export async function writeBaseline(path: string, outcomes: readonly Outcome[]): Promise<void> {
  const pairs = outcomes.flatMap(({ file, state, findings }) => {
    const place = { file: relativeTo(path, file), ...(state === undefined ? {} : { state }) };
    return findings.filter(isHarmful).map(({ names, depth }): AcceptedPair => ({ ...place, ...names, depth }));
  });
  await store(path, `${JSON.stringify(pairs, null, 2)}\n`, 'the baseline');
}

/** Whether an entry is for this file and state. @param file relative to the baseline */
function isOf(file: string, state: string | undefined): (pair: AcceptedPair) => boolean {
  return (pair) => (pair.state === undefined || pair.state === state) && (pair.file === undefined || slashes(pair.file) === file);
}

function relativeTo(baseline: string, file: string): string {
  const path = relative(dirname(resolve(baseline)), resolve(file));
  return slashes(isAbsolute(path) ? path : path || file);
}

/** The same for both orders of the pair. */
function keyOf({ bodyA, bodyB, geomA, geomB }: Overlap['names']): string {
  return [JSON.stringify([bodyA, geomA]), JSON.stringify([bodyB, geomB])].sort().join();
}
