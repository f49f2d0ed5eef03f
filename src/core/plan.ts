/** A scene and the options of a solve as one task: what may move, how, and what counts. */
import { type Motion, RIGID, TRANSLATION } from './motion.js';
import type { ResolvedOptions } from './options.js';
import type { Scene } from './scene.js';
import { selectMovable } from './selection.js';

export interface Plan {
  /** The caller's scene with its mobility final. */
  readonly scene: Scene;
  /** By body id: that of its unit. */
  readonly motions: readonly Motion[];
}

/** @throws S4rError INVALID_OPTION for options that do not fit the scene */
export function planSolve(given: Scene, options: ResolvedOptions): Plan {
  const scene = selectMovable(given, options);
  return { scene, motions: scene.bodies.map(() => (options.rotation ? RIGID : TRANSLATION)) };
}
