/**
 * MuJoCo's module: loaded on first use, once per process, and fed with files here and nowhere else. The adapter compiles
 * with it, and the rollout in MuJoCo, which may import this one file of the adapter.
 */
import { posix } from 'node:path';
import type { MainModule, MjData, MjModel } from '@mujoco/mujoco';
import { S4rError } from '../../core/errors.js';

export type { MainModule, MjData, MjModel };

/** An MJCF scene in memory: every file it uses, by the path under which it is asked for. */
export interface SceneFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Key of the scene file in `files`. */
  readonly main: string;
}

/** A model and the module it lives in. */
export interface CompiledMjcf {
  readonly mujoco: MainModule;
  /** To be released by the caller: `model.delete()`. */
  readonly model: MjModel;
}

let loading: Promise<MainModule> | undefined;

/**
 * The module, shared by all callers.
 * @throws S4rError ENVIRONMENT if it cannot be loaded
 */
export function mujoco(): Promise<MainModule> {
  loading ??= load();
  return loading;
}

async function load(): Promise<MainModule> {
  try {
    const { default: factory } = await import('@mujoco/mujoco');
    const quiet = () => undefined; // MuJoCo prints its warnings; stdout belongs to the command line
    return await factory({ print: quiet, printErr: quiet });
  } catch (error) {
    loading = undefined;
    throw new S4rError('ENVIRONMENT', `cannot load MuJoCo (@mujoco/mujoco): ${engineMessage(error)}`, {}, { cause: error });
  }
}

/**
 * What MuJoCo or its WebAssembly runtime threw, as one line: a runtime may throw numbers and multi-line texts.
 * Only MuJoCo's own errors leave the module usable; after any other (a trap, an exception of the C++ library)
 * it may fail in silence, so the next call loads a fresh one.
 */
export function engineMessage(error: unknown): string {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as { name?: unknown; message?: unknown };
  const text = typeof thrown.message === 'string' ? thrown.message : `exception ${String(error)}`;
  if (thrown.name !== 'Error' || !text.startsWith('MuJoCo Error')) loading = undefined;
  const outOfMemory = /^std::(length_error|bad_alloc)/.test(String(thrown.name)) || text.includes('std::bad_alloc');
  return outOfMemory ? 'out of memory' : text.trim().replace(/\s*\n\s*/g, ' | ');
}

/** Whether an `engineMessage` says that MuJoCo's 2 GiB, or the arena inside them, were not enough. */
export function isOutOfMemory(message: string): boolean {
  return /could not allocate|out of memory/i.test(message);
}

/** Seconds: a modification time no file has had yet, as MuJoCo caches assets by path and whole seconds. */
let clock = 0;

/**
 * Run `use` with these files in the module's memory file system under their paths, relative ones from its root. Ten times
 * faster than an `MjVFS` (which spends 0.5 us per byte) and exact: an `MjVFS` answers for a missing file with any of the
 * same base name.
 */
export function withFiles<T>(engine: MainModule, files: ReadonlyMap<string, Uint8Array>, use: () => T): T {
  const written = new Set<string>();
  try {
    for (const [name, bytes] of files) {
      const path = posix.resolve('/', name);
      engine.FS.mkdirTree(posix.dirname(path), 0o777);
      engine.FS.writeFile(path, bytes);
      written.add(path);
      clock += 1000;
      engine.FS.utime(path, clock, clock);
    }
    return use();
  } finally {
    for (const path of written) engine.FS.unlink(path);
  }
}

/** Compile the file at `path`. Throws whatever the module throws. */
export function loadModel(engine: MainModule, path: string): MjModel {
  const model = engine.MjModel.from_xml_path(path);
  if (model === null) throw new Error('MuJoCo gave no model and no reason');
  return model;
}

/**
 * Compile a scene with the first of these arenas that fits; undefined is the scene's own or MuJoCo's default. That default
 * grows with the square of the number of free bodies: 1.7 GB for 1000 of them, in a heap that ends at 2 GiB, of which a
 * settled pile of 3000 uses 36 MB.
 * @throws S4rError ENVIRONMENT if MuJoCo cannot be loaded; else whatever the module throws, for `engineMessage`
 */
export async function compileFiles(scene: SceneFiles, arenas: readonly [string | undefined, string | undefined]): Promise<CompiledMjcf> {
  const [first, second] = arenas;
  try {
    return await compileWith(scene, first);
  } catch (error) {
    // Asking for the message also has a module that broke for lack of memory replaced.
    if (error instanceof S4rError || !isOutOfMemory(engineMessage(error))) throw error;
  }
  return await compileWith(scene, second);
}

async function compileWith({ files, main }: SceneFiles, arena: string | undefined): Promise<CompiledMjcf> {
  const engine = await mujoco();
  const xml = files.get(main);
  const fed = arena === undefined || xml === undefined ? files : new Map(files).set(main, withArena(xml, arena));
  return { mujoco: engine, model: withFiles(engine, fed, () => loadModel(engine, main)) };
}

/** The last `<size>` wins, so one more at the end of the root element overrides the file's. */
function withArena(xml: Uint8Array, arena: string): Uint8Array {
  const text = Buffer.from(xml).toString('latin1');
  const end = text.search(/<\/mujoco\s*>(?:\s|<!--(?:(?!-->)[\s\S])*-->)*$/);
  return end < 0 ? xml : Buffer.from(`${text.slice(0, end)}<size memory="${arena}"/>${text.slice(end)}`, 'latin1');
}

/** Zero-terminated UTF-8 names by address: `mj_id2name` makes up names for what has none. */
export function nameReader(model: MjModel): (address: number) => string {
  const bytes = Buffer.from(Int8Array.from(model.names as ArrayLike<number>).buffer);
  return (address) => bytes.toString('utf8', address, bytes.indexOf(0, address));
}
