/** What a numeric core must offer. All calls are pure: the packed scene goes in, packed results come out. */
import type { Progress, ResolvedCheckOptions, ResolvedOptions } from './options.js';
import type {
  PackedEvaluation,
  PackedLifting,
  PackedResolution,
  PackedScene,
  PackedSettlement,
  PackedSolution,
  PackedSupports,
} from './pack.js';

/** Options of a check, plus what a solve that contains it adds: the wall time left [s] and its progress callback. */
export type BackendCheckOptions = ResolvedCheckOptions & {
  readonly timeLimit?: number;
  readonly onProgress?: (progress: Progress) => void;
};

/** Options of placing bodies. `tolerance` is that of overlaps, `restTolerance` that of resting [m]. */
export type BackendPlaceOptions = BackendCheckOptions & { readonly restTolerance: number; readonly maxShift?: number };

/** All calls reject with what `onProgress` throws, after cancelling. */
export interface Backend {
  /** For reports: name and version. */
  readonly name: string;
  /**
   * Evaluator (App. A.9 plus containment) on body poses [x y z qw qx qy qz] x bodies [m].
   * Cancelled or out of time, it returns what it has, marked `interrupted`.
   */
  check(scene: PackedScene, poses: Float64Array, options: BackendCheckOptions): Promise<PackedEvaluation>;
  /** One run of `options.profile` at `options.margin`; `marginSchedule`, `movable` and `frozen` are the caller's business. */
  solve(scene: PackedScene, options: ResolvedOptions): Promise<PackedSolution>;
  /** Keeps what does not depend on the poses, for many states. Profiles `default` and `quick`; `movable` and `frozen` as above. */
  prepare(scene: PackedScene, options: ResolvedOptions): Promise<PreparedBackend>;
  /** What rests on what with the bodies at `poses`, packed as for `check`; incomplete if stopped early. */
  supports(scene: PackedScene, poses: Float64Array, options: BackendPlaceOptions): Promise<PackedSupports>;
  /** Puts units that rested in `before`, and do not in `after`, back on what carried them. */
  settle(scene: PackedScene, before: Float64Array, after: Float64Array, options: BackendPlaceOptions): Promise<PackedSettlement>;
  /** Raises the units (by their roots), one after the other, along `up` to the lowest free places. */
  lift(scene: PackedScene, poses: Float64Array, units: Int32Array, options: BackendPlaceOptions): Promise<PackedLifting>;
}

/** Runs may overlap. */
export interface PreparedBackend {
  /** One run from body poses [x y z qw qx qy qz] x bodies [m], judged by the evaluator. */
  resolve(poses: Float64Array, options: Pick<BackendCheckOptions, 'signal' | 'timeLimit'>): Promise<PackedResolution>;
}
