/** A scene and the options of a solve as one task: what may move, how, and what counts. */
import { type Motion, RIGID, TRANSLATION } from './motion.js';
import type { ResolvedOptions } from './options.js';
import { allowOverlaps } from './plan/allow.js';
import { readAxes } from './plan/axes.js';
import { weighUnits } from './plan/weights.js';
import type { Scene } from './scene.js';
import { freezeUnits, selectMovable } from './selection.js';

export interface Plan {
  /** The caller's scene with its mobility, weights and collisions final. */
  readonly scene: Scene;
  /** By body id: that of its unit. */
  readonly motions: readonly Motion[];
}

/** @throws S4rError INVALID_OPTION for options that do not fit the scene */
export function planSolve(given: Scene, options: ResolvedOptions): Plan {
  const worded = readAxes(given, options.axes);
  const still = (root: number) => {
    const motion = worded.get(root)?.motion;
    return motion?.translate === 'none' && motion.turn === 'none';
  };
  const weighted = weighUnits(allowOverlaps(given, options.allow), options.weights);
  const scene = freezeUnits(selectMovable(weighted, options), still);
  const unnamed = options.rotation ? RIGID : TRANSLATION;
  return { scene, motions: scene.bodies.map((body) => worded.get(body.movesWith)?.motion ?? unnamed) };
}
