/** A backend that answers from scripts, to test the decisions around the native core. */
import type { Backend, BackendCheckOptions, PreparedBackend } from '../../src/core/backend.js';
import type { ResolvedOptions } from '../../src/core/options.js';
import type {
  PackedEvaluation,
  PackedLifting,
  PackedResolution,
  PackedScene,
  PackedSettlement,
  PackedSolution,
  PackedSupports,
} from '../../src/core/pack.js';

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
    joints: new Float64Array(0),
    centres: new Float64Array(6),
    stats: { ...STATS, ...stats },
  };
}

/** Body 1 rests on body 0. */
export const SUPPORTS: PackedSupports = { body: Int32Array.of(1), onBody: Int32Array.of(0), onGeom: Int32Array.of(0) };

/** What settling answers: body 1 is moved by `shift` along z [m]. */
export function settlement(shift: number, kept: number): PackedSettlement {
  return { ...SUPPORTS, kept: Uint8Array.of(kept), shifts: Float64Array.of(0, 0, 0, 0, 0, shift), interrupted: false };
}

/** Answers of the calls that place bodies. */
export interface Placements {
  readonly supports?: Scripted<PackedSupports>[];
  readonly settlements?: Scripted<PackedSettlement>[];
  readonly liftings?: Scripted<PackedLifting>[];
}

type Scripted<T> = T | (() => T);

/** Answers the calls in the order of the scripts and keeps what it was asked. */
export class FakeBackend implements Backend {
  readonly name = 'fake 1';
  readonly checked: { readonly poses: Float64Array; readonly options: BackendCheckOptions }[] = [];
  readonly solved: ResolvedOptions[] = [];
  /** The scenes that were to be solved. */
  readonly scenes: PackedScene[] = [];
  /** Poses that were to be settled. */
  readonly settled: Float64Array[] = [];
  /** Units that were to be lifted. */
  readonly raised: Int32Array[] = [];

  constructor(
    private readonly evaluations: Scripted<PackedEvaluation>[],
    private readonly solutions: Scripted<PackedSolution>[] = [],
    private readonly resolutions: Scripted<PackedResolution>[] = [],
    private readonly placements: Placements = {},
  ) {}

  async check(_: PackedScene, poses: Float64Array, options: BackendCheckOptions): Promise<PackedEvaluation> {
    this.checked.push({ poses, options });
    return next(this.evaluations);
  }

  async solve(scene: PackedScene, options: ResolvedOptions): Promise<PackedSolution> {
    this.solved.push(options);
    this.scenes.push(scene);
    return next(this.solutions);
  }

  async prepare(): Promise<PreparedBackend> {
    return { resolve: async () => next(this.resolutions) };
  }

  async supports(): Promise<PackedSupports> {
    return next(this.placements.supports ?? []);
  }

  async settle(_: PackedScene, __: Float64Array, after: Float64Array): Promise<PackedSettlement> {
    this.settled.push(after);
    return next(this.placements.settlements ?? []);
  }

  async lift(_: PackedScene, __: Float64Array, units: Int32Array): Promise<PackedLifting> {
    this.raised.push(units);
    return next(this.placements.liftings ?? []);
  }
}

function next<T>(script: Scripted<T>[]): T {
  const answer = script.shift();
  if (answer === undefined) throw new Error('the backend was called once more than the test expects');
  return typeof answer === 'function' ? (answer as () => T)() : answer;
}
