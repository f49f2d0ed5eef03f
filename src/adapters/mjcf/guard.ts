/** Where the output may go. */
import { access, constants, realpath, stat } from 'node:fs/promises';
import { S4rError } from '../../core/errors.js';
import { baseName, directoryOf, slashes } from './paths.js';

/**
 * Real path to write an output to, its directory's links followed.
 * @throws S4rError OUTPUT if it is a directory, its directory is missing or it cannot be written
 */
export async function writablePath(path: string): Promise<string> {
  const directory = await realPath(directoryOf(path));
  if (directory === undefined) throw new S4rError('OUTPUT', `no such directory: ${directoryOf(path)}`, { file: path });
  const real = await realPath(path);
  const target = real ?? `${directory.replace(/\/$/, '')}/${baseName(path)}`;
  if (real !== undefined && (await stat(real)).isDirectory()) throw new S4rError('OUTPUT', 'it is a directory', { file: path });
  for (const place of [directoryOf(target), ...(real === undefined ? [] : [real])]) {
    await access(place, constants.W_OK).catch((cause) => {
      throw new S4rError('OUTPUT', `${place} is not writable`, { file: path }, { cause });
    });
  }
  return target;
}

/** @throws S4rError OUTPUT if `target`, a real path, is one of the files the scene was read from */
export async function assertNotInput(target: string, path: string, inputs: Iterable<string>): Promise<void> {
  for (const input of inputs) {
    if (((await realPath(input)) ?? input) !== target) continue;
    throw new S4rError('OUTPUT', 'it is a file of the scene that was read; choose another output, or write in place', { file: path });
  }
}

/** The path with all links followed; undefined if there is no such file. */
async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).then(slashes, () => undefined);
}
