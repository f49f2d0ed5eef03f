/** The native C++ core behind the `Backend` interface: finds the addon, runs its jobs, translates its errors. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Backend, BackendCheckOptions, BackendPlaceOptions, PreparedBackend } from './backend.js';
import { S4rError } from './errors.js';
import type { Progress, ResolvedOptions } from './options.js';
import {
  PACK_VERSION,
  type PackedEvaluation,
  type PackedLifting,
  type PackedResolution,
  type PackedScene,
  type PackedSettlement,
  type PackedSolution,
  type PackedSupports,
} from './pack.js';

/** A job on a thread of its own. After `cancel` the promise still settles, with what there is. */
interface NativeJob<T> {
  readonly promise: Promise<T>;
  /** With `wait`, returns only when the thread has ended. */
  cancel(wait: boolean): void;
}

/** What surrounds a job: wall-clock limit [s] and a callback that is called about 20 times a second. */
interface NativeRun {
  readonly timeLimit: number | undefined;
  readonly onProgress: ((stage: Progress['stage'], fraction: number, overlaps: number) => void) | undefined;
}

/** The exports of native/addon. */
interface NativeAddon {
  readonly version: { readonly pack: number };
  check(scene: PackedScene, poses: Float64Array, options: object, run: NativeRun): NativeJob<PackedEvaluation>;
  solve(scene: PackedScene, options: object, run: NativeRun): NativeJob<PackedSolution>;
  prepare(scene: PackedScene, options: object, run: NativeRun): NativeJob<NativePrepared>;
  supports(scene: PackedScene, poses: Float64Array, options: object, run: NativeRun): NativeJob<PackedSupports>;
  settle(scene: PackedScene, before: Float64Array, after: Float64Array, options: object, run: NativeRun): NativeJob<PackedSettlement>;
  lift(scene: PackedScene, poses: Float64Array, units: Int32Array, options: object, run: NativeRun): NativeJob<PackedLifting>;
}

/** Owns the trees of a scene; collected like any object. */
interface NativePrepared {
  resolve(poses: Float64Array, run: NativeRun): NativeJob<PackedResolution>;
}

/** build/native/s4r.node of this package; src/core and dist/core lie equally deep. */
const ADDON_PATH = fileURLToPath(new URL('../../build/native/s4r.node', import.meta.url));

/**
 * Load the native core, by default from this package's build folder.
 * @throws S4rError ENVIRONMENT if it is missing, cannot be loaded or belongs to another version.
 */
export function loadNativeBackend(path: string = ADDON_PATH): Backend {
  const require = createRequire(import.meta.url);
  const addon = loadAddon(require, path);
  const { version } = require('../../package.json') as { version: string };
  return new NativeBackend(addon, `native ${version}`);
}

function loadAddon(require: NodeJS.Require, path: string): NativeAddon {
  const remedy = "run 'npm run setup' in the folder of s4r";
  let addon: Partial<NativeAddon>;
  try {
    addon = require(path) as NativeAddon;
  } catch (cause) {
    const missing = (cause as { code?: unknown }).code === 'MODULE_NOT_FOUND';
    const why = missing ? 'is not built: there is no such file' : `cannot be loaded: ${messageOf(cause)}`;
    throw new S4rError('ENVIRONMENT', `the native core ${path} ${why}; ${remedy}`, {}, { cause });
  }
  if (addon.version?.pack === PACK_VERSION) return addon as NativeAddon;
  const layout = `has layout version ${addon.version?.pack ?? 'none'}, this package needs ${PACK_VERSION}`;
  throw new S4rError('ENVIRONMENT', `the native core ${path} ${layout}; ${remedy}`);
}

class NativeBackend implements Backend {
  constructor(
    private readonly addon: NativeAddon,
    readonly name: string,
  ) {}

  check(scene: PackedScene, poses: Float64Array, options: BackendCheckOptions): Promise<PackedEvaluation> {
    const { tolerance, threads } = options;
    return runJob(options, (run) => this.addon.check(scene, poses, { tolerance, threads }, run));
  }

  solve(scene: PackedScene, options: ResolvedOptions): Promise<PackedSolution> {
    const { profile, tolerance, threads, margin, maxShift, maxTurn, reference, separation } = options;
    const given = { profile, tolerance, threads, margin, maxShift, maxTurn, reference, separation };
    return runJob(options, (run) => this.addon.solve(scene, given, run));
  }

  async prepare(scene: PackedScene, options: ResolvedOptions): Promise<PreparedBackend> {
    const { profile, tolerance, threads, margin, maxShift, maxTurn, separation, signal } = options;
    const given = { profile, tolerance, threads, margin, maxShift, maxTurn, separation };
    const prepared = await runJob(signal === undefined ? {} : { signal }, (run) => this.addon.prepare(scene, given, run));
    return { resolve: (poses, limits) => runJob(limits, (run) => prepared.resolve(poses, run)) };
  }

  supports(scene: PackedScene, poses: Float64Array, options: BackendPlaceOptions): Promise<PackedSupports> {
    return runJob(options, (run) => this.addon.supports(scene, poses, placing(options), run));
  }

  settle(scene: PackedScene, before: Float64Array, after: Float64Array, options: BackendPlaceOptions): Promise<PackedSettlement> {
    return runJob(options, (run) => this.addon.settle(scene, before, after, placing(options), run));
  }

  lift(scene: PackedScene, poses: Float64Array, units: Int32Array, options: BackendPlaceOptions): Promise<PackedLifting> {
    return runJob(options, (run) => this.addon.lift(scene, poses, units, placing(options), run));
  }
}

function placing({ restTolerance, tolerance, threads, maxShift }: BackendPlaceOptions): object {
  return { restTolerance, tolerance, threads, maxShift };
}

async function runJob<T>(
  options: Pick<BackendCheckOptions, 'signal' | 'timeLimit' | 'onProgress'>,
  start: (run: NativeRun) => NativeJob<T>,
): Promise<T> {
  const { signal, timeLimit, onProgress } = options;
  // Native errors arrive on an empty stack; the caller's is worth more.
  const callSite = new Error();
  let thrown: { readonly error: unknown } | undefined;
  const report: NativeRun['onProgress'] = (stage, fraction, overlaps) => {
    try {
      onProgress?.({ stage, fraction, overlaps });
    } catch (error) {
      thrown = { error };
      throw error; // the addon cancels the job
    }
  };
  let job: NativeJob<T> | undefined;
  const cancel = () => job?.cancel(false);
  try {
    job = start({ timeLimit, onProgress: onProgress === undefined ? undefined : report });
    cancelAtExit.add(job);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) job.cancel(false);
    return await job.promise;
  } catch (error) {
    throw thrown === undefined ? nativeError(error, callSite) : thrown.error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    if (job !== undefined) cancelAtExit.delete(job);
  }
}

/** The package checks its input before it calls, so whatever the core throws is a defect of s4r. */
function nativeError(error: unknown, callSite: Error): S4rError {
  const wrapped = new S4rError('INTERNAL', `native core: ${messageOf(error)}`, {}, { cause: error });
  const frames = callSite.stack?.split('\n').slice(1).join('\n') ?? '';
  wrapped.stack = `${wrapped.name}: ${wrapped.message}\n${frames}`;
  return wrapped;
}

/** By shape, not by class: the addon's errors may belong to another realm. */
function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}

/** Jobs still running at `process.exit` are ended first: it destroys what their threads use. */
const cancelAtExit = {
  jobs: new Set<NativeJob<unknown>>(),
  listener: () => {
    for (const job of cancelAtExit.jobs) job.cancel(true);
  },
  add(job: NativeJob<unknown>): void {
    if (this.jobs.size === 0) process.once('exit', this.listener);
    this.jobs.add(job);
  },
  delete(job: NativeJob<unknown>): void {
    this.jobs.delete(job);
    if (this.jobs.size === 0) process.removeListener('exit', this.listener);
  },
};
