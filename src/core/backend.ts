/** What a numeric core must offer. Both calls are pure: the packed scene goes in, packed results come out. */
import type { Progress, ResolvedCheckOptions, ResolvedOptions } from './options.js';
import type { PackedEvaluation, PackedScene, PackedSolution } from './pack.js';

/** Options of a check, plus what a solve that contains it adds: the wall time left [s] and its progress callback. */
export type BackendCheckOptions = ResolvedCheckOptions & {
  readonly timeLimit?: number;
  readonly onProgress?: (progress: Progress) => void;
};

/** Both calls reject with what `onProgress` throws, after cancelling. */
export interface Backend {
  /** For reports: name and version. */
  readonly name: string;
  /**
   * Evaluator (App. A.9 plus containment) on body poses [x y z qw qx qy qz] x bodies [m].
   * Cancelled or out of time, it returns what it has, marked `interrupted`.
   */
  check(scene: PackedScene, poses: Float64Array, options: BackendCheckOptions): Promise<PackedEvaluation>;
  /** One run of the continuation at `options.margin`; `marginSchedule`, `movable` and `frozen` are the caller's business. */
  solve(scene: PackedScene, options: ResolvedOptions): Promise<PackedSolution>;
}
