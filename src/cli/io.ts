/** What a run of the command line talks to. Tests pass their own. */
import { plain } from './format.js';

/** The part of a stream the command line uses. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal [characters]. */
  readonly columns?: number | undefined;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Read only where the user writes `-`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
}

/** One line on stderr. */
export function warn(io: Io, message: string): void {
  io.stderr.write(`s4r: ${oneLine(message)}\n`);
}

export function oneLine(text: string): string {
  return plain(text.replace(/\s*\n\s*/g, ' ').trim());
}
