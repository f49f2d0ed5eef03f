/** What a solve cost: the numbers of the backend's runs, added up and named. */
import type { Profile, ResolvedOptions } from './options.js';
import type { PackedSolution } from './pack.js';
import type { SolveStats } from './result.js';

type Milliseconds = SolveStats['milliseconds'];

/** Collects while a solve runs. */
export class StatsCollector {
  /** Wall time of the evaluations [ms]. */
  readonly evaluation = { before: 0, after: 0 };
  private readonly runs: PackedSolution[] = [];
  private readonly profiles = new Map<PackedSolution, Profile>();

  add(run: PackedSolution, profile: Profile): void {
    this.runs.push(run);
    this.profiles.set(run, profile);
  }

  /** Counts and times are totals over all runs; profile, end, scale, margin and pairs left are those of `chosen`, by default the last. */
  summary(options: ResolvedOptions, backend: string, chosen = this.runs.at(-1)): SolveStats {
    const number = (run: PackedSolution | undefined, name: string) => run?.stats[name] ?? 0;
    const total = (name: string) => this.runs.reduce((sum, run) => sum + number(run, name), 0);
    const qpSolves = total('qpSolves');
    const qpVariables = this.runs.reduce((sum, run) => sum + number(run, 'qpVariablesMean') * number(run, 'qpSolves'), 0);
    const milliseconds: Milliseconds = {
      evaluateBefore: this.evaluation.before,
      setup: total('msSetup'),
      detect: total('msDetect'),
      qp: total('msQp'),
      tail: total('msTail'),
      cleanup: total('msCleanup'),
      solve: total('msTotal'),
      evaluateAfter: this.evaluation.after,
    };
    return {
      profile: (chosen && this.profiles.get(chosen)) ?? options.profile,
      algorithmStatus: chosen?.status ?? 'not-run',
      steps: total('steps'),
      finalScale: number(chosen, 'finalScale'),
      detections: total('detections'),
      tailIterations: total('tailIterations'),
      cleanupIterations: total('cleanupIterations'),
      overlapsAfterTail: chosen?.stats.tailLeft ?? -1,
      overlapsAfterCleanup: chosen?.stats.cleanupLeft ?? -1,
      queries: total('queries'),
      qpSolves,
      qpIterations: total('qpIterations'),
      qpVariablesMax: Math.max(0, ...this.runs.map((run) => number(run, 'qpVariablesMax'))),
      qpVariablesMean: qpSolves === 0 ? 0 : qpVariables / qpSolves,
      lengthUnit: number(chosen, 'lengthUnit'),
      margin: chosen === undefined ? (options.margin ?? 0) : number(chosen, 'margin'),
      milliseconds,
      backend,
      threads: chosen === undefined ? options.threads : number(chosen, 'threads'),
    };
  }
}
