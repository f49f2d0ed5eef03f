/** Repairs one state of one file. */
import type { FileWriteResult } from '../adapters/adapter.js';
import type { CheckOptions, Joint, Overlap, Result, Scene, Solver, SolverOptions, Status, SurveyedOverlap } from '../index.js';
import { acceptedBy, type Baseline } from './baseline.js';
import type { Judged } from './check-state.js';
import { EXIT, exitCodeOfStatus } from './exit-codes.js';
import { exitCodeOfFindings, findingsOf, hasColliders, hasSurfaces, pairKey } from './findings.js';
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
  /** Of the scene, if some of them moved. */
  readonly joints: readonly Joint[];
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
  const { tolerance, threads, allow, freeJoints } = options;
  const check = { tolerance, threads, allow, freeJoints, signal } as CheckOptions;
  const accepts = acceptedBy(baseline, file, state);
  const accepted = baseline === undefined ? [] : (await solver.check(scene, check)).overlaps.filter(accepts);
  const result = await solver.solve(withoutPairs(scene, accepted), { ...options, onProgress: bar.onProgress, signal } as SolverOptions);
  bar.clear();
  const { status, after } = result;
  if (status === 'cancelled' || status === 'timeLimit') return { result, left: after.overlaps.map(classed), accepts, colliders: true };
  session.warn(await hullWarnings(solver, scene, result, check));
  // What was accepted may have been pushed deeper, and is not accepted any more then.
  const pairs = new Set(accepted.map(geomsOf));
  const kept =
    accepted.length === 0 || !hasMoved(result)
      ? accepted
      : (await solver.check(sceneAfter(scene, result), check)).overlaps.filter((overlap) => pairs.has(geomsOf(overlap)));
  const left = await classes(solver, scene, result, [...after.overlaps, ...kept], check);
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
  const binary = written?.files.filter((file) => file.diff === '' && file.text === undefined) ?? [];
  if (diff) session.note(binary.map(({ path }) => `${path} would be written; it is no text, so there is no diff of it`));
  const repaired = written === undefined || !hasMoved(result) ? undefined : { result, written };
  const fixed: Fixed = {
    result: namedResult(open.scene, result),
    joints: result.joints === undefined ? [] : (open.scene.joints ?? []),
    dryRun,
    written: written?.files.map(({ path }) => path) ?? [],
    diff: diff ? (written?.files.map((each) => each.diff).join('') ?? '') : '',
    rollouts: rollout ? await rolloutPairs(session.io, bar, open, repaired) : [],
  };
  const findings = findingsOf(open, left, accepts);
  const found = { findings, hovering: [], fixed };
  if (!repair.colliders) return { ...found, verdict: 'no colliders', exitCode: EXIT.usage };
  const exitCode = exitCodeOfStatus(result.status);
  if (exitCode !== EXIT.ok) return { ...found, verdict: result.status, exitCode };
  const leftCode = exitCodeOfFindings(findings);
  return { ...found, verdict: leftCode === EXIT.ok ? result.status : 'overlaps left', exitCode: leftCode };
}

export function hasMoved({ moves, joints = [] }: Result): boolean {
  return moves.length + joints.length > 0;
}

/** What is left, with its classes. */
async function classes(
  solver: Solver,
  scene: Scene,
  result: Result,
  left: readonly Overlap[],
  options: CheckOptions,
): Promise<SurveyedOverlap[]> {
  if (left.length === 0 || !hasSurfaces(scene)) return left.map(classed);
  const { overlaps } = await solver.survey(sceneAfter(scene, result), options);
  const surveyed = new Map(overlaps.map((overlap) => [geomsOf(overlap), overlap]));
  // The survey knows nothing of limits, which make more pairs constant, nor of a container.
  return left.map((overlap) => ({ ...classed(overlap), ...(overlap.constant ? {} : surveyed.get(geomsOf(overlap))) }));
}

function classed(overlap: Overlap): SurveyedOverlap {
  const kind = overlap.constant ? 'constant' : overlap.kind === 'contained' ? 'contained' : 'real';
  return { ...overlap, class: kind };
}

function geomsOf({ geomA, geomB }: Overlap): string {
  return pairKey(geomA, geomB);
}
