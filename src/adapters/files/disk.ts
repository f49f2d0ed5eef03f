/** Reading the user's files, with not yet written versions of some of them laid over the disk. */
import { open, readFile, stat } from 'node:fs/promises';
import { S4rError } from '../../core/errors.js';

/** What a reference to a file needs for its error message. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly element?: string;
}

/** Contents by absolute path, which win over the disk. */
export type Overlay = ReadonlyMap<string, Uint8Array>;

const missing = (subject: string) => `no such file${subject}`;
const MESSAGES: Readonly<Record<string, (subject: string) => string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: (subject) => `not a file but a directory${subject}`,
};

export class Disk {
  constructor(private readonly overlay: Overlay = new Map()) {}

  async isFile(path: string): Promise<boolean> {
    if (this.overlay.has(path)) return true;
    return stat(path).then(
      (found) => !found.isDirectory(),
      () => false,
    );
  }

  /**
   * Bytes of a file; `place` is the element that asks for it, none for the file the user named.
   * @throws S4rError INVALID_INPUT saying whether it is missing, a directory or unreadable
   */
  async read(path: string, place?: Place): Promise<Uint8Array> {
    return this.overlay.get(path) ?? (await readFile(path).catch((cause) => refuse(path, place, cause)));
  }

  /**
   * The first `length` bytes of a file, fewer if it is shorter.
   * @throws S4rError as `read`
   */
  async head(path: string, length: number): Promise<Uint8Array> {
    const laid = this.overlay.get(path);
    if (laid !== undefined) return laid.subarray(0, length);
    // A pipe gives its bytes once, and to nobody until somebody writes: it cannot be looked at and then read.
    if ((await stat(path).catch(() => undefined))?.isFIFO()) {
      throw new S4rError('INVALID_INPUT', 'a pipe, which can be read only once; give its contents as standard input: -', { file: path });
    }
    const file = await open(path).catch((cause) => refuse(path, undefined, cause));
    try {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length);
      return buffer.subarray(0, bytesRead);
    } catch (cause) {
      return refuse(path, undefined, cause);
    } finally {
      await file.close();
    }
  }
}

function refuse(path: string, place: Place | undefined, cause: unknown): never {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const message = MESSAGES[reason] ?? ((subject) => `cannot read the file${subject} (${reason})`);
  throw new S4rError('INVALID_INPUT', message(place === undefined ? '' : ` ${path}`), place ?? { file: path }, { cause });
}
