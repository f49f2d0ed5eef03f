/** MuJoCo's WebAssembly module, loaded on first use, and what it throws as errors of ours. */
import type { MainModule } from '@mujoco/mujoco';
import { S4rError } from '../core/errors.js';

let module: Promise<MainModule> | undefined;

/** The module, shared by all rollouts (0.5 s, 10 MB). @throws S4rError ENVIRONMENT if it cannot be loaded */
export function loadMujoco(): Promise<MainModule> {
  module ??= instantiate();
  return module;
}

async function instantiate(): Promise<MainModule> {
  // Warnings are in the report and errors are thrown; what the module prints would only mix with the caller's output.
  const quiet = () => undefined;
  try {
    const { default: factory } = await import('@mujoco/mujoco');
    return await factory({ print: quiet, printErr: quiet });
  } catch (cause) {
    module = undefined;
    throw new S4rError('ENVIRONMENT', `cannot load MuJoCo (@mujoco/mujoco): ${messageOf(cause)}`, {}, { cause });
  }
}

/** Runs one call into MuJoCo about the scene `file`. @throws S4rError INVALID_INPUT for whatever it throws */
export function engineCall<T>(call: () => T, file: string): T {
  try {
    return call();
  } catch (cause) {
    // A trap leaves the module undefined; the next simulation loads a fresh one.
    if (cause instanceof Error && cause.name === 'RuntimeError') module = undefined;
    const remedy = isOutOfMemory(cause) ? ' (MuJoCo in WebAssembly has 2 GiB)' : '';
    const message = messageOf(cause).replace(/^MuJoCo Error: (Loading error: )?/, '');
    throw new S4rError('INVALID_INPUT', `MuJoCo: ${message.trim()}${remedy}`, { file }, { cause });
  }
}

/** Whether the module, or `engineCall` on its behalf, threw for lack of memory. */
export function isOutOfMemory(error: unknown): boolean {
  return /out of memory|could not allocate/i.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
