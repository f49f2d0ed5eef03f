/** A compiled MuJoCo model with its state. Both live in the module's memory and are freed by hand. */
import type { MainModule, MjData, MjModel } from '@mujoco/mujoco';
import { S4rError } from '../core/errors.js';
import { compile, type MjcfFiles } from './mujoco-compile.js';
import { engineCall, loadMujoco } from './mujoco-engine.js';

/** Which state of the model to start from. */
export interface StateOptions {
  /** Name of a keyframe, or its number from 0. Default: the model's own state (qpos0, at rest). */
  readonly key?: string | number | undefined;
}

/** A compiled model in its start state, forward kinematics and contacts computed. Call `free` when done. */
export class Simulation {
  readonly mujoco: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
  readonly #bodyNames = new Map<number, string>();

  /** @throws S4rError INVALID_INPUT when MuJoCo refuses the scene, INVALID_OPTION for an unknown key, ENVIRONMENT without MuJoCo */
  static async create(scene: MjcfFiles, { key }: StateOptions = {}): Promise<Simulation> {
    const mujoco = await loadMujoco();
    const model = compile(mujoco, scene);
    let data: MjData | undefined;
    try {
      data = engineCall(() => new mujoco.MjData(model), scene.main);
      const simulation = new Simulation(mujoco, model, data);
      if (key !== undefined) mujoco.mj_resetDataKeyframe(model, data, simulation.#keyIndex(key, scene.main));
      engineCall(() => mujoco.mj_forward(model, simulation.data), scene.main);
      return simulation;
    } catch (error) {
      data?.delete();
      model.delete();
      throw error;
    }
  }

  private constructor(mujoco: MainModule, model: MjModel, data: MjData) {
    this.mujoco = mujoco;
    this.model = model;
    this.data = data;
  }

  free(): void {
    this.data.delete();
    this.model.delete();
  }

  /** The body's name; `body_3` for an unnamed body 3. */
  bodyName(body: number): string {
    let name = this.#bodyNames.get(body);
    if (name === undefined) {
      name = this.#name(this.model.name_bodyadr, body) || `body_${body}`;
      this.#bodyNames.set(body, name);
    }
    return name;
  }

  /** The geom's name; `mug/geom_1` for the unnamed second geom of body `mug`. */
  geomName(geom: number): string {
    const { name_geomadr, geom_bodyid, body_geomadr } = this.model;
    const body = geom_bodyid[geom] as number;
    return this.#name(name_geomadr, geom) || `${this.bodyName(body)}/geom_${geom - body_geomadr[body]}`;
  }

  /** Root body of the floating tree `body` belongs to, or undefined if no free joint carries it. */
  floatingRoot(body: number): number | undefined {
    const { body_rootid, body_dofnum, body_jntadr, jnt_type } = this.model;
    const root = body_rootid[body] as number;
    const isFree = body_dofnum[root] > 0 && jnt_type[body_jntadr[root]] === this.mujoco.mjtJoint.mjJNT_FREE.value;
    return isFree ? root : undefined;
  }

  #keyIndex(key: string | number, file: string): number {
    const { nkey, name_keyadr } = this.model;
    const names = Array.from({ length: nkey }, (_, i) => this.#name(name_keyadr, i));
    const named = key === '' ? -1 : names.indexOf(String(key));
    const index = named >= 0 ? named : Number(key);
    if (key !== '' && Number.isInteger(index) && index >= 0 && index < nkey) return index;
    const known = nkey === 0 ? 'the model has none' : `the model has ${names.map((name, i) => name || i).join(', ')}`;
    throw new S4rError('INVALID_OPTION', `no keyframe '${key}': ${known}`, { file });
  }

  /** The zero-terminated UTF-8 name that starts where `addresses` says. */
  #name(addresses: Int32Array, index: number): string {
    const names: Int8Array = this.model.names;
    const start = addresses[index] as number;
    return new TextDecoder().decode(Uint8Array.from(names.subarray(start, names.indexOf(0, start))));
  }
}
