/** Repairs one state of one file. */
import type { FileWriteResult } from '../adapters/adapter.js';
import type { CheckOptions, Overlap, Result, Scene, Solver, SolverOptions, Status, SurveyedOverlap } from '../index.js';
import { acceptedBy, type Baseline } from './baseline.js';
import type { Judged } from './check-state.js';
import { EXIT, exitCodeOfStatus } from './exit-codes.js';
import { exitCodeOfFindings, findingsOf, hasColliders } from './findings.js';
import type { OpenScene } from './formats/index.js';
import { hullWarnings } from './hull-warnings.js';
import type { ProgressBar } from './progress.js';
import { type NamedResult, namedResult } from './report.js';
import { type RolloutPair, rolloutPairs } from './rollouts.js';
import { type Session, sceneAfter, withoutPairs } from './session.js';

export interface FixSettings {
  readonly options: SolverOptions;
  /** Also roll the scene out before and after, with and without gravity. */
  readonly rollout: boolean;
  readonly baseline: Baseline | undefined;
}

export interface Fixed {
  readonly result: NamedResult;
  readonly dryRun: boolean;
  /** Files written; in a dry run those that would be. */
  readonly written: readonly string[];
  /** Unified diffs of the files, in a dry run that asks for them. */
  readonly diff: string;
  readonly rollouts: readonly RolloutPair[];
}

/** A repair that is not written yet. */
export interface Repair {
  readonly result: Result;
  /** Of what is left. */
  readonly left: readonly SurveyedOverlap[];
  readonly accepts: (overlap: Overlap) => boolean;
  readonly colliders: boolean;
}

/** Statuses whose poses are worth writing. Of a clean scene the adapter makes a copy, or nothing. */
const WRITTEN: ReadonlySet<Status> = new Set(['clean', 'solved', 'improved']);

export function isWorthWriting({ result, colliders }: Repair): boolean {
  return colliders && WRITTEN.has(result.status);
}

/** @throws S4rError INVALID_OPTION, INVALID_SCENE; the signal's reason when aborted while judging */
export async function repairState(
  session: Session,
  bar: ProgressBar,
  open: OpenScene,
  file: string,
  state: string | undefined,
  { options, baseline }: FixSettings,
): Promise<Repair> {
  const { scene } = open;
  const solver = await session.createSolver();
  const { signal } = session.io;
  const { tolerance, threads, allow } = options;
  const check = { tolerance, threads, allow, signal } as CheckOptions;
  const accepts = acceptedBy(baseline, file, state);
  const accepted = baseline === undefined ? [] : (await solver.check(scene, check)).overlaps.filter(accepts);
  const result = await solver.solve(withoutPairs(scene, accepted), { ...options, onProgress: bar.onProgress, signal } as SolverOptions);
  bar.clear();
  const { status, after, moves } = result;
  if (status === 'cancelled' || status === 'timeLimit') return { result, left: after.overlaps.map(classed), accepts, colliders: true };
  session.warnings.push(...(await hullWarnings(solver, scene, result, check)));
  // What was accepted may have been pushed deeper.
  const deeper =
    accepted.length === 0 || moves.length === 0
      ? []
      : (await solver.check(sceneAfter(scene, result), check)).overlaps.filter(
          (overlap) => isAmong(accepted, overlap) && !accepts(overlap),
        );
  const left = await classes(solver, scene, result, [...after.overlaps, ...deeper], check);
  return { result, left, accepts, colliders: hasColliders(scene) };
}

/** Judges a repair, once it is written. @param written what the adapter returned, undefined if nothing was to be written */
export async function fixedState(
  session: Session,
  bar: ProgressBar,
  open: OpenScene,
  repair: Repair,
  written: FileWriteResult | undefined,
  { rollout, dryRun, diff }: { readonly rollout: boolean; readonly dryRun: boolean; readonly diff: boolean },
): Promise<Judged> {
  const { result, left, accepts } = repair;
  session.note(written?.notes ?? []);
  const binary = written?.files.filter((file) => file.diff === '' && file.original === undefined) ?? [];
  if (diff) session.note(binary.map(({ path }) => `${path} would be written; it is no text, so there is no diff of it`));
  const moved = result.moves.length === 0 ? undefined : written;
  const fixed: Fixed = {
    result: namedResult(open.scene, result),
    dryRun,
    written: written?.files.map(({ path }) => path) ?? [],
    diff: diff ? (written?.files.map((each) => each.diff).join('') ?? '') : '',
    rollouts: rollout ? await rolloutPairs(session.io, bar, open, moved) : [],
  };
  const findings = findingsOf(open, left, accepts);
  const found = { findings, hovering: [], fixed };
  if (!repair.colliders) return { ...found, verdict: 'no colliders', exitCode: EXIT.usage };
  const exitCode = exitCodeOfStatus(result.status);
  if (exitCode !== EXIT.ok) return { ...found, verdict: result.status, exitCode };
  const leftCode = exitCodeOfFindings(findings);
  return { ...found, verdict: leftCode === EXIT.ok ? result.status : 'constant left', exitCode: leftCode };
}

/** What is left, with its classes. */
async function classes(
  solver: Solver,
  scene: Scene,
  result: Result,
  left: readonly Overlap[],
  options: CheckOptions,
): Promise<SurveyedOverlap[]> {
  if (left.length === 0 || scene.geoms.every(({ surface }) => surface === undefined)) return left.map(classed);
  const { overlaps } = await solver.survey(sceneAfter(scene, result), options);
  return left.map((overlap) => ({ ...overlap, class: overlaps.find((one) => isAmong([one], overlap))?.class ?? classed(overlap).class }));
}

function classed(overlap: Overlap): SurveyedOverlap {
  const kind = overlap.constant ? 'constant' : overlap.kind === 'contained' ? 'contained' : 'real';
  return { ...overlap, class: kind };
}

function isAmong(overlaps: readonly Overlap[], { geomA, geomB }: Overlap): boolean {
  return overlaps.some((one) => (one.geomA === geomA && one.geomB === geomB) || (one.geomA === geomB && one.geomB === geomA));
}
