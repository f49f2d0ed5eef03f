/** The entry point of the library: judges and repairs scenes. Keeps no state between calls, which may overlap. */
import type { Backend } from './backend.js';
import { S4rError } from './errors.js';
import { freeJoints } from './joints.js';
import { type Logger, SILENT_LOGGER } from './logger.js';
import { type CheckOptions, type ResolvedCheckOptions, resolveCheckOptions, resolveOptions, type SolverOptions } from './options.js';
import { packScene } from './pack.js';
import { allowOverlaps } from './plan/allow.js';
import { releaseJoints } from './plan/free-joints.js';
import { planSolve } from './plan.js';
import { PreparedSolver } from './prepared.js';
import type { Evaluation, Result, Survey } from './result.js';
import type { Scene } from './scene.js';
import { type ShrinkOptions, ShrunkLayout } from './shrink.js';
import { solveTask } from './solve-task.js';
import { makeSurvey } from './survey/survey.js';
import { resolveSurveyOptions, type SurveyOptions } from './survey-options.js';
import { unpackEvaluation } from './unpack.js';
import { assertScene } from './validate.js';

export interface CreateOptions {
  /** Numeric core. Default: the native one of this package. */
  readonly backend?: Backend;
  /** Where diagnostics go. Default: nowhere. */
  readonly logger?: Logger;
}

/**
 * @example
 * const solver = await Solver.create();
 * const result = await solver.solve(scene, { maxShift: 0.05 });
 * if (result.status === 'solved') for (const move of result.moves) console.log(move.name, move.distance);
 */
export class Solver {
  private constructor(
    private readonly backend: Backend,
    private readonly logger: Logger,
  ) {}

  /** @throws S4rError ENVIRONMENT if the native core cannot be loaded. */
  static async create({ backend, logger = SILENT_LOGGER }: CreateOptions = {}): Promise<Solver> {
    // Loaded here and not above, so that importing the library opens no native code.
    return new Solver(backend ?? (await import('./backend-native.js')).loadNativeBackend(), logger);
  }

  /**
   * All overlaps of the scene as it is.
   * @throws S4rError INVALID_SCENE, INVALID_OPTION; the signal's reason when aborted.
   */
  async check(given: Scene, options?: CheckOptions): Promise<Evaluation> {
    const resolved = resolveCheckOptions(options);
    return await this.evaluate(asChecked(given, resolved), resolved);
  }

  /**
   * What of the scene as it is overlaps, in all its classes, and what hovers. Costs a few times what `check` does; falls are looked for
   * on the calling thread.
   * @throws S4rError INVALID_SCENE, INVALID_OPTION; the signal's reason when aborted.
   */
  async survey(given: Scene, options?: SurveyOptions): Promise<Survey> {
    const resolved = resolveSurveyOptions(options);
    const scene = asChecked(given, resolved);
    return await makeSurvey(this.backend, scene, await this.evaluate(scene, resolved), resolved);
  }

  /**
   * Repair the scene by moving as little as possible. The scene is not changed; the result has its own poses.
   * @throws S4rError INVALID_SCENE, INVALID_OPTION; what `onProgress` throws. Everything else is a `Status`.
   */
  async solve(scene: Scene, options?: SolverOptions): Promise<Result> {
    const resolved = resolveOptions(options);
    assertScene(scene);
    return await solveTask(this.backend, this.logger, planSolve(scene, resolved), resolved);
  }

  /**
   * Shrink every body that may move about its centre, with as little displacement as possible, until none overlaps at this scale:
   * a layout that can be checked, rearranged and grown back (Fig. 9). The scene is not changed.
   * @throws S4rError INVALID_SCENE, INVALID_OPTION; the signal's reason when aborted. A scale at which there is no room shows in
   * the layout's `check`.
   */
  async shrink(scene: Scene, options: ShrinkOptions): Promise<ShrunkLayout> {
    assertScene(scene);
    return await ShrunkLayout.make(this.backend, this.logger, scene, options);
  }

  /**
   * For many states of one scene, such as the resets of a training environment: everything that does not depend on the poses
   * is built here, once. Options as for `solve`, without the profile `reference`, `upright`, `container`, `freeJoints`,
   * `keepSupport` and `overflow`; `timeLimit` holds for each state.
   * @throws S4rError INVALID_SCENE, INVALID_OPTION.
   */
  async prepare(scene: Scene, options?: SolverOptions): Promise<PreparedSolver> {
    const resolved = resolveOptions(options);
    if (resolved.profile === 'reference') {
      throw new S4rError('INVALID_OPTION', "option profile: a solver can be prepared for 'default' and 'quick', got 'reference'");
    }
    if (resolved.upright !== undefined) {
      throw new S4rError('INVALID_OPTION', 'option upright: what a body stands on depends on the state; use Solver.solve for each');
    }
    if (resolved.container !== undefined) {
      throw new S4rError('INVALID_OPTION', 'option container: what is in it depends on the state; use Solver.solve for each');
    }
    if (resolved.keepSupport || resolved.overflow !== 'fail') {
      const option = resolved.keepSupport ? 'keepSupport' : 'overflow';
      throw new S4rError('INVALID_OPTION', `option ${option}: not of a prepared solver, whose states are independent; use Solver.solve`);
    }
    assertScene(scene);
    const plan = planSolve(scene, resolved);
    if (freeJoints(plan.scene).length > 0) {
      throw new S4rError('INVALID_OPTION', 'option freeJoints: a prepared solver moves rigid bodies only; use Solver.solve for each state');
    }
    const prepared = await this.backend.prepare(packScene(plan.scene, plan.motions), resolved);
    return new PreparedSolver(this.backend, prepared, this.logger, plan, resolved);
  }

  private async evaluate(scene: Scene, options: ResolvedCheckOptions): Promise<Evaluation> {
    options.signal?.throwIfAborted();
    const packed = packScene(scene);
    const evaluation = unpackEvaluation(scene, await this.backend.check(packed, packed.bodyPoses, options));
    // An incomplete list must not pass for a verdict.
    if (evaluation.interrupted) options.signal?.throwIfAborted();
    return evaluation;
  }
}

/** The scene, if it is valid, in which allowed pairs do not collide, and joints are free as asked for. */
function asChecked(scene: Scene, { allow, freeJoints: names }: CheckOptions): Scene {
  assertScene(scene);
  return allowOverlaps(releaseJoints(scene, names), allow);
}
