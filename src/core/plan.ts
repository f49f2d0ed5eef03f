/** A scene and the options of a solve as one task: what may move, how, and what counts. */
import { type Motion, RIGID, TRANSLATION } from './motion.js';
import type { ResolvedOptions } from './options.js';
import { allowOverlaps } from './plan/allow.js';
import { readAxes } from './plan/axes.js';
import { lackOfRoom } from './plan/capacity.js';
import { type Container, planContainer, withContainer } from './plan/container.js';
import { assertGoesWithJoints, releaseJoints } from './plan/free-joints.js';
import { planUpright, restingPairs, type StandingUnit } from './plan/upright.js';
import { weighUnits } from './plan/weights.js';
import type { GeomId, Scene } from './scene.js';
import { freezeUnits, selectMovable } from './selection.js';

export interface Plan {
  /** The caller's scene with its mobility, weights and collisions final, and the sides of the container as one more body. */
  readonly scene: Scene;
  /** Of the caller's scene: the bodies beyond are not in reports. */
  readonly bodyCount: number;
  /** By body id: that of its unit. */
  readonly motions: readonly Motion[];
  /** Units that have to stand, in the order of their roots. */
  readonly standing: readonly StandingUnit[];
  /** Pairs of a standing unit with what it stands on, and what is no higher: they may touch. The core makes no pairs of them. */
  readonly resting: readonly (readonly [GeomId, GeomId])[];
  readonly container?: Container;
  /** Why no solve can succeed, if that is known beforehand: one sentence. */
  readonly impossible?: string;
}

/** @throws S4rError INVALID_OPTION for options that do not fit the scene */
export function planSolve(given: Scene, options: ResolvedOptions): Plan {
  const worded = readAxes(given, options.axes);
  const still = (root: number) => {
    const motion = worded.get(root)?.motion;
    return motion?.translate === 'none' && motion.turn === 'none';
  };
  const released = releaseJoints(given, options.freeJoints);
  assertGoesWithJoints(released, options);
  const weighted = weighUnits(allowOverlaps(released, options.allow), options.weights);
  const selected = freezeUnits(selectMovable(weighted, options), still);
  const standing = options.upright === undefined ? [] : planUpright(selected, options.upright, worded);
  const container = options.container === undefined ? undefined : planContainer(selected, options.container);
  const scene = container === undefined ? selected : withContainer(selected, container);
  const standingMotions = new Map(standing.map(({ root, motion }) => [root, motion]));
  const unnamed = options.rotation ? RIGID : TRANSLATION;
  // With a tolerance, bodies may share some space.
  const impossible =
    tiltedTooFar(scene, standing, options.maxTurn) ?? (options.tolerance > 0 ? undefined : lackOfRoom(selected, container));
  return {
    scene,
    bodyCount: given.bodies.length,
    motions: scene.bodies.map(({ movesWith }) => standingMotions.get(movesWith) ?? worded.get(movesWith)?.motion ?? unnamed),
    standing,
    resting: restingPairs(scene, standing),
    ...(container === undefined ? {} : { container }),
    ...(impossible === undefined ? {} : { impossible }),
  };
}

function tiltedTooFar({ bodies }: Scene, standing: readonly StandingUnit[], maxTurn = Infinity): string | undefined {
  for (const { root, motion } of standing) {
    const turn = Math.hypot(...motion.stand.tilt);
    if (turn > maxTurn)
      return `to stand, '${bodies[root]?.name}' has to turn by ${turn.toPrecision(3)} rad, more than maxTurn = ${maxTurn} rad`;
  }
  return undefined;
}
