/** From collected files to a compiled model. */
import { S4rError } from '../../core/errors.js';
import type { XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { diagnose, tooLarge } from './diagnose.js';
import { type CompiledMjcf, compileFiles, engineMessage, isOutOfMemory, mujoco } from './engine.js';
import { bytesOf, collectFiles, type MjcfFiles } from './files.js';

export type { CompiledMjcf } from './engine.js';

/** An arena for models that are read and not simulated. */
export const SMALL_ARENA = '64M';

export interface CompileOptions {
  /** Size of the arena, such as '64M'; the file's own or MuJoCo's default if undefined. If it does not fit, the other is tried. */
  readonly arena?: string;
  /** Further edits, made in memory only. */
  readonly edits?: ReadonlyMap<XmlDocument, readonly TextEdit[]>;
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
  const { arena } = options;
  try {
    const scene = { files: edited(files, options), main: files.main };
    return await compileFiles(scene, [arena, arena === undefined ? SMALL_ARENA : undefined]);
  } catch (error) {
    if (error instanceof S4rError) throw error;
    const message = engineMessage(error);
    throw isOutOfMemory(message) ? tooLarge(files.main, error) : diagnose(await mujoco(), files, options, error, message);
  }
}

/** All files, with the edits made to the documents among them. */
function edited({ files, tree, madeEdits }: MjcfFiles, { edits }: CompileOptions): ReadonlyMap<string, Uint8Array> {
  if (edits === undefined) return files;
  const changed = tree.documents.map((document): [string, Uint8Array] => [
    document.path,
    bytesOf(document, [...(madeEdits.get(document) ?? []), ...(edits.get(document) ?? [])]),
  ]);
  return new Map([...files, ...changed]);
}
