/** Checks one state of one file. */
import type { CheckOptions, SurveyOptions } from '../index.js';
import { acceptedBy, type Baseline } from './baseline.js';
import { EXIT } from './exit-codes.js';
import { exitCodeOfFindings, figuresOf, findingsOf, hasColliders, isProblem } from './findings.js';
import type { OpenScene } from './formats/index.js';
import type { Outcome } from './outcome.js';
import type { Session } from './session.js';

export interface CheckSettings {
  readonly options: CheckOptions;
  /** Free units that hover higher than this are reported [m]; none if absent. */
  readonly hover: number | undefined;
  /** Notes, warnings and hovering units fail. */
  readonly strict: boolean;
  /** Also what nobody asks about. */
  readonly all: boolean;
  readonly baseline: Baseline | undefined;
  /** Whatever is found is about to be accepted. */
  readonly acceptAll: boolean;
}

export type Judged = Pick<Outcome, 'verdict' | 'exitCode' | 'findings' | 'hovering' | 'checked' | 'fixed'>;

/** @throws S4rError INVALID_OPTION, INVALID_SCENE; the signal's reason when aborted */
export async function checkState(
  session: Session,
  open: OpenScene,
  file: string,
  state: string | undefined,
  settings: CheckSettings,
): Promise<Judged> {
  const { hover, strict, all, acceptAll, baseline } = settings;
  const solver = await session.createSolver();
  const options = { ...settings.options, hover, insideFixed: all, signal: session.io.signal } as SurveyOptions;
  const { overlaps, evaluation, hovering, ...rest } = await solver.survey(open.scene, options);
  const findings = findingsOf(open, overlaps, acceptAll ? () => true : acceptedBy(baseline, file, state));
  const found = { findings, hovering: hover === undefined ? [] : hovering, checked: { ...rest, evaluation: figuresOf(evaluation) } };
  if (!hasColliders(open.scene)) return { ...found, verdict: 'no colliders', exitCode: EXIT.usage };
  if (rest.colliders === 0) session.note(['no two geoms collide by the filters, so there is nothing to check']);
  const exitCode = exitCodeOfFindings(findings);
  if (exitCode === EXIT.hullOnly) return { ...found, verdict: 'hull-only', exitCode };
  if (exitCode !== EXIT.ok)
    return { ...found, verdict: findings.filter(isProblem).every(isConstant) ? 'constant' : 'overlapping', exitCode };
  if (strict && found.hovering.length + session.notes.length + session.warnings.length > 0) {
    return { ...found, verdict: 'warnings', exitCode: EXIT.overlaps };
  }
  return { ...found, verdict: 'clean', exitCode };
}

function isConstant({ constant }: { readonly constant: boolean }): boolean {
  return constant;
}
