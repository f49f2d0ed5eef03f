/** What became of one state of one file. Plain data: workers send it, every output format is made from it. */
import type { Evaluation, Hover, Survey } from '../index.js';
import { EXIT } from './exit-codes.js';
import type { Failure } from './failure.js';
import type { Finding } from './findings.js';
import type { Fixed } from './fix-state.js';

export interface Outcome {
  /** As the user named it. */
  readonly file: string;
  /** Of `--key all`: which state. */
  readonly state?: string;
  /** One word or two for tables and summaries: `clean`, `overlapping`, the status of a solve. */
  readonly verdict: string;
  readonly exitCode: number;
  /** Every file that was read. */
  readonly inputs: readonly string[];
  /** What the user should know, one sentence each: of the input, of the output. */
  readonly notes: readonly string[];
  /** What looks wrong and is no failure. */
  readonly warnings: readonly string[];
  /** Of the scene (check), or left in it (fix); also what needs no cure. */
  readonly findings: readonly Finding[];
  /** Only with `--hover`. */
  readonly hovering: readonly Hover[];
  readonly failure?: Failure;
  readonly checked?: Checked;
  readonly fixed?: Fixed;
}

/** The figures of a check, without the overlaps, which are the findings. */
export interface Checked extends Pick<Survey, 'counts' | 'colliders'> {
  readonly evaluation: Omit<Evaluation, 'overlaps'>;
}

export function failedOutcome(file: string, failure: Failure, inputs: readonly string[] = []): Outcome {
  const verdict = failure.exitCode === EXIT.interrupted ? 'interrupted' : 'failed';
  return { file, verdict, exitCode: failure.exitCode, inputs, notes: [], warnings: [], findings: [], hovering: [], failure };
}

/** `scene.xml`, or `scene.xml (home)`. */
export function titleOf({ file, state }: Outcome): string {
  return state === undefined ? file : `${file} (${state})`;
}

/** How many there are of each verdict. */
export function tallied(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of outcomes) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}
