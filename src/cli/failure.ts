/** What went wrong, as plain data. */
import { S4rError } from '../index.js';
import { EXIT, exitCodeOfError } from './exit-codes.js';
import type { Io } from './io.js';

export interface Failure {
  readonly code: string;
  /** One line, with the place. */
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly exitCode: number;
}

/** Code of what Ctrl-C ended. */
export const INTERRUPTED = 'INTERRUPTED';

export const INTERRUPTION: Failure = { code: INTERRUPTED, message: 'interrupted', exitCode: EXIT.interrupted };

export function failureOf(error: unknown, io: Io): Failure {
  if (wasInterrupted(error, io)) return INTERRUPTION;
  const message = messageOf(error);
  const exitCode = exitCodeOfError(error);
  if (!(error instanceof S4rError)) return { code: 'INTERNAL', message, exitCode };
  return { code: error.code, message, file: error.place.file, line: error.place.line, exitCode };
}

function wasInterrupted(error: unknown, io: Io): boolean {
  // Asking an `Io` that nobody has listened to yet would start listening.
  return error instanceof DOMException && io.signal?.aborted === true && error === io.signal.reason;
}

/** Flags that are called otherwise than their option. */
const FLAGS: Readonly<Record<string, string>> = {
  weights: 'weight',
  position: 'base-position',
  rpy: 'base-rpy',
  joints: 'joint',
  'upright.supports': 'support',
  'upright.height': 'plane',
  'upright.stand': 'stand',
};

/** Names options the way they are typed, and marks what is a defect. */
function messageOf(error: unknown): string {
  if (error instanceof S4rError && error.code !== 'INTERNAL') {
    const typed = (name: string) =>
      FLAGS[name] ?? name.replace(/^joints\.(.*)/, 'joint $1').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return error.message.replace(/^option ([\w.]+):/, (_, name: string) => `--${typed(name)}:`);
  }
  return error instanceof Error ? `internal error: ${error.message}` : `internal error: ${String(error)}`;
}
