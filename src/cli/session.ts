/** The only place that ties formats, solver and engines together. Shows nothing but progress and warnings, on stderr. */
import { collectFiles, type MjcfFiles, type MjcfSource, type MjcfWriteResult, mjcf } from '../adapters/mjcf/index.js';
import { type CheckOptions, type Evaluation, type Result, type Scene, Solver, type SolverOptions, type Status } from '../index.js';
import { type MujocoRolloutOptions, type Rollout, rolloutMujoco } from '../rollout/mujoco.js';
import { type Io, warn } from './io.js';
import { assertNotTaken } from './output-path.js';
import { ProgressBar } from './progress.js';
import { OVERWRITES } from './report.js';

/** Where `fix` puts the repaired scene. */
export type Destination = { readonly out: string } | 'in-place' | 'dry-run';

export interface CheckSettings {
  readonly key: string | undefined;
  /** Where a report is going to be written, which must not be a file of the scene. */
  readonly report: string | undefined;
  readonly check: CheckOptions;
}

export interface FixSettings {
  readonly key: string | undefined;
  /** As in `CheckSettings`. */
  readonly report: string | undefined;
  readonly solver: SolverOptions;
  /** Also roll the scene out before and after, with and without gravity. */
  readonly rollout: boolean;
}

export interface Fixed {
  readonly scene: Scene;
  readonly result: Result;
  /** Files written; in a dry run those that would be. */
  readonly written: readonly string[];
  readonly rollouts: readonly RolloutPair[];
}

/** The same rollout of the scene as it was and as it is now; `after` is null if nothing moved. */
export interface RolloutPair {
  readonly gravity: boolean;
  readonly before: Rollout;
  readonly after: Rollout | null;
}

/** Statuses whose poses are worth writing. Of a clean scene the adapter makes a copy, or nothing. */
const WRITTEN: ReadonlySet<Status> = new Set(['clean', 'solved', 'improved']);

export async function checkScene(io: Io, file: string, { key, report, check }: CheckSettings): Promise<Evaluation> {
  const { scene, source } = await mjcf.read(file, { key });
  await assertNotTaken(report, source.files.files.keys(), OVERWRITES);
  const solver = await createSolver(io);
  return await solver.check(scene, { ...check, signal: io.signal } as CheckOptions);
}

export async function fixScene(io: Io, file: string, destination: Destination, settings: FixSettings): Promise<Fixed> {
  return await withProgress(io, async (bar) => {
    const { key, rollout } = settings;
    const { scene, source } = await mjcf.read(file, { key });
    await assertNotTaken(settings.report, source.files.files.keys(), OVERWRITES);
    // Before writing, which may be in place.
    const filesBefore = rollout ? await collectFiles(file) : undefined;
    const solver = await createSolver(io);
    const options = { ...settings.solver, onProgress: bar.onProgress, signal: io.signal } as SolverOptions;
    const result = await solver.solve(scene, options);
    bar.clear();
    const output = WRITTEN.has(result.status) ? await write(file, source, result, destination) : undefined;
    for (const note of output?.notes ?? []) warn(io, `note: ${note}`);
    const written = output?.files.map(({ path }) => path) ?? [];
    if (filesBefore === undefined) return { scene, result, written, rollouts: [] };
    const filesAfter = output === undefined || result.moves.length === 0 ? undefined : await filesOf(file, destination, output);
    const rollouts: RolloutPair[] = [];
    for (const gravity of [false, true]) {
      const before = await rolloutFiles(io, bar, filesBefore, { key, gravity });
      const repaired = { key: output?.newKey ?? key, gravity };
      rollouts.push({ gravity, before, after: filesAfter === undefined ? null : await rolloutFiles(io, bar, filesAfter, repaired) });
    }
    return { scene, result, written, rollouts };
  });
}

/** @param report as in `CheckSettings` */
export async function rolloutScene(io: Io, file: string, options: MujocoRolloutOptions, report?: string): Promise<Rollout> {
  return await withProgress(io, async (bar) => {
    const scene = await collectFiles(file);
    await assertNotTaken(report, scene.files.keys(), OVERWRITES);
    return await rolloutFiles(io, bar, scene, options);
  });
}

async function write(file: string, source: MjcfSource, result: Result, destination: Destination): Promise<MjcfWriteResult> {
  if (typeof destination === 'object') return await mjcf.write(source, result, destination.out);
  return await mjcf.write(source, result, file, { inPlace: true, dryRun: destination === 'dry-run' });
}

/** The files of the repaired scene; after a dry run with the texts nobody wrote. */
async function filesOf(file: string, destination: Destination, output: MjcfWriteResult): Promise<MjcfFiles> {
  const unwritten = output.files.flatMap(({ path, text }): [string, Uint8Array][] =>
    text === undefined ? [] : [[path, new TextEncoder().encode(text)]],
  );
  return await collectFiles(typeof destination === 'object' ? destination.out : file, new Map(unwritten));
}

async function rolloutFiles(io: Io, bar: ProgressBar, { files, main }: MjcfFiles, options: MujocoRolloutOptions): Promise<Rollout> {
  const onProgress = (fraction: number) => bar.show('simulating', fraction);
  return await rolloutMujoco({ files, main }, { ...options, signal: io.signal, onProgress });
}

async function createSolver(io: Io): Promise<Solver> {
  return await Solver.create({ logger: { warn: (message) => warn(io, `warning: ${message}`), info() {} } });
}

/** Whatever happens, the bar is gone before anything else is printed. */
async function withProgress<T>(io: Io, work: (bar: ProgressBar) => Promise<T>): Promise<T> {
  const bar = new ProgressBar(io);
  try {
    return await work(bar);
  } finally {
    bar.clear();
  }
}
