/** Simulates a scene: in the engine of its format. */
import type { FileWriteResult } from '../adapters/adapter.js';
import { S4rError } from '../index.js';
import type { Rollout } from '../rollout/mujoco.js';
import type { OpenScene, RolloutOptions } from './formats/index.js';
import type { Io } from './io.js';
import type { ProgressBar } from './progress.js';

/** The same rollout of the scene as it was and as it is now; `after` is null if nothing moved. */
export interface RolloutPair {
  readonly gravity: boolean;
  readonly before: Rollout;
  readonly after: Rollout | null;
}

/** With and without gravity, before and after. @param written what the repair wrote, absent if nothing moved */
export async function rolloutPairs(io: Io, bar: ProgressBar, open: OpenScene, written?: FileWriteResult): Promise<RolloutPair[]> {
  const pairs: RolloutPair[] = [];
  for (const gravity of [false, true]) {
    const options = { gravity: gravity ? undefined : false };
    const before = await rolloutOf(io, bar, open, options);
    pairs.push({ gravity, before, after: written === undefined ? null : await rolloutOf(io, bar, open, options, written) });
  }
  return pairs;
}

/** @throws S4rError INVALID_OPTION if there is no engine for the format; the signal's reason when aborted */
export async function rolloutOf(
  io: Io,
  bar: ProgressBar,
  open: OpenScene,
  options: RolloutOptions,
  written?: FileWriteResult,
): Promise<Rollout> {
  // The place for an engine that simulates any `Scene` from given poses.
  if (open.rollout === undefined) throw new S4rError('INVALID_OPTION', 'rollout: only MJCF scenes can be simulated as yet');
  return await open.rollout({ ...options, signal: io.signal, onProgress: (fraction) => bar.show('simulating', fraction) }, written);
}
