/** What `write` needs to find its way back into the stage. Opaque to callers. */
import type { BodyId, Pose } from '../../core/scene.js';
import type { Affine } from './affine.js';
import type { Prim } from './usd/prim.js';
import type { Stage } from './usd/stage.js';

/** One body of the scene. */
export interface SourceBody {
  readonly id: BodyId;
  /** As in `Scene`: the path of its prim. */
  readonly name: string;
  readonly prim: Prim;
  /** Pose in the stage as it was read [m]. */
  readonly X_WB: Pose;
  /** From the prim to the world, scale included [stage units]. */
  readonly world: Affine;
  readonly free: boolean;
  /** The body it moves with. */
  readonly root: BodyId;
}

export interface IsaacSource {
  /** Absolute path of the stage's root layer. */
  readonly path: string;
  readonly stage: Stage;
  readonly bodies: readonly SourceBody[];
  /** Every file that was read, and their contents' hash (SHA-256, hexadecimal). */
  readonly files: readonly string[];
  readonly sha256: string;
  readonly options: { readonly skipMissing?: boolean | undefined };
}
