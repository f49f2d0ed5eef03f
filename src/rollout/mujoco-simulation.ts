/** A compiled MuJoCo model with its state. Both live in the module's memory and are freed by hand. */
import {
  type CompiledMjcf,
  compileFiles,
  engineMessage,
  isOutOfMemory,
  type MainModule,
  type MjData,
  type MjModel,
  nameReader,
  type SceneFiles,
} from '../adapters/mjcf/engine.js';
import { S4rError } from '../core/errors.js';
import { type StateOptions, setState } from './mujoco-state.js';

/**
 * Arena a model gets when its own is larger, or too large to compile with. One that is too small makes itself known:
 * as a warning in the report, or as an error.
 */
const MAX_ARENA = { bytes: 512 * 2 ** 20, text: '512M' };

/** A compiled model in its start state, forward kinematics and contacts computed. Call `free` when done. */
export class Simulation {
  readonly mujoco: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
  /** The scene file, for messages. */
  readonly file: string;
  /** Names by their address in the model. */
  readonly nameAt: (address: number) => string;
  readonly #bodyNames = new Map<number, string>();

  /** @throws S4rError INVALID_INPUT when MuJoCo refuses the scene, INVALID_OPTION for an unknown key or body, ENVIRONMENT without MuJoCo */
  static async create(scene: SceneFiles, options: StateOptions = {}): Promise<Simulation> {
    const { mujoco, model } = await compile(scene);
    if (model.narena > MAX_ARENA.bytes) model.narena = MAX_ARENA.bytes;
    let data: MjData | undefined;
    try {
      data = engineCall(() => new mujoco.MjData(model), scene.main);
      const simulation = new Simulation(mujoco, model, data, scene.main);
      setState(simulation, options);
      simulation.call(() => mujoco.mj_forward(model, simulation.data));
      return simulation;
    } catch (error) {
      data?.delete();
      model.delete();
      throw error;
    }
  }

  private constructor(mujoco: MainModule, model: MjModel, data: MjData, file: string) {
    this.mujoco = mujoco;
    this.model = model;
    this.data = data;
    this.file = file;
    this.nameAt = nameReader(model);
  }

  free(): void {
    this.data.delete();
    this.model.delete();
  }

  /** Runs one call into MuJoCo. @throws S4rError INVALID_INPUT for whatever it throws */
  call<T>(work: () => T): T {
    return engineCall(work, this.file);
  }

  /** The body's name; `body_3` for an unnamed body 3. */
  bodyName(body: number): string {
    let name = this.#bodyNames.get(body);
    if (name === undefined) {
      name = this.nameAt(this.model.name_bodyadr[body]) || `body_${body}`;
      this.#bodyNames.set(body, name);
    }
    return name;
  }

  /** The geom's name; `mug/geom_1` for the unnamed second geom of body `mug`. */
  geomName(geom: number): string {
    const { name_geomadr, geom_bodyid, body_geomadr } = this.model;
    const body = geom_bodyid[geom] as number;
    return this.nameAt(name_geomadr[geom]) || `${this.bodyName(body)}/geom_${geom - body_geomadr[body]}`;
  }

  /** `flex:cloth`; `flex:2` for an unnamed flex 2. */
  flexName(flex: number): string {
    return `flex:${this.nameAt(this.model.name_flexadr[flex]) || flex}`;
  }

  /** Root body of the floating tree `body` belongs to, or undefined if no free joint carries it. */
  floatingRoot(body: number): number | undefined {
    const { body_rootid, body_dofnum, body_jntadr, jnt_type } = this.model;
    const root = body_rootid[body] as number;
    const isFree = body_dofnum[root] > 0 && jnt_type[body_jntadr[root]] === this.mujoco.mjtJoint.mjJNT_FREE.value;
    return isFree ? root : undefined;
  }

  /** Root body of the floating tree that carries all of a flex, or undefined. */
  flexRoot(flex: number): number | undefined {
    const { model } = this;
    // A flex hangs on the bodies of its vertices, one that is interpolated on those of its nodes.
    const [bodies, first, count]: [Int32Array, number, number] = model.flex_interp[flex]
      ? [model.flex_nodebodyid, model.flex_nodeadr[flex], model.flex_nodenum[flex]]
      : [model.flex_vertbodyid, model.flex_vertadr[flex], model.flex_vertnum[flex]];
    const roots = new Set(Array.from(bodies.subarray(first, first + count), (body) => this.floatingRoot(body)));
    return roots.size === 1 ? [...roots][0] : undefined;
  }
}

async function compile(scene: SceneFiles): Promise<CompiledMjcf> {
  if (!scene.files.has(scene.main)) {
    throw new S4rError('INVALID_INPUT', 'the scene file is not among the files given', { file: scene.main });
  }
  try {
    return await compileFiles(scene, [undefined, MAX_ARENA.text]);
  } catch (error) {
    throw error instanceof S4rError ? error : refused(error, scene.main);
  }
}

function engineCall<T>(call: () => T, file: string): T {
  try {
    return call();
  } catch (error) {
    throw refused(error, file);
  }
}

/** What the module threw, as an error about the scene `file`. */
function refused(cause: unknown, file: string): S4rError {
  const message = engineMessage(cause).replace(/^MuJoCo Error: (Loading error: )?/, '');
  const remedy = isOutOfMemory(message) ? ' (MuJoCo in WebAssembly has 2 GiB)' : '';
  return new S4rError('INVALID_INPUT', `MuJoCo: ${message}${remedy}`, { file }, { cause });
}
