/** Replace files all at once, or none. */
import { randomUUID } from 'node:crypto';
import { chmod, chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { S4rError } from '../../core/errors.js';
import { directoryOf } from './paths.js';

/**
 * Write every file to a temporary one beside it, then rename them in the given order. A file that is replaced keeps its
 * permissions and, where that is allowed, its owner. On an error before the first rename nothing has changed; temporary files never stay.
 * @throws S4rError OUTPUT
 */
export async function writeAtomically(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): Promise<void> {
  const temporary: { from: string; to: string }[] = [];
  try {
    for (const { path, bytes } of files) {
      const from = `${directoryOf(path)}/.s4r-${randomUUID()}.tmp`;
      temporary.push({ from, to: path });
      await writeFile(from, bytes, { flag: 'wx' });
      const existing = await stat(path).catch(() => undefined);
      if (existing === undefined) continue;
      await chown(from, existing.uid, existing.gid).catch(() => undefined);
      await chmod(from, existing.mode);
    }
    for (const { from, to } of temporary) await rename(from, to);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new S4rError('OUTPUT', `cannot write (${code})`, { file: temporary.at(-1)?.to }, { cause });
  } finally {
    for (const { from } of temporary) await rm(from, { force: true }).catch(() => undefined);
  }
}
