/** Where the output may go. */
import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import { S4rError } from '../../core/errors.js';
import { Disk } from './disk.js';
import type { TextFile } from './document.js';
import { baseName, directoryOf, slashes } from './paths.js';

/**
 * Real path to write an output to, links followed.
 * @param writing false in a dry run, which needs no permission
 * @throws S4rError OUTPUT if it is no regular file, its directory is missing or it cannot be written
 */
export async function outputPath(path: string, writing: boolean): Promise<string> {
  const refuse = (message: string, cause?: unknown) => new S4rError('OUTPUT', message, { file: path }, { cause });
  const directory = await realPath(directoryOf(path));
  if (directory === undefined) throw refuse(`no such directory: ${directoryOf(path)}`);
  const real = await realPath(path);
  const kind = await (real === undefined ? lstat(path) : stat(real)).catch(() => undefined);
  if (kind?.isDirectory()) throw refuse('it is a directory');
  if (kind !== undefined && real === undefined) throw refuse('it is a link that leads nowhere');
  if (kind?.isFile() === false) throw refuse('it is no regular file');
  const target = real ?? `${directory.replace(/\/$/, '')}/${baseName(path)}`;
  for (const place of writing ? [directoryOf(target), ...(real === undefined ? [] : [real])] : []) {
    await access(place, constants.W_OK).catch((cause) => {
      throw refuse(`${place} is not writable`, cause);
    });
  }
  return target;
}

/** The paths with all links followed. */
export async function realPaths(paths: Iterable<string>): Promise<ReadonlySet<string>> {
  return new Set(await Promise.all([...paths].map(async (path) => (await realPath(path)) ?? path)));
}

/** The path with all links followed; undefined if there is no such file. */
async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).then(slashes, () => undefined);
}

/** @throws S4rError OUTPUT unless `path`, the target of an edit in place, is the file that was read */
export async function assertSameFile(path: string, read: string): Promise<void> {
  if ((await realPaths([path, read])).size === 1) return;
  throw new S4rError('OUTPUT', `in place means ${read}, the file that was read`, { file: path });
}

/** Offsets are those of the text that was read. @throws S4rError OUTPUT if that is no longer what the file holds */
export async function assertUnchanged({ path, text }: TextFile): Promise<void> {
  const now = await new Disk().read(path);
  if (Buffer.from(text, 'latin1').equals(now)) return;
  throw new S4rError('OUTPUT', 'the file has changed since it was read', { file: path });
}
