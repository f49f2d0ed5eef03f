/** The loop of a rollout, whatever engine takes the steps. */
import { S4rError } from '../core/errors.js';
import type { BadStep, RolloutOptions } from './rollout.js';

/** Wall time between two looks at the abort signal [ms]. */
const SLICE = 50;

/**
 * Up to `count` steps; fewer if one goes bad. `take` takes and records step number 1, 2, ...
 * @throws the signal's reason when aborted
 */
export async function takeSteps(
  count: number,
  take: (step: number) => BadStep | null,
  { signal, onProgress }: RolloutOptions,
): Promise<{ steps: number; badStep: BadStep | null }> {
  signal?.throwIfAborted();
  let sliceEnd = performance.now() + SLICE;
  for (let step = 1; step <= count; step++) {
    const badStep = take(step);
    if (badStep !== null) return { steps: step, badStep };
    if (performance.now() < sliceEnd) continue;
    onProgress?.(step / count);
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE;
  }
  return { steps: count, badStep: null };
}

/** How many steps of `timestep` make up `seconds`: at least one. */
export function stepCount(seconds: number, timestep: number): number {
  return Math.max(1, Math.round(seconds / timestep));
}

/** @throws S4rError INVALID_OPTION unless the option is a finite number > 0 [s] */
export function positive(name: 'seconds' | 'timestep', value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new S4rError('INVALID_OPTION', `option ${name}: expected a finite number > 0 [s], got ${value}`);
}
