/** From an MJCF file to a `Scene`. */
import type { ReadResult } from '../adapter.js';
import { bodyElements } from './bodies.js';
import { compile, SMALL_ARENA } from './compile.js';
import { nameReader } from './engine.js';
import { collectFiles } from './files.js';
import { deformableNotes, limitNotes, shortKeyNotes } from './notes.js';
import { assertFiniteNumbers } from './numbers.js';
import { buildScene } from './scene-builder.js';
import type { MjcfSource } from './source.js';
import { keyIndex, readKeys, stateAt } from './state.js';

export interface MjcfReadOptions {
  /** Keyframe to read, by name or number from 0; a number is never taken for a name. Default: the poses in the bodies (qpos0). */
  readonly key?: string | number | undefined;
}

/**
 * Read a scene as MuJoCo would simulate it.
 * @throws S4rError INVALID_INPUT with file, line and element as far as known; ENVIRONMENT if MuJoCo cannot be loaded
 */
export async function read(path: string, options: MjcfReadOptions = {}): Promise<ReadResult<MjcfSource>> {
  const files = await collectFiles(path);
  assertFiniteNumbers(files.tree);
  const elements = bodyElements(files.tree);
  const { mujoco, model } = await compile(files, { arena: SMALL_ARENA, edits: elements.edits });
  try {
    const keys = readKeys(model);
    const key = keyIndex(keys, options.key, files.main);
    const state = stateAt(mujoco, model, key, files.main);
    const { scene, bodies, joints, notes } = buildScene(mujoco, model, state, files.main);
    const placed = bodies.map((body) => ({ ...body, element: elements.byName.get(body.compiledName) }));
    const jointNames = Array.from(model.name_jntadr as ArrayLike<number>, nameReader(model));
    const { qpos } = state;
    const source = { path: files.main, files, key, keys, qpos, bodies: placed, joints, nv: model.nv, jointNames };
    const more = [...files.notes, ...deformableNotes(model), ...limitNotes(joints), ...shortKeyNotes(files.tree, keys)];
    return { scene, source, notes: [...notes, ...more] };
  } finally {
    model.delete();
  }
}
