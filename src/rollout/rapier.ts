/** Rolls a scene out in Rapier (WebAssembly), whatever format it comes from. */
import { angleBetween } from '../adapters/rapier/engine.js';
import type { BodyId, Quat, Scene } from '../core/scene.js';
import { MotionTracker } from './motion.js';
import { summarizeRapierContacts } from './rapier-contacts.js';
import { RapierSimulation, type RapierStateOptions } from './rapier-simulation.js';
import type { BadStep, Rollout, RolloutOptions } from './rollout.js';
import { positive, stepCount, takeSteps } from './steps.js';

export type { RapierStateOptions } from './rapier-simulation.js';
export type * from './rollout.js';

/** Without a time step of its own Rapier takes 1/60 s. */
export interface RapierRolloutOptions extends RolloutOptions, RapierStateOptions {}

const GRAVITY = 9.81;

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
    const { steps, badStep } = await takeSteps(stepCount(seconds, dt), stepper(simulation, dt, tracker), options);
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

/** Takes one step and records it. */
function stepper(simulation: RapierSimulation, dt: number, tracker: MotionTracker): (step: number) => BadStep | null {
  let turned = orientations(simulation);
  return (step) => {
    simulation.step();
    const badStep = badState(simulation, step, step * dt);
    if (badStep !== null) return badStep;
    const [before, after] = [turned, orientations(simulation)];
    turned = after;
    tracker.record(step * dt, dt, centres(simulation), (id) => angleBetween(before.get(id) as Quat, after.get(id) as Quat) / dt);
    return null;
  };
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
