/** Whether a file can be written, found out before the work and not after it. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { S4rError } from '../index.js';

/**
 * @param taken files that must not be overwritten; undefined ones are skipped
 * @param reason what to say if one would be
 * @throws S4rError OUTPUT
 */
export async function assertOutputPath(path: string, taken: readonly (string | undefined)[], reason: string): Promise<void> {
  const folder = dirname(resolve(path));
  if (!(await statOf(folder))?.isDirectory()) throw new S4rError('OUTPUT', `no such folder ${folder}`, { file: path });
  if ((await statOf(path))?.isDirectory()) throw new S4rError('OUTPUT', 'is a folder, not a file', { file: path });
  const target = await realPath(path);
  for (const other of taken) {
    if (other !== undefined && (await realPath(other)) === target) throw new S4rError('OUTPUT', reason, { file: path });
  }
}

/** With all links followed as far as the path exists. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(resolve(path));
    return join(await realpath(folder).catch(() => folder), basename(path));
  }
}

async function statOf(path: string) {
  return await stat(path).catch(() => undefined);
}
