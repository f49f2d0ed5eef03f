/** What a solve works on, and one run of it. */
import type { Backend, BackendPlaceOptions } from './backend.js';
import type { Logger } from './logger.js';
import type { ResolvedOptions } from './options.js';
import type { Plan } from './plan.js';
import type { Evaluation, Result } from './result.js';
import type { Pose } from './scene.js';
import { type RunShare, SolveRun } from './solve-run.js';

export interface Task {
  readonly backend: Backend;
  readonly logger: Logger;
  readonly plan: Plan;
  readonly options: ResolvedOptions;
  readonly share: RunShare;
}

export interface Outcome {
  readonly result: Result;
  /** The overlaps that the best attempt leaves, whether it was accepted or not. */
  readonly left: Evaluation;
}

export function runOf({ backend, logger, plan, options, share }: Task): SolveRun {
  return new SolveRun(backend, logger, plan, options, share);
}

/** @param before the overlaps of the input, if they are known */
export async function solveOnce(task: Task, before?: Evaluation): Promise<Outcome> {
  const run = runOf(task);
  const result = await run.run(before);
  return { result, left: run.left ?? result.after };
}

/** The poses of a result for every body of the plan's scene, the sides of a container included. */
export function posesOf({ plan }: Task, { poses }: Pick<Result, 'poses'>): Pose[] {
  return plan.scene.bodies.map((body) => poses[body.id] ?? body.X_WB);
}

/** Options of a call that places bodies, within the time that is left. */
export function placeOptions({ tolerance, restTolerance, threads, maxShift, signal }: ResolvedOptions, run: SolveRun): BackendPlaceOptions {
  return {
    tolerance,
    restTolerance,
    threads,
    ...run.timeLeft(),
    ...(maxShift === undefined ? {} : { maxShift }),
    ...(signal === undefined ? {} : { signal }),
  };
}
