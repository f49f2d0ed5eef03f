/** From the files of an MJCF scene to a compiled model. */
import type { MainModule, MjModel } from '@mujoco/mujoco';
import { S4rError } from '../core/errors.js';
import { engineCall, isOutOfMemory } from './mujoco-engine.js';

/** An MJCF scene in memory: every file it uses, by the path under which it is asked for. */
export interface MjcfFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Key of the scene file in `files`. */
  readonly main: string;
}

/**
 * Arena a model gets when its own is larger [bytes]. MuJoCo's default grows with the square of the degrees of freedom and
 * passes the 2 GiB heap near 1000 free bodies, of which 3000 use 40 MB. One that is too small makes itself known:
 * as a warning in the report, or as an error.
 */
const MAX_ARENA = 512 * 2 ** 20;

/** The caller deletes the model. @throws S4rError INVALID_INPUT when MuJoCo refuses the scene */
export function compile(mujoco: MainModule, { files, main }: MjcfFiles): MjModel {
  const content = files.get(main);
  if (content === undefined) throw new S4rError('INVALID_INPUT', 'the scene file is not among the files given', { file: main });
  let model: MjModel;
  try {
    model = compileOnce(mujoco, files, main);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    model = compileOnce(mujoco, new Map(files).set(main, withSmallArena(content)), main);
  }
  if (model.narena > MAX_ARENA) model.narena = MAX_ARENA;
  return model;
}

function compileOnce(mujoco: MainModule, files: ReadonlyMap<string, Uint8Array>, main: string): MjModel {
  // A fresh file system per scene: MuJoCo caches assets by path.
  const vfs = new mujoco.MjVFS();
  try {
    for (const [path, bytes] of files) vfs.addBuffer(path, bytes);
    return engineCall(() => mujoco.MjModel.from_xml_path(main, vfs), main);
  } finally {
    vfs.delete();
  }
}

/** Compiling itself allocates the arena, so for the largest scenes the text has to ask for less; the last `<size>` wins. */
function withSmallArena(xml: Uint8Array): Uint8Array {
  const text = Buffer.from(xml).toString('latin1');
  const end = text.lastIndexOf('</mujoco');
  return Buffer.from(`${text.slice(0, end)}<size memory="${MAX_ARENA}"/>${text.slice(end)}`, 'latin1');
}
