/** From files to a compiled model. */
import { diagnose, tooLarge } from './diagnose.js';
import type { MjcfDocument } from './document.js';
import type { TextEdit } from './edits.js';
import { engineMessage, loadModel, type MainModule, type MjModel, mujoco, withFiles } from './engine.js';
import { bytesOf, collectFiles, type MjcfFiles } from './files.js';

/**
 * Arena MuJoCo gets when its default does not fit. The default grows with the square of the number of free bodies:
 * 1.7 GB for 1000 of them, in a heap that ends at 2 GiB, of which a settled pile of 3000 uses 36 MB.
 */
export const SMALL_ARENA = '64M';

export interface CompileOptions {
  /** Size of the arena, such as '64M'; the file's own or MuJoCo's default if undefined. If it does not fit, the other is tried. */
  readonly arena?: string;
  /** Further edits, made in memory only. */
  readonly edits?: ReadonlyMap<MjcfDocument, readonly TextEdit[]>;
}

/** A model and the module it lives in. */
export interface CompiledMjcf {
  readonly mujoco: MainModule;
  /** To be released by the caller: `model.delete()`. */
  readonly model: MjModel;
}

export interface LoadedMjcf extends CompiledMjcf {
  readonly files: MjcfFiles;
}

/**
 * Read and compile an MJCF file with everything it needs.
 * @throws S4rError INVALID_INPUT with file, line and element as far as known; ENVIRONMENT if MuJoCo cannot be loaded
 */
export async function loadMjcf(path: string, options: CompileOptions = {}): Promise<LoadedMjcf> {
  const files = await collectFiles(path);
  return { ...(await compile(files, options)), files };
}

/** Compile collected files. @throws S4rError as `loadMjcf` */
export async function compile(files: MjcfFiles, options: CompileOptions = {}): Promise<CompiledMjcf> {
  const { arena, ...rest } = options;
  const engine = await mujoco();
  try {
    return { mujoco: engine, model: compileOnce(engine, files, options) };
  } catch (error) {
    const message = engineMessage(error);
    if (!isOutOfMemory(message)) throw diagnose(engine, files, options, error, message);
  }
  const again = await mujoco(); // a fresh one, if running out of memory broke the first
  try {
    return { mujoco: again, model: compileOnce(again, files, arena === undefined ? { ...rest, arena: SMALL_ARENA } : rest) };
  } catch (error) {
    throw tooLarge(files.main, error);
  }
}

function isOutOfMemory(message: string): boolean {
  return /could not allocate|out of memory/i.test(message);
}

/** Compile without any handling of errors: throws whatever the module throws. */
export function compileOnce(engine: MainModule, files: MjcfFiles, options: CompileOptions): MjModel {
  const changed = new Map<string, Uint8Array>();
  for (const document of files.tree.documents) {
    const edits = [...(files.pathEdits.get(document) ?? []), ...(options.edits?.get(document) ?? [])];
    if (document === files.tree.top && options.arena !== undefined) edits.push(...arenaEdits(document, options.arena));
    changed.set(document.path, bytesOf(document, edits));
  }
  return withFiles(engine, new Map([...files.files, ...changed]), () => loadModel(engine, files.main));
}

/** The last `<size>` wins, so one more before `</mujoco>` overrides those of the file. */
function arenaEdits({ root }: MjcfDocument, arena: string): TextEdit[] {
  if (root.selfClosing) return [];
  const text = `<size memory="${arena}"/>`;
  return [{ start: root.contentEnd, end: root.contentEnd, text, element: 'size', attribute: 'memory' }];
}
