/** The repaired state as a NumPy archive: for whoever sets `qpos` from code, and for scenes in which MuJoCo takes no keyframe. */
import { createHash } from 'node:crypto';
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { WriteTarget } from '../adapter.js';
import { writeAtomically } from '../files/atomic.js';
import { outputPath, realPaths } from '../files/guard.js';
import { encodeNpz, type NpyArray } from '../files/npz.js';
import { absolutePath } from '../files/paths.js';
import { compile, SMALL_ARENA } from './compile.js';
import { movedQpos } from './key-edits.js';
import { movementOf } from './moves.js';
import type { MjcfSource } from './source.js';
import { withState } from './state.js';
import { assertPoses } from './verify.js';
import type { MjcfWriteResult } from './write.js';

/**
 * The arrays of a state file: `qpos` (rows, nq) and `qvel` (rows, nv) in MuJoCo's layout (free joints x y z qw qx qy qz), and what
 * tells whether they fit a model: `nq`, `joint_names` by MuJoCo id ('' without a name), and `model_sha256`, the SHA-256 of the scene
 * file followed by the files it includes, in order: for a scene in one file that of the file.
 * @param qvel zeros if absent
 */
export function stateArrays(source: MjcfSource, qpos: Float64Array, qvel?: Float64Array): Readonly<Record<string, NpyArray>> {
  const nq = source.qpos.length;
  const rows = nq === 0 ? 1 : qpos.length / nq;
  return {
    qpos: { dtype: 'float64', shape: [rows, nq], data: qpos },
    qvel: { dtype: 'float64', shape: [rows, source.nv], data: qvel ?? new Float64Array(rows * source.nv) },
    nq: { dtype: 'int32', shape: [], data: Int32Array.of(nq) },
    joint_names: { dtype: 'string', shape: [source.jointNames.length], data: source.jointNames },
    model_sha256: { dtype: 'string', shape: [], data: [modelHash(source)] },
  };
}

/** As `model_sha256`. */
export function modelHash({ files }: MjcfSource): string {
  const hash = createHash('sha256');
  for (const { text } of files.tree.documents) hash.update(text, 'latin1');
  return hash.digest('hex');
}

/**
 * Write one row with the state of `result`, after MuJoCo has confirmed that it gives its poses.
 * @throws S4rError OUTPUT if the target must not or cannot be written; INVALID_SCENE if `result` does not belong to the scene
 */
export async function writeNpz(source: MjcfSource, result: Result, target: WriteTarget): Promise<MjcfWriteResult> {
  const path = absolutePath(target.path);
  const refuse = (message: string) => new S4rError('OUTPUT', message, { file: path });
  if (target.inPlace === true) throw refuse('an npz file cannot take the place of the scene; name an output file');
  const real = await outputPath(path, target.dryRun !== true);
  if ((await realPaths(source.files.files.keys())).has(real))
    throw refuse('it is a file of the scene that was read; choose another output');
  if (!/\.npz$/i.test(path)) throw refuse('an npz file is to be written: choose a name that ends in .npz');
  const { roots, joints, expected } = movementOf(source, result);
  const qpos = movedQpos(source.qpos, [...roots, ...joints]);
  const { mujoco, model } = await compile(source.files, { arena: SMALL_ARENA });
  try {
    const { key } = source;
    const verified = withState(mujoco, model, key, source.path, (_, place) => assertPoses(place(qpos), expected, path));
    if (target.dryRun !== true) await writeAtomically([{ path: real, bytes: encodeNpz(stateArrays(source, qpos)) }]);
    return { files: [{ path, edits: [], diff: '' }], notes: [], newKey: undefined, verified };
  } finally {
    model.delete();
  }
}
