/** The state a simulation starts from: the model's own, a keyframe, and poses that replace parts of it. */
import { S4rError } from '../core/errors.js';
import type { Pose } from '../core/scene.js';
import type { Simulation } from './mujoco-simulation.js';

export interface StateOptions {
  /** Name of a keyframe, or its number from 0. Default: the model's own state (qpos0, at rest). */
  readonly key?: string | number | undefined;
  /**
   * Poses in the world [m, unit quaternion with w first] that replace those of the state, by name of a body with a free
   * joint; links of such a body follow it, and velocities stay as they are. Names are those of the adapter's `Scene`:
   * an unnamed body 3 is `body_3`.
   * @example
   * const poses = new Map(result.moves.map(({ bodyId, name }) => [name, result.poses[bodyId]!]));
   */
  readonly poses?: ReadonlyMap<string, Pose> | undefined;
}

/** Puts the data into the state wanted; nothing is computed from it yet. @throws S4rError INVALID_OPTION */
export function setState(simulation: Simulation, { key, poses }: StateOptions): void {
  const { mujoco, model, data } = simulation;
  if (key !== undefined) mujoco.mj_resetDataKeyframe(model, data, keyIndex(simulation, key));
  if (poses === undefined) return;
  const bodies = bodiesByName(simulation);
  for (const [name, pose] of poses) {
    const body = bodies.get(name);
    if (body === undefined || simulation.floatingRoot(body) !== body) {
      const fault = body === undefined ? 'the model has no such body' : 'it has no free joint of its own';
      throw new S4rError('INVALID_OPTION', `option poses: cannot place body '${name}': ${fault}`, { file: simulation.file });
    }
    data.qpos.set(positionsOf(pose, name), model.jnt_qposadr[model.body_jntadr[body]]);
  }
}

function keyIndex({ model, nameAt, file }: Simulation, key: string | number): number {
  const names = Array.from(model.name_keyadr as Int32Array, nameAt);
  const named = key === '' ? -1 : names.indexOf(String(key));
  const index = named >= 0 ? named : Number(key);
  if (key !== '' && Number.isInteger(index) && index >= 0 && index < names.length) return index;
  const known = names.length === 0 ? 'the model has none' : `the model has ${names.map((name, i) => name || i).join(', ')}`;
  throw new S4rError('INVALID_OPTION', `no keyframe '${key}': ${known}`, { file });
}

/** A name the file gives wins over the same one made up. */
function bodiesByName(simulation: Simulation): Map<string, number> {
  const { model, nameAt } = simulation;
  const bodies = new Map<string, number>();
  for (const given of [false, true]) {
    for (let body = 0; body < model.nbody; body++) {
      if ((nameAt(model.name_bodyadr[body]) !== '') === given) bodies.set(simulation.bodyName(body), body);
    }
  }
  return bodies;
}

/** A free joint's part of qpos. */
function positionsOf({ position, quaternion }: Pose, name: string): number[] {
  const row = [...position, ...quaternion];
  const fail = (wanted: string) =>
    new S4rError('INVALID_OPTION', `option poses: expected ${wanted} for body '${name}', got ${row.join(' ')}`);
  if (row.length !== 7 || !row.every(Number.isFinite)) throw fail('3 + 4 finite numbers');
  if (quaternion.every((value) => value === 0)) throw fail('a quaternion that is not 0');
  return row;
}
