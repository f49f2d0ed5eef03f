/** Outcomes as JSON: the document of one file, or a list of many. */
import { isHarmful } from '../findings.js';
import { type Outcome, tallied } from '../outcome.js';
import { makeReport } from '../report.js';
import type { Run } from './run.js';

/** Of one named file its own document; else `files`, one entry per file and state. */
export function jsonReport(run: Run): object {
  const { command, outcomes, several, exitCode } = run;
  const [only] = outcomes;
  if (!several && only !== undefined) return makeReport(command, fileEntry(only, run));
  return makeReport(command, { exitCode, summary: tallied(outcomes), files: outcomes.map((outcome) => fileEntry(outcome, run)) });
}

function fileEntry(outcome: Outcome, { all }: Run): object {
  const { file, state, verdict, exitCode, notes, warnings, findings, hovering, failure, checked, fixed } = outcome;
  const named = { file, ...(state === undefined ? {} : { state }), verdict, exitCode, notes, warnings };
  const listed = all ? findings : findings.filter(isHarmful);
  if (failure !== undefined) {
    const { exitCode: _, ...error } = failure;
    return { ...named, error };
  }
  if (fixed === undefined) {
    const { evaluation, ...figures } = checked ?? {};
    return { ...named, ...evaluation, ...figures, hovering, overlaps: listed };
  }
  const { result, dryRun, written, rollouts } = fixed;
  return { ...named, ...result, left: listed, dryRun, written, rollouts };
}
