/** A backend that answers from scripts, to test the decisions around the native core. */
import type { Backend, BackendCheckOptions, PreparedBackend } from '../../src/core/backend.js';
import type { ResolvedOptions } from '../../src/core/options.js';
import type { PackedEvaluation, PackedResolution, PackedScene, PackedSolution } from '../../src/core/pack.js';

export const STATS = { steps: 2, qpSolves: 3, qpVariablesMean: 4, qpVariablesMax: 5, margin: 0.02, msTotal: 10, threads: 1 };

/** `count` overlaps between geoms 0 and 1. */
export function overlaps(count: number, interrupted = false): PackedEvaluation {
  return {
    geoms: new Int32Array(2 * count).map((_, i) => i % 2),
    kind: new Uint8Array(count),
    constant: new Uint8Array(count),
    depth: new Float64Array(count).fill(0.1),
    point: new Float64Array(3 * count),
    normal: new Float64Array(3 * count),
    candidates: 1,
    interrupted,
  };
}

/** A solution that moves body 1 by `shift` along x [m]. */
export function solution(shift: number, status = 'solved', reason = '', stats: Record<string, number> = {}): PackedSolution {
  return {
    status,
    reason,
    shifts: Float64Array.of(0, 0, 0, shift, 0, 0),
    turns: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0),
    centres: new Float64Array(6),
    stats: { ...STATS, ...stats },
  };
}

type Scripted<T> = T | (() => T);

/** Answers the calls in the order of the scripts and keeps what it was asked. */
export class FakeBackend implements Backend {
  readonly name = 'fake 1';
  readonly checked: { readonly poses: Float64Array; readonly options: BackendCheckOptions }[] = [];
  readonly solved: ResolvedOptions[] = [];

  constructor(
    private readonly evaluations: Scripted<PackedEvaluation>[],
    private readonly solutions: Scripted<PackedSolution>[] = [],
    private readonly resolutions: Scripted<PackedResolution>[] = [],
  ) {}

  async check(_: PackedScene, poses: Float64Array, options: BackendCheckOptions): Promise<PackedEvaluation> {
    this.checked.push({ poses, options });
    return next(this.evaluations);
  }

  async solve(_: PackedScene, options: ResolvedOptions): Promise<PackedSolution> {
    this.solved.push(options);
    return next(this.solutions);
  }

  async prepare(): Promise<PreparedBackend> {
    return { resolve: async () => next(this.resolutions) };
  }
}

function next<T>(script: Scripted<T>[]): T {
  const answer = script.shift();
  if (answer === undefined) throw new Error('the backend was called once more than the test expects');
  return typeof answer === 'function' ? (answer as () => T)() : answer;
}
