/** Many states of one scene, rows of qpos: into body poses for a prepared solver, and back. */
import { S4rError } from '../../core/errors.js';
import type { Scene } from '../../core/scene.js';
import { quatWxyzAt, vec3At } from '../conventions.js';
import { writeAtomically } from '../files/atomic.js';
import { Disk } from '../files/disk.js';
import { outputPath } from '../files/guard.js';
import { decodeNpz, encodeNpz, type NpyArray, numbersOf } from '../files/npz.js';
import { absolutePath } from '../files/paths.js';
import { compile, SMALL_ARENA } from './compile.js';
import { type MjcfReadOptions, read } from './read.js';
import type { MjcfSource, SourceBody } from './source.js';
import { withState } from './state.js';
import { modelHash, stateArrays } from './write-npz.js';

/** States by number: `qpos` row after row, in MuJoCo's layout. */
export interface StateRows {
  readonly qpos: Float64Array;
  /** Numbers per row. */
  readonly nq: number;
}

/** Numbers per body of a row of poses: x y z qw qx qy qz. */
const PER_POSE = 7;

/**
 * @example
 * const states = await mjcf.states('scene.xml', 'states.npz');
 * const prepared = await solver.prepare(states.scene);
 * const repaired: Float64Array[] = [];
 * for (let i = 0; i < states.count; i++) repaired.push((await prepared.resolve(states.poses(i))).poses);
 * await states.write(repaired, 'repaired.npz');
 */
export class MjcfStates {
  private readonly roots: readonly SourceBody[];

  constructor(
    readonly scene: Scene,
    readonly source: MjcfSource,
    readonly notes: readonly string[],
    /** As given: row after row. */
    readonly qpos: Float64Array,
    private readonly rows: readonly Float64Array[],
    /** Of the file they come from; none if they come from elsewhere. */
    private readonly arrays: ReadonlyMap<string, NpyArray>,
  ) {
    this.roots = source.bodies.filter(({ qposAddress }) => qposAddress !== undefined);
  }

  get count(): number {
    return this.rows.length;
  }

  /** Poses of the scene's bodies in state `row`, as `PreparedSolver.resolve` takes them; always the same array. */
  poses(row: number): Float64Array {
    const found = this.rows[row];
    if (found === undefined) throw new RangeError(`no state ${row}, there are ${this.rows.length}`);
    return found;
  }

  /** The scene in state `row`, for a check or a survey; without joints, whose axes are those of one state. */
  at(row: number): Scene {
    const poses = this.poses(row);
    const { joints, ...scene } = this.scene;
    const bodies = scene.bodies.map((body) => {
      const at = PER_POSE * body.id;
      return { ...body, X_WB: { position: vec3At(poses, at), quaternion: quatWxyzAt(poses, at + 3) } };
    });
    return { ...scene, bodies };
  }

  /**
   * The states with their floating bodies at these poses: a copy of `qpos` in which nothing changed but the numbers of what moved.
   * @param poses by row, in the layout of `poses`; all the numbers that equal those of `poses` are taken for unmoved
   */
  repaired(poses: readonly Float64Array[]): Float64Array {
    const nq = this.source.qpos.length;
    const result = Float64Array.from(this.qpos);
    this.eachMove(poses, (row, { qposAddress: address = 0 }, to, moved) => {
      if (moved.position) result.set(to.subarray(0, 3), row * nq + address);
      if (moved.turned) result.set(to.subarray(3), row * nq + address + 3);
    });
    return result;
  }

  /**
   * Write the repaired states as npz: all arrays of the file they come from, with the new `qpos`, and in `qvel` zeros for what moved.
   * @throws S4rError OUTPUT if the file cannot be written
   */
  async write(poses: readonly Float64Array[], path: string): Promise<void> {
    const real = await outputPath(absolutePath(path), true);
    const { nv } = this.source;
    const given = this.arrays.get('qvel');
    const qvel = (given === undefined ? undefined : numbersOf(given)) ?? new Float64Array(this.count * nv);
    if (qvel.length === this.count * nv)
      this.eachMove(poses, (row, { dofAddress = 0 }) => qvel.fill(0, row * nv + dofAddress, row * nv + dofAddress + 6));
    const bytes = encodeNpz({ ...Object.fromEntries(this.arrays), ...stateArrays(this.source, this.repaired(poses), qvel) });
    await writeAtomically([{ path: real, bytes }]);
  }

  /** Joints are not found back from poses: only floating bodies may move, and what hangs on them with them. */
  private assertFollow(row: number, before: Float64Array, after: Float64Array): void {
    const { bodies } = this.source;
    const differs = ({ sceneId }: SourceBody) => {
      const at = PER_POSE * (sceneId as number);
      return before.subarray(at, at + PER_POSE).some((value, k) => value !== after[at + k]);
    };
    for (const body of bodies) {
      const root = bodies[body.root] as SourceBody;
      if (body.sceneId === undefined || !differs(body) || (root.qposAddress !== undefined && differs(root))) continue;
      throw new S4rError('INVALID_SCENE', `state ${row} moves body '${body.name}' on its own, but no free joint lets it move`);
    }
  }

  private eachMove(
    poses: readonly Float64Array[],
    use: (row: number, root: SourceBody, to: Float64Array, moved: { position: boolean; turned: boolean }) => void,
  ): void {
    if (poses.length !== this.count) throw new RangeError(`poses of ${poses.length} states, there are ${this.count}`);
    poses.forEach((row, i) => {
      const before = this.poses(i);
      if (row.length !== before.length) throw new RangeError(`${row.length} numbers for state ${i}, expected ${before.length}`);
      if (row === before) return;
      this.assertFollow(i, before, row);
      for (const root of this.roots) {
        const at = PER_POSE * (root.sceneId as number);
        const to = row.subarray(at, at + PER_POSE);
        const differs = (k: number) => to[k] !== before[at + k];
        const moved = { position: [0, 1, 2].some(differs), turned: [3, 4, 5, 6].some(differs) };
        if (moved.position || moved.turned) use(i, root, to, moved);
      }
    });
  }
}

/**
 * Read a scene and states of it: rows of qpos, or an npz file with an array `qpos` (rows, nq). Names and hash in the file
 * (`stateArrays`) are compared with the scene, where they are there.
 * @throws S4rError INVALID_INPUT as `read`, and for states that do not fit the scene
 */
export async function states(path: string, from: string | StateRows, options: MjcfReadOptions = {}): Promise<MjcfStates> {
  const { scene, source, notes } = await read(path, options);
  const file = typeof from === 'string' ? absolutePath(from) : undefined;
  const arrays = file === undefined ? new Map<string, NpyArray>() : decodeNpz(await new Disk().read(file), file);
  const given = typeof from === 'string' ? rowsOf(arrays, from) : from;
  assertFits(source, given, arrays, file);
  const hash = arrays.get('model_sha256');
  const changed = hash !== undefined && hash.data[0] !== modelHash(source);
  const more = changed ? ['the states were made for another version of the scene file; their lengths and names fit'] : [];
  return new MjcfStates(scene, source, [...notes, ...more], given.qpos, await bodyPoses(source, given), arrays);
}

function rowsOf(arrays: ReadonlyMap<string, NpyArray>, file: string): StateRows {
  const array = arrays.get('qpos');
  const qpos = array === undefined ? undefined : numbersOf(array);
  const { length, [length - 1]: nq } = array?.shape ?? [];
  if (qpos === undefined || nq === undefined || length > 2) {
    const found = [...arrays].map(([name, { shape }]) => `${name} (${shape})`).join(', ') || 'nothing';
    throw new S4rError('INVALID_INPUT', `expected an array of numbers 'qpos' (rows, nq), found ${found}`, { file });
  }
  return { qpos, nq };
}

function assertFits(source: MjcfSource, { qpos, nq }: StateRows, arrays: ReadonlyMap<string, NpyArray>, file: string | undefined): void {
  const refuse = (message: string) => new S4rError('INVALID_INPUT', message, { file });
  const wanted = source.qpos.length;
  if (nq !== wanted) throw refuse(`the states have ${nq} numbers each, the scene's qpos ${wanted}: they belong to another model`);
  if (nq === 0 || qpos.length % nq !== 0) throw refuse(`expected rows of ${nq} numbers, got ${qpos.length} numbers`);
  const bad = qpos.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw refuse(`qpos must be finite, got ${qpos[bad]} in state ${Math.floor(bad / nq)}, number ${bad % nq}`);
  const names = arrays.get('joint_names')?.data as readonly string[] | undefined;
  const other = names === undefined ? -1 : Math.max(names.length, source.jointNames.length) - 1;
  for (let j = 0; j <= other; j++) {
    if (names?.[j] === source.jointNames[j]) continue;
    throw refuse(`joint ${j} of the states is '${names?.[j] ?? 'none'}', of the scene '${source.jointNames[j] ?? 'none'}'`);
  }
}

/** Forward kinematics of every row. */
async function bodyPoses(source: MjcfSource, { qpos, nq }: StateRows): Promise<Float64Array[]> {
  const inScene = source.bodies.flatMap(({ sceneId }, b) => (sceneId === undefined ? [] : [b]));
  const { mujoco, model } = await compile(source.files, { arena: SMALL_ARENA });
  try {
    return withState(mujoco, model, source.key, source.path, (_, place) =>
      Array.from({ length: qpos.length / nq }, (_, row) => {
        const { xpos, xquat } = place(qpos.subarray(row * nq, (row + 1) * nq));
        const poses = new Float64Array(PER_POSE * inScene.length);
        inScene.forEach((b, id) => {
          poses.set(xpos.subarray(3 * b, 3 * b + 3), PER_POSE * id);
          poses.set(quatWxyzAt(xquat, 4 * b), PER_POSE * id + 3);
        });
        return poses;
      }),
    );
  } finally {
    model.delete();
  }
}
