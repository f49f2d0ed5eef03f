/** Rolls a scene out in MuJoCo (WebAssembly): what happens to it when somebody presses play. */
import type { SceneFiles } from '../adapters/mjcf/engine.js';
import { MotionTracker } from './motion.js';
import { summarizeContacts } from './mujoco-contacts.js';
import { Simulation } from './mujoco-simulation.js';
import type { StateOptions } from './mujoco-state.js';
import type { BadStep, EngineWarning, Rollout, RolloutOptions } from './rollout.js';
import { positive, stepCount, takeSteps } from './steps.js';

export type { SceneFiles } from '../adapters/mjcf/engine.js';
export { mujocoContacts } from './mujoco-contacts.js';
export type { StateOptions } from './mujoco-state.js';
export type * from './rollout.js';

export interface MujocoRolloutOptions extends RolloutOptions, StateOptions {}

/** MuJoCo's mjMAXVAL: coordinates beyond it count as unstable. */
const MAX_VALUE = 1e10;

/**
 * Steps the scene from its state (or a keyframe, with its velocities and controls; or from poses of your own) and reports
 * the extremes of its motion. Controls are zero or the key's. Nothing is changed but gravity and the time step, where asked,
 * and the automatic reset, which would silently put an unstable scene back to its start: the rollout ends at the first bad
 * step instead.
 * @throws S4rError INVALID_INPUT when MuJoCo refuses the scene, INVALID_OPTION, ENVIRONMENT; the signal's reason when aborted
 */
export async function rolloutMujoco(scene: SceneFiles, options: MujocoRolloutOptions = {}): Promise<Rollout> {
  const seconds = positive('seconds', options.seconds ?? 1);
  const timestep = options.timestep === undefined ? undefined : positive('timestep', options.timestep);
  const simulation = await Simulation.create(scene, options);
  try {
    const { mujoco, model, data } = simulation;
    // Part of the model, not a copy: it goes with it.
    const settings = model.opt;
    if (timestep !== undefined) settings.timestep = timestep;
    if (options.gravity === false) settings.gravity.fill(0);
    settings.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET.value;
    const dt = settings.timestep;
    // Gravity changes nothing yet: the state, and with it the contacts, are those of the start.
    const start = summarizeContacts(simulation);
    const moving = movingBodies(simulation);
    const floating = moving.filter((body) => simulation.floatingRoot(body) !== undefined);
    const movable = new MotionTracker(floating, data.xipos);
    const all = new MotionTracker(moving, data.xipos);

    const begin = performance.now();
    const { steps, badStep } = await takeSteps(stepCount(seconds, dt), stepper(simulation, [movable, all]), options);
    const milliseconds = performance.now() - begin;
    if (badStep === null) simulation.call(() => mujoco.mj_forward(model, data));
    const nameOf = (body: number) => simulation.bodyName(body);
    return {
      engine: { name: 'MuJoCo', version: mujoco.mj_versionString() },
      timestep: dt,
      steps,
      seconds: steps * dt,
      gravity: [settings.gravity[0], settings.gravity[1], settings.gravity[2]],
      movable: movable.report(nameOf),
      all: all.report(nameOf),
      start,
      end: badStep === null ? summarizeContacts(simulation) : null,
      warnings: warnings(simulation),
      badStep,
      milliseconds,
    };
  } finally {
    simulation.free();
  }
}

/** Takes one step and records it. */
function stepper(simulation: Simulation, trackers: readonly MotionTracker[]): (step: number) => BadStep | null {
  const { mujoco, model, data } = simulation;
  const dt = model.opt.timestep;
  return (step) => {
    simulation.call(() => mujoco.mj_step(model, data));
    const badStep = badState(simulation, step, step * dt);
    if (badStep !== null) return badStep;
    // A step leaves xipos at its start; this brings it to its end. Views are fetched anew: they die when the heap grows.
    mujoco.mj_kinematics(model, data);
    const centres: Float64Array = data.xipos;
    const angularSpeed = angularSpeeds(data.cvel);
    for (const tracker of trackers) tracker.record(step * dt, dt, centres, angularSpeed);
    return null;
  };
}

/** Bodies that physics moves: not welded to the world and not mocap. */
function movingBodies({ model }: Simulation): number[] {
  const { nbody, body_weldid, body_mocapid } = model;
  return Array.from({ length: nbody }, (_, body) => body).filter((body) => body_weldid[body] !== 0 && body_mocapid[body] < 0);
}

/** Angular speeds from 6-D spatial velocities, of which the first three, the rotation, do not depend on the point of reference. */
function angularSpeeds(cvel: Float64Array): (body: number) => number {
  return (body) => Math.hypot(cvel[6 * body] as number, cvel[6 * body + 1] as number, cvel[6 * body + 2] as number);
}

/** The first value MuJoCo would call unstable. A comparison with NaN is false, hence the negation. */
function badState(simulation: Simulation, step: number, time: number): BadStep | null {
  const { model, data } = simulation;
  for (const quantity of ['qpos', 'qvel', 'qacc'] as const) {
    const values: Float64Array = data[quantity];
    const index = values.findIndex((value) => !(Math.abs(value) <= MAX_VALUE));
    if (index < 0) continue;
    const body = quantity === 'qpos' ? model.jnt_bodyid[jointOfPosition(model.jnt_qposadr, index)] : model.dof_bodyid[index];
    return { step, time, quantity, body: simulation.bodyName(body) };
  }
  return null;
}

/** The joint whose slots in qpos include `index`: the last one that starts at or before it. */
function jointOfPosition(addresses: Int32Array, index: number): number {
  return addresses.findLastIndex((address) => address <= index);
}

/** Warnings with a count, in MuJoCo's order. */
function warnings({ mujoco, data }: Simulation): EngineWarning[] {
  // Part of the data, unlike its elements and unlike `data.contact`: deleting it corrupts the heap.
  const vector = data.warning;
  const kinds = mujoco.mjtWarning;
  const named = [
    ['INERTIA', kinds.mjWARN_INERTIA],
    ['CONTACTFULL', kinds.mjWARN_CONTACTFULL],
    ['CNSTRFULL', kinds.mjWARN_CNSTRFULL],
    ['BADQPOS', kinds.mjWARN_BADQPOS],
    ['BADQVEL', kinds.mjWARN_BADQVEL],
    ['BADQACC', kinds.mjWARN_BADQACC],
    ['BADCTRL', kinds.mjWARN_BADCTRL],
  ] as const;
  return named.flatMap(([name, { value }]) => {
    const stat = vector.get(value);
    if (stat === undefined) return [];
    const { number: count, lastinfo } = stat;
    stat.delete();
    return count > 0 ? [{ name, count, text: mujoco.mju_warningText(value, lastinfo).trim() }] : [];
  });
}
