/** One solve from the first evaluation to the verdict. Decides between attempts; computes nothing itself. */
import type { Backend, BackendCheckOptions } from './backend.js';
import { type Displacements, freeJoints, isOutside, jointMoves, unpackDisplacements } from './joints.js';
import type { Logger } from './logger.js';
import type { Profile, ResolvedOptions } from './options.js';
import { type PackedScene, type PackedSolution, packScene } from './pack.js';
import { listNames } from './patterns.js';
import { reportStanding, withoutLift, withoutTouching } from './plan/standing.js';
import { tightestGroup } from './plan/tightest.js';
import type { Plan } from './plan.js';
import type { Evaluation, Result, Status } from './result.js';
import type { Pose, Scene } from './scene.js';
import { StatsCollector } from './stats.js';
import { applyMoves, movesOf, nameGeoms, rmsMove, unpackEvaluation } from './unpack.js';
import { verifyPoses } from './verify.js';

/** A run of the backend and the verdict on it. */
interface Attempt {
  readonly solution: PackedSolution;
  readonly poses: readonly Pose[];
  readonly displacements: Displacements;
  readonly after: Evaluation;
}

/** Before anything was evaluated. */
const NOT_EVALUATED: Evaluation = {
  overlaps: [],
  repairable: 0,
  constant: 0,
  repairableBodyPairs: 0,
  maxDepth: 0,
  candidates: 0,
  interrupted: true,
};

/** What the runs of one solve have in common. */
export class RunShare {
  readonly stats = new StatsCollector();
  readonly deadline: number;

  /** The time limit starts now. */
  constructor({ timeLimit }: ResolvedOptions) {
    this.deadline = timeLimit === undefined ? Infinity : performance.now() + 1000 * timeLimit;
  }
}

export class SolveRun {
  /** The overlaps that the best attempt leaves, accepted or not. */
  left: Evaluation | undefined;

  private readonly inputPoses: readonly Pose[];
  /** What the backend returned last, and what the evaluator found in it. */
  private last: PackedSolution | undefined;
  private lastAfter: Evaluation | undefined;

  private readonly scene: Scene;
  private readonly stats: StatsCollector;
  private readonly deadline: number;

  /** The scene of the plan is valid. */
  constructor(
    private readonly backend: Backend,
    private readonly logger: Logger,
    private readonly plan: Plan,
    private readonly options: ResolvedOptions,
    share: RunShare = new RunShare(options),
  ) {
    this.scene = plan.scene;
    this.stats = share.stats;
    this.deadline = share.deadline;
    this.inputPoses = this.scene.bodies.map((body) => body.X_WB);
  }

  /** The overlaps of the input. */
  async evaluateInput(): Promise<Evaluation> {
    if (this.isOver()) return NOT_EVALUATED;
    const packed = packScene(this.scene);
    return await this.evaluate('before', async (options) => {
      return unpackEvaluation(this.scene, await this.backend.check(packed, packed.bodyPoses, options));
    });
  }

  /** @param known what `evaluateInput` returned, if it was called */
  async run(known?: Evaluation): Promise<Result> {
    const before = known ?? (await this.evaluateInput());
    if (before.interrupted) return this.stopped(before);
    if (before.repairable === 0 && this.allStand())
      return this.result('clean', undefined, before, { poses: this.inputPoses, after: before });

    const { impossible } = this.plan;
    if (impossible !== undefined) return this.result('infeasible', impossible, before, { poses: this.inputPoses, after: before });

    const packed = packScene(this.scene, this.plan.motions);
    let best: Attempt | undefined;
    for (const { profile, margin } of this.attempts()) {
      if (this.isOver()) return this.stopped(before);
      this.last = await this.solveWith(packed, profile, margin);
      if (this.last.status === 'cancelled' || this.last.status === 'time-limit') return this.stopped(before);
      const attempt = await this.judge(this.last, before);
      if (attempt?.after.interrupted) return this.stopped(before);
      this.lastAfter = attempt?.after ?? this.lastAfter;
      if (attempt !== undefined && (this.left === undefined || isBetter(attempt.after, this.left))) this.left = attempt.after;
      if (attempt !== undefined && improves(attempt.after, before) && (best === undefined || isBetter(attempt.after, best.after)))
        best = attempt;
      if (best?.after.repairable === 0) break;
    }
    return this.conclude(before, best, this.last);
  }

  /** The profile itself, then `reference` with the clearances of its schedule; asked for one by one, as long as none suffices. */
  private *attempts(): Generator<{ profile: Profile; margin: number | undefined }> {
    const { profile, margin, reference, separation } = this.options;
    if (profile !== 'reference') yield { profile, margin };
    if (profile !== 'reference' && (!separation.fallback || freeJoints(this.scene).length > 0)) return;
    let base = margin;
    let tried: number | undefined;
    for (const factor of reference.marginSchedule) {
      const next = base === undefined ? undefined : base * factor;
      if (next !== undefined && next === tried) continue; // the same attempt would end the same way
      tried = next;
      yield { profile: 'reference', margin: next };
      base ??= this.last?.stats.margin;
      if (base === undefined || base === 0) return; // no smaller clearance to try
    }
  }

  private async solveWith(packed: PackedScene, profile: Profile, margin: number | undefined): Promise<PackedSolution> {
    const { margin: _, ...options } = this.options;
    const given = { ...options, profile, ...this.timeLeft(), ...(margin === undefined ? {} : { margin }) };
    const raw = withoutLift(this.scene, this.plan.standing, await this.backend.solve(packed, given));
    const solution = { ...raw, reason: nameGeoms(this.scene, raw.reason) };
    this.stats.add(solution, profile);
    this.logger.info(`${profile} at a clearance of ${solution.stats.margin} m: ${solution.status} ${solution.reason}`.trim());
    return solution;
  }

  /** The solution on fresh poses; undefined if it breaks a promise, which would be a defect of the backend. */
  private async judge(solution: PackedSolution, before: Evaluation): Promise<Attempt | undefined> {
    const displacements = unpackDisplacements(this.scene, solution.joints);
    const poses = applyMoves(this.scene, solution, displacements);
    if (this.allStand() && poses.every((pose, i) => pose === this.inputPoses[i])) return { solution, poses, displacements, after: before };
    const after = await this.verify(poses, displacements);
    return after === undefined ? undefined : { solution, poses, displacements, after };
  }

  /** The overlaps with the bodies at `poses`; undefined if these break a promise. */
  async verify(poses: readonly Pose[], displacements: Displacements = []): Promise<Evaluation | undefined> {
    let violations: readonly string[] = [];
    const after = await this.evaluate('after', async (options) => {
      const verification = await verifyPoses(this.backend, this.scene, poses, options, {
        ...this.options,
        ...this.plan,
        displacements,
      });
      violations = verification.violations;
      return verification.evaluation;
    });
    const shown = violations.slice(0, 2).join('; ');
    const others = violations.length > 2 ? `; and ${violations.length - 2} more` : '';
    // Not all bodies of a crowd can stand; any other broken promise is a defect of the backend.
    const level = this.plan.standing.length > 0 ? 'info' : 'warn';
    if (violations.length > 0) this.logger[level](`an attempt was rejected: ${shown}${others}`);
    return violations.length > 0 && !after.interrupted ? undefined : after;
  }

  private conclude(before: Evaluation, best: Attempt | undefined, last: PackedSolution | undefined): Result {
    if (best?.after.repairable === 0) return this.result('solved', undefined, before, best);
    if (best !== undefined && improves(best.after, before)) {
      const reason = `${best.after.repairable} of ${before.repairable} overlaps are left${because(best.solution)}${this.outside()}${this.tightest(best.after)}`;
      return this.result('improved', reason, before, best);
    }
    const status = last?.status === 'container-infeasible' ? 'infeasible' : 'stalled';
    const found =
      before.repairable === 0
        ? 'not all bodies can stand without overlap'
        : `nothing better than the ${before.repairable} overlaps of the input was found`;
    const reason = `${found}${because(last)}${this.outside()}${this.tightest(this.lastAfter ?? before)}`;
    return this.result(status, reason, before, { poses: this.inputPoses, after: before });
  }

  /** Joints that could only move one way, as the end of a sentence. */
  private outside(): string {
    const outside = freeJoints(this.scene).filter(isOutside);
    return outside.length === 0 ? '' : `; outside of their limits, and moved towards them only: ${listNames(outside)}`;
  }

  private tightest(after: Evaluation): string {
    const { container } = this.plan;
    return container === undefined ? '' : tightestGroup(this.scene, container, after);
  }

  /** Of a run that is over. */
  stopped(before: Evaluation): Result {
    const cancelled = this.options.signal?.aborted === true;
    const reason = cancelled ? 'cancelled by the caller' : `the time limit of ${this.options.timeLimit} s was reached`;
    return this.result(cancelled ? 'cancelled' : 'timeLimit', reason, before, { poses: this.inputPoses, after: before });
  }

  /** As a verdict with the bodies at `chosen.poses`. */
  result(
    status: Status,
    reason: string | undefined,
    before: Evaluation,
    chosen: {
      readonly poses: readonly Pose[];
      readonly after: Evaluation;
      readonly displacements?: Displacements;
      readonly solution?: PackedSolution;
    },
  ): Result {
    const moves = movesOf(this.scene, chosen.poses, before);
    return {
      status,
      ...(reason === undefined ? {} : { reason }),
      poses: chosen.poses.slice(0, this.plan.bodyCount),
      moves,
      before,
      after: chosen.after,
      rmsMove: rmsMove(this.scene, moves),
      stats: this.stats.summary(this.options, this.backend.name, chosen.solution),
      ...(freeJoints(this.scene).length === 0 ? {} : { joints: jointMoves(this.scene, chosen.displacements ?? []) }),
      ...(this.plan.standing.length === 0 ? {} : { standing: reportStanding(this.scene, this.plan.standing, chosen.poses) }),
    };
  }

  private async evaluate(when: 'before' | 'after', run: (options: BackendCheckOptions) => Promise<Evaluation>): Promise<Evaluation> {
    const { tolerance, threads, signal, onProgress } = this.options;
    onProgress?.({ stage: 'evaluate', fraction: 0, overlaps: -1 });
    const start = performance.now();
    const evaluation = withoutTouching(
      await run({
        tolerance,
        threads,
        ...this.timeLeft(),
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
      }),
      this.plan.resting,
    );
    this.stats.evaluation[when] += performance.now() - start;
    onProgress?.({ stage: 'evaluate', fraction: 1, overlaps: evaluation.repairable });
    return evaluation;
  }

  /** Every unit that has to stand does so in the input. */
  private allStand(): boolean {
    return this.plan.standing.every(({ stands }) => stands);
  }

  /** Cancelled, or out of time. */
  isOver(): boolean {
    return this.options.signal?.aborted === true || performance.now() > this.deadline;
  }

  /** The rest of the time limit [s], for a call to the backend. */
  timeLeft(): { timeLimit?: number } {
    return this.deadline === Infinity ? {} : { timeLimit: Math.max(0, (this.deadline - performance.now()) / 1000) };
  }
}

/** Of depths, relative: that of a pair that was moved as one may differ so much. */
const ROUNDING = 1e-9;

/** Fewer overlaps, and none deeper than the deepest was: what is left must not be worse than what came. None is always better. */
function improves(after: Evaluation, before: Evaluation): boolean {
  if (after.repairable === 0) return true;
  return after.repairable < before.repairable && after.maxDepth <= before.maxDepth * (1 + ROUNDING);
}

/** Fewer overlaps; of as many, shallower ones. */
function isBetter(a: Evaluation, b: Evaluation): boolean {
  return a.repairable < b.repairable || (a.repairable === b.repairable && a.maxDepth < b.maxDepth);
}

/** The backend's own words on why it stopped, as the end of a sentence. */
function because(solution: PackedSolution | undefined): string {
  if (solution === undefined) return '';
  const reason = solution.reason.replace(/\.\s*$/, '');
  if (reason === '') return ` (the continuation ended as ${solution.status})`;
  // The core's word for a lack of room of any kind: the reason says it better.
  return solution.status === 'container-infeasible' ? ` (${reason})` : ` (${solution.status}: ${reason})`;
}
