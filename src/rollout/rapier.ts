/** Rolls a scene out in Rapier (WebAssembly), whatever format it comes from. */
import { angleBetween } from '../adapters/rapier/engine.js';
import { S4rError } from '../core/errors.js';
import type { BodyId, Quat, Scene } from '../core/scene.js';
import { MotionTracker } from './motion.js';
import { summarizeRapierContacts } from './rapier-contacts.js';
import { RapierSimulation, type RapierStateOptions } from './rapier-simulation.js';
import type { BadStep, Rollout } from './rollout.js';

export type { RapierStateOptions } from './rapier-simulation.js';
export type * from './rollout.js';

export interface RapierRolloutOptions extends RapierStateOptions {
  /** Simulated time [s]. Default 1. */
  readonly seconds?: number | undefined;
  /** Against the scene's `up`, 9.81 m/s^2; false: none. Default true. */
  readonly gravity?: boolean | undefined;
  /** Time step [s]. Default 1/60, Rapier's own. */
  readonly timestep?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the fraction of the steps done, 0..1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

const GRAVITY = 9.81;

/** Wall time between two looks at the abort signal [ms]. */
const SLICE = 50;

/**
 * Steps the scene from its poses, at rest, and reports the extremes of the motion of its free units, of which each is one rigid body:
 * joints inside a unit do not move. Bodies that are fixed stay. Pairs collide by the scene's own filter; margins
 * are contact skins, so that pairs rest at the distance they do in MuJoCo. Speeds
 * are displacement over time step: Rapier's own velocities do not hold what it corrects.
 * @throws S4rError INVALID_INPUT when Rapier refuses a shape, INVALID_OPTION, ENVIRONMENT; the signal's reason when aborted
 */
export async function rolloutRapier(scene: Scene, options: RapierRolloutOptions = {}): Promise<Rollout> {
  const seconds = positive('seconds', options.seconds ?? 1);
  const dt = positive('timestep', options.timestep ?? 1 / 60);
  const strength = options.gravity === false ? 0 : -GRAVITY;
  const gravity = [strength * scene.up[0], strength * scene.up[1], strength * scene.up[2]] as const;
  const simulation = await RapierSimulation.create(scene, gravity, options);
  try {
    simulation.world.timestep = dt;
    const start = summarizeRapierContacts(simulation);
    const tracker = new MotionTracker(simulation.roots, centres(simulation));
    const begin = performance.now();
    const { steps, badStep } = await runSteps(simulation, Math.max(1, Math.round(seconds / dt)), dt, tracker, options);
    const milliseconds = performance.now() - begin;
    const motion = tracker.report((id) => nameOf(simulation, id));
    return {
      engine: { name: 'Rapier', version: simulation.rapier.version() },
      timestep: dt,
      steps,
      seconds: steps * dt,
      gravity,
      movable: motion,
      all: motion,
      start,
      end: badStep === null ? summarizeRapierContacts(simulation) : null,
      warnings: [],
      badStep,
      milliseconds,
    };
  } finally {
    simulation.free();
  }
}

/** Up to `count` steps; fewer if one goes bad. */
async function runSteps(
  simulation: RapierSimulation,
  count: number,
  dt: number,
  tracker: MotionTracker,
  { signal, onProgress }: RapierRolloutOptions,
): Promise<{ steps: number; badStep: BadStep | null }> {
  signal?.throwIfAborted();
  let turned = orientations(simulation);
  let sliceEnd = performance.now() + SLICE;
  for (let step = 1; step <= count; step++) {
    simulation.step();
    const badStep = badState(simulation, step, step * dt);
    if (badStep !== null) return { steps: step, badStep };
    const [before, after] = [turned, orientations(simulation)];
    turned = after;
    tracker.record(step * dt, dt, centres(simulation), (id) => angleBetween(before.get(id) as Quat, after.get(id) as Quat) / dt);
    if (performance.now() < sliceEnd) continue;
    onProgress?.(step / count);
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE;
  }
  return { steps: count, badStep: null };
}

/** 3 numbers per body of the scene; those of roots count. */
function centres(simulation: RapierSimulation): Float64Array {
  const values = new Float64Array(3 * simulation.scene.bodies.length);
  for (const id of simulation.roots) values.set(simulation.centre(id), 3 * id);
  return values;
}

function orientations(simulation: RapierSimulation): Map<BodyId, Quat> {
  return new Map(simulation.roots.map((id) => [id, simulation.orientation(id)]));
}

function badState(simulation: RapierSimulation, step: number, time: number): BadStep | null {
  for (const id of simulation.roots) {
    if ([...simulation.centre(id), ...simulation.orientation(id)].every(Number.isFinite)) continue;
    return { step, time, quantity: 'qpos', body: nameOf(simulation, id) };
  }
  return null;
}

function nameOf({ scene }: RapierSimulation, id: BodyId): string {
  return scene.bodies[id]?.name as string;
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new S4rError('INVALID_OPTION', `option ${name}: expected a finite number > 0 [s], got ${value}`);
}
