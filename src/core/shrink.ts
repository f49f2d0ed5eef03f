/** Scale as an editor (Fig. 9 of the paper): a layout shrunk until it is free of overlaps, to be rearranged and grown back. */
import type { Backend } from './backend.js';
import { S4rError } from './errors.js';
import type { Logger } from './logger.js';
import { type ResolvedOptions, resolveOptions, type SolverOptions } from './options.js';
import { packScene } from './pack.js';
import { listNames } from './patterns.js';
import { planSolve } from './plan.js';
import { invert, transform } from './pose-math.js';
import type { Evaluation, Result } from './result.js';
import type { Body, Geom, Pose, Scene, Vec3 } from './scene.js';
import { placedUnit, shrunkenGeoms, shrunkenPoses } from './shrunken-scene.js';
import { SolveRun } from './solve-run.js';
import { describeValue, nearNames } from './text.js';
import { applyMoves, movesOf, rmsMove, unpackEvaluation } from './unpack.js';
import { requirePose } from './validate-fields.js';

/** Options of `Solver.solve` that a layout can keep to while it is grown; always by the profile `reference`. */
export type GrowOptions = Omit<SolverOptions, 'profile' | 'upright' | 'freeJoints'>;

export type ShrinkOptions = Omit<GrowOptions, 'container'> & {
  /** Size of the shrunken bodies, in (0, 1) of their own. */
  readonly scale: number;
};

/** Made by `Solver.shrink`. */
export class ShrunkLayout {
  /** Of every body at full size, by id. */
  private full: readonly Pose[];
  private readonly geoms: readonly Geom[];

  private constructor(
    private readonly backend: Backend,
    private readonly logger: Logger,
    /** The scene as it was given, with the mobility that the options leave. */
    private readonly original: Scene,
    private readonly given: Scene,
    private readonly options: GrowOptions,
    readonly scale: number,
    full: readonly Pose[],
    /** By body id: the centre of its unit in the frame of the unit's root [m]. */
    private readonly centres: readonly Vec3[],
  ) {
    this.full = full;
    this.geoms = shrunkenGeoms(original, scale);
  }

  /** @throws S4rError INVALID_OPTION; the signal's reason when aborted. The scene is valid. */
  static async make(backend: Backend, logger: Logger, given: Scene, { scale, ...options }: ShrinkOptions): Promise<ShrunkLayout> {
    if (!(typeof scale === 'number' && scale > 0 && scale < 1)) {
      throw new S4rError('INVALID_OPTION', `option scale: expected a number in (0, 1), got ${describeValue(scale)}`);
    }
    const resolved = resolveGrowth(options, ['profile', 'upright', 'container', 'freeJoints']);
    const { scene, motions } = planSolve(given, resolved);
    const packed = packScene(scene, motions);
    const solution = await backend.solve(packed, { ...resolved, reference: { ...resolved.reference, stopScale: scale } });
    resolved.signal?.throwIfAborted();
    logger.info(`shrunk to ${scale}: ${solution.status} ${solution.reason}`.trim());
    const centres = scene.bodies.map(({ id, movesWith }): Vec3 => {
      const [x, y, z] = solution.centres.subarray(3 * id, 3 * id + 3) as unknown as Vec3;
      return transform(invert((scene.bodies[movesWith] as Body).X_WB), [x, y, z]);
    });
    return new ShrunkLayout(backend, logger, scene, given, options, scale, applyMoves(scene, solution), centres);
  }

  /**
   * The layout as it is now, as a scene of its own: free bodies have the scale, each about the centre of its unit, that of its box;
   * fixed ones are as they were.
   */
  get scene(): Scene {
    const { poses, geoms } = this;
    return { ...this.original, bodies: this.original.bodies.map((body) => ({ ...body, X_WB: poses[body.id] as Pose })), geoms };
  }

  /** X_WB of every body of `scene`, by id. */
  get poses(): readonly Pose[] {
    return shrunkenPoses(this.original, this.full, this.centres, this.scale);
  }

  /**
   * Displace a body, and its unit with it, in W [m].
   * @throws S4rError INVALID_OPTION for a name no free body has
   */
  move(name: string, displacement: Vec3): void {
    const { id } = this.bodyNamed(name);
    const { position, quaternion } = this.poses[id] as Pose;
    this.place(name, {
      position: [position[0] + displacement[0], position[1] + displacement[1], position[2] + displacement[2]],
      quaternion,
    });
  }

  /**
   * Put a body, and its unit with it, to this X_WB in the shrunken scene.
   * @throws S4rError INVALID_OPTION for a name no free body has, INVALID_SCENE for a pose that is not finite or unit
   */
  place(name: string, pose: Pose): void {
    const body = this.bodyNamed(name);
    requirePose(() => `pose of '${name}'`, '', pose);
    const placed = placedUnit(this.original, body, pose, this.full, this.centres, this.scale);
    this.full = this.full.map((old, id) => placed.get(id) ?? old);
  }

  /** All overlaps of the layout as it is now. */
  async check(): Promise<Evaluation> {
    return await this.evaluate(this.scene);
  }

  /**
   * Grow the bodies back to full size from where they are now. The result speaks of the scene that was shrunk: moves and `before`
   * are relative to it, and without success its poses come back. Limits such as `maxShift` count from the layout. `options` are
   * added to those of the shrinking.
   * @throws S4rError INVALID_OPTION; what `onProgress` throws
   */
  async grow(options: GrowOptions = {}): Promise<Result> {
    const resolved = resolveGrowth({ ...this.options, ...options }, ['profile', 'upright', 'freeJoints']);
    const bodies = this.given.bodies.map((body) => ({ ...body, X_WB: this.full[body.id] as Pose }));
    const from: ResolvedOptions = { ...resolved, reference: { ...resolved.reference, startScale: this.scale } };
    const run = new SolveRun(this.backend, this.logger, planSolve({ ...this.given, bodies }, resolved), from);
    const [grown, before] = [await run.run(), await this.evaluate(this.original)];
    return this.asRepair(grown, before);
  }

  /** What became of the layout, as a repair of the original scene. */
  private asRepair(grown: Result, before: Evaluation): Result {
    const input = this.original.bodies.map((body) => body.X_WB);
    const moves = movesOf(this.original, grown.poses, before);
    if (grown.status === 'clean' || grown.status === 'solved') {
      const status = moves.length === 0 ? 'clean' : 'solved';
      return { ...grown, status, moves, before, rmsMove: rmsMove(this.original, moves) };
    }
    const better = grown.after.repairable < before.repairable && grown.after.maxDepth <= before.maxDepth;
    if (grown.status === 'improved' && better) return { ...grown, moves, before, rmsMove: rmsMove(this.original, moves) };
    return {
      ...grown,
      status: grown.status === 'improved' ? 'stalled' : grown.status,
      poses: input,
      moves: [],
      before,
      after: before,
      rmsMove: 0,
    };
  }

  private async evaluate(scene: Scene): Promise<Evaluation> {
    const { tolerance, threads } = resolveOptions(this.options);
    const packed = packScene(scene);
    return unpackEvaluation(scene, await this.backend.check(packed, packed.bodyPoses, { tolerance, threads }));
  }

  private bodyNamed(name: string): Body {
    const free = this.original.bodies.filter((body) => body.mobility === 'free');
    const body = free.find((candidate) => candidate.name === name);
    if (body !== undefined) return body;
    const near = nearNames(
      name,
      free.map((candidate) => candidate.name),
    );
    const hint = near.length > 0 ? `did you mean ${near.map((other) => `'${other}'`).join(', ')}?` : `those are ${listNames(free)}`;
    throw new S4rError('INVALID_OPTION', `no body that may move is called '${name}'; ${hint}`);
  }
}

function resolveGrowth(options: GrowOptions, refused: readonly (keyof SolverOptions)[]): ResolvedOptions {
  for (const name of refused) {
    if ((options as SolverOptions)[name] === undefined) continue;
    const why = name === 'profile' ? 'scales belong to the profile reference' : 'goes with a solve at full scale only';
    throw new S4rError('INVALID_OPTION', `option ${name}: ${why}; leave it out`);
  }
  return resolveOptions({ ...options, profile: 'reference' });
}
