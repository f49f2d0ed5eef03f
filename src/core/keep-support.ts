/**
 * `keepSupport`: what rests in the input does so in the result, where that is possible. What rests on fixed scenery is first tried
 * to slide on it; whatever the solve then moved is put back on what carried it. The evaluator decides about every step.
 */
import { packPoses, packScene } from './pack.js';
import type { Evaluation, Result, Supports } from './result.js';
import type { Pose, Scene } from './scene.js';
import type { SolveRun } from './solve-run.js';
import { groundedSupports, reportSupports, type Support, slidingPlan, unpackSupports } from './supports.js';
import { type Outcome, placeOptions, posesOf, runOf, solveOnce, type Task } from './task.js';
import { applyMoves } from './unpack.js';

export async function solveKeepingSupports(task: Task): Promise<Outcome> {
  const run = runOf(task);
  const before = await run.evaluateInput();
  if (before.interrupted || before.repairable === 0) return await solveOnce(task, before);
  const supports = await supportsAt(task, run, inputPoses(task));
  const grounded = groundedSupports(task.plan.scene, supports);
  const slid = grounded.length === 0 ? undefined : await slide(task, run, grounded, before);
  const stays = slid && (await settle(task, run, slid));
  if (stays !== undefined && lost(stays) === 0) return { result: stays, left: stays.after };
  const { result, left } = await solveOnce(task, before);
  const free = result.status === 'solved' || result.status === 'improved' ? await settle(task, run, result) : result;
  const slides = stays !== undefined && (free.status !== 'solved' || (await standsBetter(task, run, stays, free)));
  return slides ? { result: stays, left: stays.after } : { result: free, left };
}

/** Sliding may take things over the edge of what they stand on: what falls is worse than what rests elsewhere. */
async function standsBetter(task: Task, run: SolveRun, stays: Result, free: Result): Promise<boolean> {
  const resting = async (result: Result) => new Set((await supportsAt(task, run, posesOf(task, result))).map(({ body }) => body)).size;
  const more = (await resting(stays)) - (await resting(free));
  return more > 0 || (more === 0 && lost(stays) <= lost(free));
}

function lost({ supports }: Result): number {
  return supports?.lost.length ?? 0;
}

/** What became of the input's supports with the bodies at `poses`, found anew. */
export async function reportSupportsAt(task: Task, run: SolveRun, poses: readonly Pose[]): Promise<Supports> {
  const key = ({ body, onBody, on }: Support) => `${body} ${onBody} ${on}`;
  const after = new Set((await supportsAt(task, run, poses)).map(key));
  const before = await supportsAt(task, run, inputPoses(task));
  return reportSupports(task.plan.scene, before, (support) => after.has(key(support)));
}

async function supportsAt({ backend, plan, options }: Task, run: SolveRun, poses: readonly Pose[]): Promise<Support[]> {
  const { scene, motions } = plan;
  return unpackSupports(scene, await backend.supports(packScene(scene, motions), packPoses(poses), placeOptions(options, run)));
}

/**
 * A run in which units that rest on fixed scenery slide. It starts with those that sank into what carries them, as the soft contacts
 * of engines let them, raised out of it. Undefined unless it ends without overlaps.
 */
async function slide(task: Task, run: SolveRun, grounded: readonly Support[], before: Evaluation): Promise<Result | undefined> {
  const { plan, options } = task;
  const seated = await settled(task, run, inputPoses(task));
  const scene = withPoses(plan.scene, seated.poses);
  const sliding: Task = {
    ...task,
    plan: slidingPlan({ ...plan, scene }, grounded),
    // One attempt: if there is no room on the ground, there is above it.
    options: {
      ...options,
      separation: { ...options.separation, fallback: false },
      reference: { ...options.reference, marginSchedule: [1] },
    },
  };
  const { result } = await solveOnce(sliding);
  if (result.status !== 'solved' && result.status !== 'clean') return undefined;
  const poses = posesOf(sliding, result);
  const after = await run.verify(poses);
  if (after === undefined || after.repairable > 0 || after.interrupted) return undefined;
  return run.result('solved', undefined, before, { poses, after });
}

/** The result with its units put back on their supporters, unless that makes it worse. */
async function settle(task: Task, run: SolveRun, result: Result): Promise<Result> {
  const { scene } = task.plan;
  const given = posesOf(task, result);
  const { poses, supports, kept } = await settled(task, run, given);
  if (run.isOver()) return result; // solved in time, but not settled
  if (poses.every((pose, id) => pose === given[id])) {
    return { ...result, supports: reportSupports(scene, supports, (_, k) => kept[k] === 1) };
  }
  const after = await run.verify(poses);
  const worse =
    after === undefined || after.interrupted || after.repairable > result.after.repairable || after.maxDepth > result.after.maxDepth;
  if (worse) return { ...result, supports: await reportSupportsAt(task, run, given) };
  const judged = run.result(result.status, result.reason, result.before, { poses, after });
  return {
    ...judged,
    stats: { ...result.stats, milliseconds: judged.stats.milliseconds },
    supports: reportSupports(scene, supports, (_, k) => kept[k] === 1),
  };
}

interface Settled {
  readonly poses: readonly Pose[];
  readonly supports: readonly Support[];
  /** By support: 1 if it holds in `poses`. */
  readonly kept: Uint8Array;
}

async function settled({ backend, plan, options }: Task, run: SolveRun, poses: readonly Pose[]): Promise<Settled> {
  const { scene, motions } = plan;
  const packed = packScene(scene, motions);
  const answer = await backend.settle(packed, packed.bodyPoses, packPoses(poses), placeOptions(options, run));
  const unturned = Float64Array.from(scene.bodies.flatMap(() => [1, 0, 0, 0]));
  const moved = applyMoves(withPoses(scene, poses), { shifts: answer.shifts, turns: unturned });
  return { poses: moved, supports: unpackSupports(scene, answer), kept: answer.kept };
}

function inputPoses({ plan }: Task): Pose[] {
  return plan.scene.bodies.map((body) => body.X_WB);
}

function withPoses(scene: Scene, poses: readonly Pose[]): Scene {
  return { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] as Pose })) };
}
