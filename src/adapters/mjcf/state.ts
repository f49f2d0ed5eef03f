/** The state a scene is read in: qpos0 or a keyframe, and the world poses it gives. */
import { S4rError } from '../../core/errors.js';
import { tooLarge } from './diagnose.js';
import { type MainModule, type MjModel, nameReader } from './engine.js';
import type { SourceKey } from './source.js';

/** A model in one state: world poses of all bodies. */
export interface ModelState {
  /** 3 per body [m]. */
  readonly xpos: Float64Array;
  /** 4 per body, w first. */
  readonly xquat: Float64Array;
  /** Joint positions, normalised as MuJoCo does it. */
  readonly qpos: Float64Array;
  /** Axis and anchor of every joint in W, 3 numbers each. */
  readonly xaxis: Float64Array;
  readonly xanchor: Float64Array;
}

/** All keyframes; those without a name have ''. */
export function readKeys(model: MjModel): SourceKey[] {
  const nameAt = nameReader(model);
  return Array.from(model.name_keyadr as ArrayLike<number>, (address, k) => {
    const row = (values: Float64Array) => values.slice((k * values.length) / model.nkey, ((k + 1) * values.length) / model.nkey);
    const rest = {
      time: row(model.key_time),
      qvel: row(model.key_qvel),
      act: row(model.key_act),
      ctrl: row(model.key_ctrl),
      mpos: row(model.key_mpos),
      mquat: row(model.key_mquat),
    };
    return { name: nameAt(address), qpos: row(model.key_qpos), rest };
  });
}

/**
 * Index of the keyframe called `key`, or numbered so from 0 (a number is never a name); -1 for undefined, which means qpos0.
 * @throws S4rError INVALID_INPUT listing the keyframes there are
 */
export function keyIndex(keys: readonly SourceKey[], key: string | number | undefined, file: string): number {
  if (key === undefined) return -1;
  const names = keys.map(({ name }) => name);
  const named = typeof key === 'string' ? names.indexOf(key) : -1;
  if (named >= 0 && key !== '') return named;
  if (/^\d+$/.test(String(key)) && Number(key) < names.length) return Number(key);
  const known = names.map((name, i) => (name === '' ? `${i}` : `'${name}'`)).join(', ');
  const list = names.length === 0 ? 'the file has none' : `the file has ${known}`;
  throw new S4rError('INVALID_INPUT', `no keyframe '${key}'; ${list}`, { file });
}

/**
 * Run `use` with the forward kinematics at keyframe `key` (qpos0 if it is -1), and `place` for any other joint positions: it
 * puts them in, the mocap bodies where the keyframe has them.
 * @throws S4rError INVALID_INPUT if the model does not fit into memory
 */
export function withState<T>(
  engine: MainModule,
  model: MjModel,
  key: number,
  file: string,
  use: (state: ModelState, place: (qpos: Float64Array) => ModelState) => T,
): T {
  let data: InstanceType<MainModule['MjData']>;
  try {
    data = new engine.MjData(model);
  } catch (error) {
    throw tooLarge(file, error);
  }
  // Copies: views into the module's memory go stale when it grows.
  const copied = (values: Float64Array) => Float64Array.from(values);
  const kinematics = (): ModelState => {
    engine.mj_kinematics(model, data);
    const { xpos, xquat, qpos, xaxis, xanchor } = data;
    return { xpos: copied(xpos), xquat: copied(xquat), qpos: copied(qpos), xaxis: copied(xaxis), xanchor: copied(xanchor) };
  };
  try {
    if (key >= 0) engine.mj_resetDataKeyframe(model, data, key);
    return use(kinematics(), (qpos) => {
      data.qpos.set(qpos);
      return kinematics();
    });
  } finally {
    data.delete();
  }
}

/** Forward kinematics at keyframe `key`, or at qpos0 if it is -1. @throws as `withState` */
export function stateAt(engine: MainModule, model: MjModel, key: number, file: string): ModelState {
  return withState(engine, model, key, file, (state) => state);
}
