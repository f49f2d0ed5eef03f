/** One scene, many states: `resolve` repairs a set of body poses without building anything anew. */
import type { Backend, PreparedBackend } from './backend.js';
import type { Logger } from './logger.js';
import type { ResolvedOptions } from './options.js';
import { PER_POSE, packPoses, unpackPoses } from './pack.js';
import type { Plan } from './plan.js';
import type { Status } from './result.js';
import type { BodyId, Pose, Scene } from './scene.js';
import { SolveRun } from './solve-run.js';
import { applyMoves, displacement, movableUnits, nameGeoms, rmsMove } from './unpack.js';
import { failField, requirePose, requireTypedArray } from './validate-fields.js';
import { brokenPromises } from './verify.js';

export interface ResolveOptions {
  readonly signal?: AbortSignal;
}

/** What became of one state. */
export interface Resolution {
  readonly status: Status;
  /** Why, in one sentence, when the status is not `clean` or `solved`. */
  readonly reason?: string;
  /** [x y z qw qx qy qz] per body, as given; where nothing moved, the very array that was given. */
  readonly poses: Float64Array;
  /** Roots of the units that moved, ascending. */
  readonly moved: readonly BodyId[];
  /**
   * Repairable pairs overlapping in the input, as the solver counts them (-1: it was stopped before), and in `poses`, as the
   * evaluator does; a run that was stopped leaves as many as there were.
   */
  readonly overlapsBefore: number;
  readonly overlapsAfter: number;
  /** Root mean square of the displacement over all movable units [m]. */
  readonly rmsMove: number;
  /** Wall time [ms]. */
  readonly milliseconds: number;
}

/** Made by `Solver.prepare`. Keeps no state between calls, which may overlap. */
export class PreparedSolver {
  constructor(
    private readonly backend: Backend,
    private readonly prepared: PreparedBackend,
    private readonly logger: Logger,
    private readonly plan: Plan,
    private readonly options: ResolvedOptions,
  ) {}

  /**
   * Repair the scene with its bodies at `poses`: X_WB of every body by id, [x y z qw qx qy qz] each [m], quaternions unit to 1e-6.
   * Success is what the evaluator confirms; a state the prepared run cannot repair goes through `Solver.solve`.
   * @throws S4rError INVALID_SCENE for poses of the wrong number, not finite or not unit.
   */
  async resolve(poses: Float64Array, options: ResolveOptions = {}): Promise<Resolution> {
    const start = performance.now();
    const scene = this.sceneAt(poses);
    const signal = options.signal ?? this.options.signal;
    const { timeLimit } = this.options;
    const limits = { ...(signal === undefined ? {} : { signal }), ...(timeLimit === undefined ? {} : { timeLimit }) };
    const run = await this.prepared.resolve(packPoses(scene.bodies.map((body) => body.X_WB)), limits);
    const elapsed = performance.now() - start;
    const [overlapsBefore, overlapsAfter] = [run.overlapsBefore, run.left.length / 2];
    const end = (status: Status, found: readonly Pose[], left: number, reason?: string): Resolution => ({
      status,
      ...(reason === undefined ? {} : { reason }),
      ...outcome(scene, poses, found),
      overlapsBefore,
      overlapsAfter: left,
      milliseconds: performance.now() - start,
    });
    const unmoved = scene.bodies.map((body) => body.X_WB);
    // The core may have ended before it heard of it.
    if (run.status === 'cancelled' || signal?.aborted === true) return end('cancelled', unmoved, overlapsBefore);
    if (run.status === 'time-limit' || elapsed > 1000 * (timeLimit ?? Infinity)) {
      return end('timeLimit', unmoved, overlapsBefore, `the time limit of ${timeLimit} s was reached`);
    }
    const found = applyMoves(scene, run);
    const violations = brokenPromises(scene, found, { ...this.options, motions: this.plan.motions });
    for (const violation of violations) this.logger.warn(`a prepared run was rejected: ${violation}`);
    if (overlapsAfter === 0 && violations.length === 0) {
      return end(found.every((pose, id) => pose === unmoved[id]) ? 'clean' : 'solved', found, 0);
    }
    this.logger.info(`${overlapsAfter} overlaps left: ${nameGeoms(scene, run.reason)}; solving anew`);
    const left = timeLimit === undefined ? {} : { timeLimit: timeLimit - elapsed / 1000 };
    const anew = await new SolveRun(this.backend, this.logger, { ...this.plan, scene }, { ...this.options, ...limits, ...left }).run();
    return end(anew.status, anew.poses, anew.after.repairable, anew.reason);
  }

  /** The scene with its bodies at `poses`. */
  private sceneAt(poses: Float64Array): Scene {
    const { bodies } = this.plan.scene;
    const wanted = PER_POSE * bodies.length;
    requireTypedArray(() => 'poses', '', poses, 'Float64Array');
    if (poses.length !== wanted)
      failField(() => 'poses', '', `${wanted} numbers, ${PER_POSE} for each of ${bodies.length} bodies`, poses.length);
    const placed = unpackPoses(poses);
    bodies.forEach(({ id, name }) => {
      requirePose(() => `body '${name}' (poses[${id}])`, '', placed[id]);
    });
    return { ...this.plan.scene, bodies: bodies.map((body) => ({ ...body, X_WB: placed[body.id] as Pose })) };
  }
}

/** What moved between the scene and `found`, and the given array with the new positions. */
function outcome(scene: Scene, poses: Float64Array, found: readonly Pose[]): Pick<Resolution, 'poses' | 'moved' | 'rmsMove'> {
  const moves = movableUnits(scene)
    .filter((body) => found[body.id] !== body.X_WB)
    .map((body) => ({ bodyId: body.id, distance: Math.hypot(...displacement(body, found)) }));
  const moved = moves.map((move) => move.bodyId);
  if (moved.length === 0) return { poses, moved, rmsMove: 0 };
  const shifted = poses.slice();
  for (const { id, X_WB } of scene.bodies) {
    const { position, quaternion } = found[id] as Pose;
    if (position !== X_WB.position) shifted.set(position, PER_POSE * id);
    if (quaternion !== X_WB.quaternion) shifted.set(quaternion, PER_POSE * id + position.length);
  }
  return { poses: shifted, moved, rmsMove: rmsMove(scene, moves) };
}
