/** Reading the user's files, with not yet written versions of some of them laid over the disk. */
import { readFile, stat } from 'node:fs/promises';
import { S4rError } from '../../core/errors.js';

/** What a reference to a file needs for its error message. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly element?: string;
}

/** Contents by absolute path, which win over the disk. */
export type Overlay = ReadonlyMap<string, Uint8Array>;

export class Disk {
  constructor(private readonly overlay: Overlay = new Map()) {}

  async isFile(path: string): Promise<boolean> {
    return this.overlay.has(path) || (await kindOf(path)) === 'file';
  }

  /**
   * Bytes of a file; `place` is the element that asks for it, none for the file the user named.
   * @throws S4rError INVALID_INPUT saying whether it is missing, a directory or unreadable
   */
  async read(path: string, place?: Place): Promise<Uint8Array> {
    const laid = this.overlay.get(path);
    if (laid !== undefined) return laid;
    const kind = await kindOf(path);
    const subject = place === undefined ? '' : ` ${path}`;
    if (kind === 'missing') throw new S4rError('INVALID_INPUT', `no such file${subject}`, place ?? { file: path });
    if (kind === 'directory') throw new S4rError('INVALID_INPUT', `not a file but a directory${subject}`, place ?? { file: path });
    try {
      return await readFile(path);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? String(error);
      throw new S4rError('INVALID_INPUT', `cannot read the file${subject} (${reason})`, place ?? { file: path }, { cause: error });
    }
  }
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'missing'> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file';
  } catch {
    return 'missing';
  }
}
