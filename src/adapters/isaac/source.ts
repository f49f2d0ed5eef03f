/** What `write` needs to find its way back into the stage. Opaque to callers. */
import type { ErrorPlace } from '../../core/errors.js';
import type { BodyId, Pose } from '../../core/scene.js';
import type { Affine } from './affine.js';
import type { Prim } from './usd/prim.js';
import type { Stage } from './usd/stage.js';
import { placeOfPrim } from './usd/xform.js';

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

/** Where a body stands: the file and line of the strongest opinion on its prim. */
export function bodyPlaces({ bodies }: IsaacSource): (body: BodyId) => ErrorPlace | undefined {
  return (body) => {
    const found = bodies[body];
    return found === undefined ? undefined : placeOfPrim(found.prim);
  };
}
