/** What `write` needs to find its way back into the world. Opaque to callers. */
import type { Pose } from '../../core/scene.js';
import type { Lock } from './locks.js';
import type { RapierWorld } from './world.js';

/** A live world, or the bytes of `world.takeSnapshot()`. */
export type RapierInput = RapierWorld | Uint8Array;

/** One body of the scene. */
export interface SourceBody {
  readonly name: string;
  /** Undefined for a collider without a body, which never moves. */
  readonly handle: number | undefined;
  /** As it was read. */
  readonly X_WB: Pose;
}

export interface RapierSource {
  readonly input: RapierInput;
  /** By scene id. */
  readonly bodies: readonly SourceBody[];
  /** Units with locked axes, by name of the root. */
  readonly locks: ReadonlyMap<string, Lock>;
}
