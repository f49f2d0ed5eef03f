/** One scene, many states: `resolve` repairs a set of body poses without building anything anew. */
import type { Backend, PreparedBackend } from './backend.js';
import { S4rError } from './errors.js';
import type { Logger } from './logger.js';
import type { ResolvedOptions } from './options.js';
import type { PackedResolution } from './pack.js';
import type { Status } from './result.js';
import type { Body, BodyId, Pose, Quat, Scene, Vec3 } from './scene.js';
import { SolveRun } from './solve-run.js';
import { movableUnits, nameGeoms } from './unpack.js';

const PER_POSE = 7;

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
  /** Repairable pairs overlapping in the input, as the solver counts them, and in `poses`, as the evaluator does. */
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
    private readonly scene: Scene,
    private readonly options: ResolvedOptions,
  ) {}

  /**
   * Repair the scene with its bodies at `poses`: X_WB of every body by id, [x y z qw qx qy qz] each [m], quaternions unit to 1e-6.
   * Success is what the evaluator confirms; a state the prepared run cannot repair goes through `Solver.solve`.
   * @throws S4rError INVALID_SCENE for poses of the wrong number, not finite or not unit.
   */
  async resolve(poses: Float64Array, options: ResolveOptions = {}): Promise<Resolution> {
    const start = performance.now();
    const normalised = this.checkedPoses(poses);
    const signal = options.signal ?? this.options.signal;
    const { timeLimit } = this.options;
    const limits = { ...(signal === undefined ? {} : { signal }), ...(timeLimit === undefined ? {} : { timeLimit }) };
    const packed = await this.prepared.resolve(normalised, limits);
    const elapsed = performance.now() - start;
    if (packed.status === 'cancelled') return { ...unchanged(poses, packed), status: 'cancelled', milliseconds: elapsed };
    if (packed.status === 'time-limit' || elapsed > 1000 * (timeLimit ?? Infinity)) {
      const reason = `the time limit of ${timeLimit} s was reached`;
      return { ...unchanged(poses, packed), status: 'timeLimit', reason, milliseconds: elapsed };
    }
    if (packed.left.length > 0) {
      this.logger.info(`${packed.left.length / 2} overlaps left: ${nameGeoms(this.scene, packed.reason)}; solving anew`);
      const left = timeLimit === undefined ? {} : { timeLimit: timeLimit - elapsed / 1000 };
      return await this.solveAnew(poses, normalised, packed, { ...this.options, ...limits, ...left }, start);
    }
    return { ...this.moved(poses, packed), milliseconds: performance.now() - start };
  }

  private moved(poses: Float64Array, packed: PackedResolution): Omit<Resolution, 'milliseconds'> {
    const roots = movableUnits(this.scene).map((body) => body.id);
    const moved = roots.filter((id) => shiftOf(packed, id).some((value) => value !== 0));
    const result = {
      status: moved.length === 0 ? ('clean' as const) : ('solved' as const),
      moved,
      overlapsBefore: packed.overlapsBefore,
      overlapsAfter: 0,
      rmsMove: rms(
        moved.map((id) => Math.hypot(...shiftOf(packed, id))),
        roots.length,
      ),
    };
    if (moved.length === 0) return { ...result, poses };
    const shifted = poses.slice();
    for (const { id, movesWith, mobility } of this.scene.bodies) {
      if (mobility === 'fixed') continue;
      const shift = shiftOf(packed, movesWith);
      shift.forEach((value, k) => {
        if (value !== 0) shifted[PER_POSE * id + k] = (shifted[PER_POSE * id + k] as number) + value;
      });
    }
    return { ...result, poses: shifted };
  }

  private async solveAnew(
    poses: Float64Array,
    normalised: Float64Array,
    packed: PackedResolution,
    options: ResolvedOptions,
    start: number,
  ): Promise<Resolution> {
    const scene = { ...this.scene, bodies: this.scene.bodies.map((body) => ({ ...body, X_WB: poseAt(normalised, body.id) })) };
    const result = await new SolveRun(this.backend, this.logger, scene, options).run();
    const moved = result.moves.map((move) => move.bodyId).sort((a, b) => a - b);
    const shifted = moved.length === 0 ? poses : poses.slice();
    for (const body of scene.bodies) {
      const pose = result.poses[body.id] as Pose;
      if (pose !== body.X_WB) shifted.set(pose.position, PER_POSE * body.id);
    }
    return {
      status: result.status,
      ...(result.reason === undefined ? {} : { reason: result.reason }),
      poses: shifted,
      moved,
      overlapsBefore: packed.overlapsBefore,
      overlapsAfter: result.after.repairable,
      rmsMove: result.rmsMove,
      milliseconds: performance.now() - start,
    };
  }

  /** The poses with quaternions unit to rounding. */
  private checkedPoses(poses: Float64Array): Float64Array {
    const { bodies } = this.scene;
    const wanted = PER_POSE * bodies.length;
    if (!(poses instanceof Float64Array) || poses.length !== wanted) {
      const got = poses instanceof Float64Array ? `${poses.length}` : `a ${typeof poses}`;
      throw new S4rError(
        'INVALID_SCENE',
        `poses: expected a Float64Array of ${wanted} numbers, 7 for each of ${bodies.length} bodies, got ${got}`,
      );
    }
    const checked = poses.slice();
    for (const { id, name } of bodies as readonly Body[]) {
      const pose = poses.subarray(PER_POSE * id, PER_POSE * (id + 1));
      if (!pose.every(Number.isFinite))
        throw new S4rError('INVALID_SCENE', `poses: expected finite numbers for body ${id} '${name}', got ${[...pose]}`);
      const norm = Math.hypot(...pose.subarray(3));
      if (Math.abs(norm - 1) > 1e-6) {
        throw new S4rError(
          'INVALID_SCENE',
          `poses: expected a unit quaternion [qw qx qy qz] for body ${id} '${name}', got one of length ${norm}`,
        );
      }
      if (Math.abs(norm - 1) > 4e-16) for (let k = 3; k < PER_POSE; k++) checked[PER_POSE * id + k] = (pose[k] as number) / norm;
    }
    return checked;
  }
}

function unchanged(poses: Float64Array, packed: PackedResolution): Omit<Resolution, 'status' | 'milliseconds'> {
  return { poses, moved: [], overlapsBefore: packed.overlapsBefore, overlapsAfter: packed.left.length / 2, rmsMove: 0 };
}

function shiftOf({ shifts }: PackedResolution, id: BodyId): Vec3 {
  return [shifts[3 * id] as number, shifts[3 * id + 1] as number, shifts[3 * id + 2] as number];
}

function poseAt(poses: Float64Array, id: BodyId): Pose {
  const [x, y, z, ...quaternion] = poses.subarray(PER_POSE * id, PER_POSE * (id + 1));
  return { position: [x, y, z] as unknown as Vec3, quaternion: quaternion as unknown as Quat };
}

function rms(distances: readonly number[], count: number): number {
  return count === 0 ? 0 : Math.sqrt(distances.reduce((sum, distance) => sum + distance ** 2, 0) / count);
}
