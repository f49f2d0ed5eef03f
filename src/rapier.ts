/** Repairs worlds of Rapier in one call. */
import {
  type RapierInput,
  type RapierReadOptions,
  type RapierSource,
  type RapierWorld,
  type RapierWriteOptions,
  rapier,
} from './adapters/rapier/index.js';
import {
  type CheckOptions,
  type CreateOptions,
  type Evaluation,
  type Overlap,
  type Pose,
  type Result,
  type Scene,
  Solver,
  type SolverOptions,
} from './index.js';

export type { RapierInput, RapierReadOptions, RapierWorld, RapierWriteOptions } from './adapters/rapier/index.js';

export type CheckWorldOptions = CheckOptions & RapierReadOptions & CreateOptions;
export type FixWorldOptions = SolverOptions & RapierReadOptions & RapierWriteOptions & CreateOptions;

export interface WorldCheck extends Evaluation {
  readonly scene: Scene;
  /** What the user should know about the world, one sentence each. */
  readonly notes: readonly string[];
}

/** `poses` are those that were written, rounded to float32 as Rapier stores them; `after` has the overlaps that this makes, if any. */
export interface WorldFix<Input extends RapierInput = RapierInput> extends Result {
  /** As it was read. */
  readonly scene: Scene;
  readonly notes: readonly string[];
  /** The same world; for a snapshot the bytes of the repaired one, or the same bytes if nothing was written. */
  readonly output: Input;
}

const WRITTEN: ReadonlySet<Result['status']> = new Set(['solved', 'improved']);

/**
 * All overlaps of a world, or of a snapshot, that Rapier would push apart. Nothing is changed.
 * @throws S4rError INVALID_INPUT, INVALID_OPTION, ENVIRONMENT; the signal's reason when aborted
 */
export async function checkWorld(input: RapierInput, options: CheckWorldOptions = {}): Promise<WorldCheck> {
  const { read, create, rest } = split(options);
  const { scene, notes } = await rapier.read(input, read);
  const solver = await Solver.create(create);
  return { ...(await solver.check(scene, rest)), scene, notes };
}

/**
 * Move overlapping bodies apart, as little as possible, in place: poses of the bodies that moved, whose velocities become zero, and
 * nothing else. A world without overlaps is not touched. A state that is no better than the world's is not written: see `status`.
 * Axes that a body has locked stay locked, unless the option `axes` has an entry of its very name.
 * @example
 * const { status, moves } = await fixWorld(world, { frozen: ['shelf*'], maxShift: 0.1 });
 * @throws S4rError INVALID_INPUT, INVALID_OPTION, ENVIRONMENT; OUTPUT if the world changes meanwhile
 */
export async function fixWorld<Input extends RapierWorld | Uint8Array>(
  input: Input,
  options: FixWorldOptions = {},
): Promise<WorldFix<Input>> {
  const { read, write, create, rest } = split(options);
  const { scene, source, notes } = await rapier.read(input, read);
  const solver = await Solver.create(create);
  const result = await solver.solve(scene, withLocks(rest, source));
  const told = { scene, notes };
  if (!WRITTEN.has(result.status)) return { ...result, ...told, output: input };
  const { output, poses } = await rapier.write({ ...source, input }, result, write);
  const { tolerance, threads, allow, freeJoints } = rest;
  const check = (at: readonly Pose[]) => solver.check(placed(scene, at), defined({ tolerance, threads, allow, freeJoints }));
  return { ...result, ...judged(result, await check(result.poses), await check(poses)), poses, ...told, output };
}

/**
 * What rounding has added, if anything, goes to what the solve has left. A check does not know all that a solve may be told, such as
 * frozen bodies: so the pairs of two checks are compared.
 */
function judged(result: Result, exact: Evaluation, rounded: Evaluation): Pick<Result, 'status' | 'after' | 'reason'> {
  const { status, after, reason } = result;
  const known = new Set(exact.overlaps.map(pairOf));
  const added = rounded.overlaps.filter((overlap) => !overlap.constant && !known.has(pairOf(overlap)));
  if (added.length === 0) return { status, after, ...(reason === undefined ? {} : { reason }) };
  const overlaps = [...after.overlaps, ...added].sort((a, b) => b.depth - a.depth);
  const repairable = overlaps.filter(({ constant }) => !constant);
  return {
    status: 'improved',
    after: {
      ...after,
      overlaps,
      repairable: repairable.length,
      repairableBodyPairs: new Set(repairable.map(({ bodyA, bodyB }) => `${bodyA} ${bodyB}`)).size,
      maxDepth: repairable[0]?.depth ?? 0,
    },
    reason: reason ?? `rounding to float32 made ${added.length} overlaps; a larger margin avoids it`,
  };
}

function pairOf({ geomA, geomB }: Overlap): string {
  return `${Math.min(geomA, geomB)} ${Math.max(geomA, geomB)}`;
}

function placed(scene: Scene, poses: readonly Pose[]): Scene {
  return { ...scene, bodies: scene.bodies.map((body, id) => ({ ...body, X_WB: poses[id] as Pose })) };
}

/** Locks come before the patterns of the user, as the first entry that matches holds. */
function withLocks(options: SolverOptions, { locks }: RapierSource): SolverOptions {
  if (locks.size === 0) return options;
  const turns = options.rotation === true;
  const locked = [...locks].map(([name, { displace, turn }]) => [name, turns ? `${displace} ${turn}`.trim() : displace] as const);
  return { ...options, axes: { ...Object.fromEntries(locked), ...options.axes } };
}

function split<Options extends SolverOptions & RapierReadOptions & RapierWriteOptions & CreateOptions>(options: Options) {
  const { joined, meshes, name, colliderName, keepVelocities, backend, logger, ...rest } = options;
  return {
    read: { joined, meshes, name, colliderName },
    write: { keepVelocities },
    create: defined({ backend, logger }) as CreateOptions,
    rest: rest as Omit<Options, keyof RapierReadOptions | keyof RapierWriteOptions | keyof CreateOptions>,
  };
}

/** Without the keys whose value is undefined. */
function defined<Options extends object>(options: Options): { [Key in keyof Options]: Exclude<Options[Key], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
