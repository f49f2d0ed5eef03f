/** Simulates a scene: in the engine of its format, or in Rapier. */
import type { FileWriteResult } from '../adapters/adapter.js';
import type { Result } from '../index.js';
import { type Rollout, rolloutRapier } from '../rollout/rapier.js';
import type { OpenScene, RolloutOptions } from './formats/index.js';
import type { Io } from './io.js';
import type { ProgressBar } from './progress.js';

/** The same rollout of the scene as it was and as it is now; `after` is null if nothing moved. */
export interface RolloutPair {
  readonly gravity: boolean;
  readonly before: Rollout;
  readonly after: Rollout | null;
}

/** What a repair returned, and what writing it did. */
export interface Repaired {
  readonly result: Result;
  readonly written: FileWriteResult;
}

/** With and without gravity, before and after. @param repaired absent if nothing moved */
export async function rolloutPairs(io: Io, bar: ProgressBar, open: OpenScene, repaired?: Repaired): Promise<RolloutPair[]> {
  const pairs: RolloutPair[] = [];
  for (const gravity of [false, true]) {
    const options = { gravity: gravity ? undefined : false };
    const before = await rolloutOf(io, bar, open, options);
    pairs.push({ gravity, before, after: repaired === undefined ? null : await rolloutOf(io, bar, open, options, repaired) });
  }
  return pairs;
}

/** Formats without an engine of their own roll out in Rapier. @throws S4rError INVALID_OPTION; the signal's reason when aborted */
export async function rolloutOf(io: Io, bar: ProgressBar, open: OpenScene, options: RolloutOptions, repaired?: Repaired): Promise<Rollout> {
  const given = { ...options, signal: io.signal, onProgress: (fraction: number) => bar.show('simulating', fraction) };
  if (open.rollout !== undefined) return await open.rollout(given, repaired?.written);
  return await rolloutRapier(open.scene, { ...given, poses: repaired?.result.poses });
}
