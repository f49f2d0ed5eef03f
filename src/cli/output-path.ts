/** Whether a file can be written, found out before the work and not after it. */
import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { S4rError } from '../index.js';

/** @throws S4rError OUTPUT if there is no place for this file, or no permission to write it */
export async function assertOutputPath(path: string): Promise<void> {
  const refuse = (message: string, cause?: unknown) => new S4rError('OUTPUT', message, { file: path }, { cause });
  const folder = dirname(resolve(path));
  const found = await statOf(path);
  if (!(await statOf(folder))?.isDirectory()) throw refuse(`no such folder ${folder}`);
  if (found?.isDirectory() || /[\\/]$/.test(path)) throw refuse('is a folder, not a file; for a file in it, end it with a /');
  const target = await realPath(path);
  // It is written beside and renamed, unless it is a pipe or the like.
  const touched = found === undefined ? [folder] : found.isFile() ? [dirname(target), target] : [target];
  for (const place of touched) {
    await access(place, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw refuse(`${place} is not writable`, cause);
    });
  }
}

/**
 * @param path of a file that is about to be written, if any
 * @param taken files that must not be overwritten
 * @param reason what to say if one would be
 * @throws S4rError OUTPUT
 */
export async function assertNotTaken(path: string | undefined, taken: Iterable<string>, reason: string): Promise<void> {
  if (path === undefined) return;
  const target = await realPath(path);
  for (const other of taken) if ((await realPath(other)) === target) throw new S4rError('OUTPUT', reason, { file: path });
}

/** With all links followed as far as the path exists. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(resolve(path));
    return join(await realpath(folder).catch(() => folder), basename(path));
  }
}

/** Undefined if there is none. */
export async function statOf(path: string) {
  return await stat(path).catch(() => undefined);
}
