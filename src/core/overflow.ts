/**
 * `overflow: 'lift'`: units for which there is no room are taken out, until the rest can be solved, and then raised above it. Half-spaces
 * that bound from above, as the lid of a container, do not hold for them.
 */
import { coverOverlaps } from './choose-out.js';
import { reportSupportsAt } from './keep-support.js';
import { withoutLids, withoutUnits } from './leave-out.js';
import { packPoses, packScene } from './pack.js';
import type { Lift, Result } from './result.js';
import type { Body, BodyId, Pose, Scene } from './scene.js';
import { type Outcome, placeOptions, posesOf, runOf, type Task } from './task.js';
import { applyMoves } from './unpack.js';

/** Rounds of taking out, and the share of the units that the leftover overlaps ask for that each takes. */
const ROUNDS = [0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1];

/** @param solve how the scene, and then the rest of it, is solved */
export async function solveLifting(task: Task, solve: (task: Task) => Promise<Outcome>): Promise<Result> {
  const { scene, motions } = task.plan;
  const first = await solve(task);
  if (!hasNoRoom(first.result)) return first.result;
  // What the fallback cannot separate is lifted sooner.
  const { separation } = task.options;
  const options = { ...task.options, separation: { ...separation, fallback: false } };
  const out = new Set<BodyId>();
  // Without those that are lifted there may be room.
  const { impossible: _, ...plan } = task.plan;
  let { left } = first;
  for (const share of ROUNDS) {
    const asked = coverOverlaps(scene, motions, left.overlaps);
    if (asked.length === 0) break;
    for (const unit of asked.slice(0, Math.max(1, Math.floor(share * asked.length)))) out.add(unit);
    const rest = await solve({ ...task, options, plan: { ...plan, scene: withoutUnits(scene, out) } });
    const { status } = rest.result;
    if (status === 'cancelled' || status === 'timeLimit') return runOf(task).stopped(first.result.before);
    if (!hasNoRoom(rest.result)) return (await raise(task, rest.result, first.result, out)) ?? first.result;
    left = rest.left;
  }
  return first.result;
}

function hasNoRoom({ status }: Result): boolean {
  return status === 'improved' || status === 'stalled' || status === 'infeasible';
}

/** The solved rest with the units taken out above it; undefined if not all of them have a place there. */
async function raise(task: Task, rest: Result, first: Result, out: ReadonlySet<BodyId>): Promise<Result | undefined> {
  const { backend, logger, options } = task;
  const settled = posesOf(task, rest);
  const scene = withoutLids(task.plan.scene, out);
  const run = runOf({ ...task, plan: { ...task.plan, scene } });
  const units = lowestFirst(scene, out);
  const packed = packScene(scene, task.plan.motions);
  const lifting = await backend.lift(packed, packPoses(settled), Int32Array.from(units), placeOptions(options, run));
  const nowhere = units.filter((_, k) => (lifting.heights[k] as number) < 0).map((id) => scene.bodies[id]?.name);
  if (nowhere.length > 0) {
    logger.info(`no place above the others for ${nowhere.join(', ')}`);
    return undefined;
  }
  const turns = Float64Array.from(scene.bodies.flatMap(() => [1, 0, 0, 0]));
  const poses = applyMoves(atPoses(scene, settled), { shifts: lifting.shifts, turns });
  const after = await run.verify(poses);
  if (after === undefined || after.interrupted || after.repairable > 0) return undefined;
  const lifted = units
    .map((id, k): Lift => ({ bodyId: id, body: (scene.bodies[id] as Body).name, height: lifting.heights[k] as number }))
    // One for which only the lid was in the way stays where it is, and reaches through it.
    .filter(({ height }) => height > 0 || scene !== task.plan.scene);
  const count = lifted.length === 1 ? '1 body was' : `${lifted.length} bodies were`;
  const reason = lifted.length === 0 ? undefined : `${count} lifted, as there is no room among the others`;
  const judged = run.result('solved', reason, first.before, { poses, after });
  return {
    ...judged,
    ...(options.keepSupport ? { supports: await reportSupportsAt(task, run, poses) } : {}),
    ...(lifted.length === 0 ? {} : { lifted }),
  };
}

function lowestFirst({ bodies, up }: Scene, units: ReadonlySet<BodyId>): BodyId[] {
  const height = (id: BodyId) => (bodies[id] as Body).X_WB.position.reduce((sum, value, k) => sum + value * (up[k] as number), 0);
  return [...units].sort((a, b) => height(a) - height(b) || a - b);
}

function atPoses(scene: Scene, poses: readonly Pose[]): Scene {
  return { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] as Pose })) };
}
