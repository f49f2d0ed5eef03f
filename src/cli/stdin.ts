/** A scene from standard input: `-`. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { S4rError } from '../index.js';
import { byContent, FORMAT_LIST } from './formats/choose.js';
import type { FileFormat } from './formats/index.js';
import type { Input } from './inputs.js';
import type { Io } from './io.js';

export const STDIN = '-';

/** How a text of this kind starts, and the extensions it may have, the first that the format knows. */
const SIGNATURES: readonly (readonly [start: RegExp, extensions: readonly string[]])[] = [
  [/^#usda/, ['.usda', '.usd']],
  [/^PXR-USDC/, ['.usdc', '.usd']],
  [/^PK/, ['.usdz']],
  [/^(?:\xef\xbb\xbf)?\s*</, ['.xml', '.urdf']],
  [/^(?:\xef\xbb\xbf)?\s*[{[]/, ['.json']],
];

/**
 * Runs `work` with a file that holds what comes in, in the current directory, where its relative paths lead from; it is removed
 * afterwards.
 * @throws S4rError INVALID_INPUT if that is no scene of a known format, OUTPUT if the directory cannot be written to
 */
export async function withStdin<T>(io: Io, work: (input: Input) => Promise<T>): Promise<T> {
  // Listens for Ctrl-C from here on, which would leave the file behind.
  io.signal?.throwIfAborted();
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.stdin ?? []) chunks.push(chunk);
  // Ctrl-C has ended what sends, too: this may be half of it.
  io.signal?.throwIfAborted();
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) throw new S4rError('INVALID_INPUT', 'nothing came in', { file: STDIN });
  const format = byContent(bytes);
  if (format === undefined) throw new S4rError('INVALID_INPUT', `no scene of a known format; there are ${FORMAT_LIST}`, { file: STDIN });
  const name = `.s4r-stdin-${randomUUID()}${extensionOf(bytes, format)}`;
  try {
    await writeFile(name, bytes, { flag: 'wx', mode: 0o600 }).catch((cause: NodeJS.ErrnoException) => {
      const message = `cannot keep standard input in ${process.cwd()}, where its relative paths lead from (${cause.code})`;
      throw new S4rError('OUTPUT', message, {}, { cause });
    });
    return await work({ name: STDIN, path: name, below: `stdin${extensionOf(bytes, format)}` });
  } finally {
    await rm(name, { force: true });
  }
}

function extensionOf(bytes: Buffer, { extensions }: FileFormat): string {
  const start = bytes.subarray(0, 1024).toString('latin1');
  const likely = SIGNATURES.find(([pattern]) => pattern.test(start))?.[1] ?? ['.yaml', '.yml'];
  return likely.find((extension) => extensions.includes(extension)) ?? (extensions[0] as string);
}
