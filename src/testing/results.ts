/** Results without a solver: poses set by hand. */
import { angleBetween, compose, invert } from '../core/pose-math.js';
import type { BodyId, Evaluation, Move, Pose, Result, Scene, SolveStats } from '../index.js';

/**
 * What a solver would return that had moved these units, each with all its bodies, and nothing else: the others keep their numbers bit
 * for bit. Without any it is `clean`. Its statistics are zero, as nothing was computed.
 * @param targets pose in W by root
 */
export function resultWithPoses(scene: Scene, targets: ReadonlyMap<BodyId, Pose>): Result {
  const poses = scene.bodies.map(({ id, movesWith, X_WB }) => {
    const target = targets.get(movesWith);
    const root = scene.bodies[movesWith];
    if (target === undefined || root === undefined) return X_WB;
    return id === movesWith ? target : compose(compose(target, invert(root.X_WB)), X_WB);
  });
  const moves = scene.bodies.flatMap((body): Move[] => {
    const target = targets.get(body.id);
    if (target === undefined) return [];
    const [x, y, z] = body.X_WB.position;
    const translation = [target.position[0] - x, target.position[1] - y, target.position[2] - z] as const;
    const rotation = angleBetween(target.quaternion, body.X_WB.quaternion);
    const distance = Math.hypot(...translation);
    return [{ bodyId: body.id, name: body.name, translation, distance, rotation, wasOverlapping: true }];
  });
  moves.sort((a, b) => b.distance - a.distance);
  const units = freeRoots(scene).length;
  const squares = moves.reduce((sum, { distance }) => sum + distance * distance, 0);
  return {
    status: moves.length === 0 ? 'clean' : 'solved',
    poses,
    moves,
    before: NO_OVERLAPS,
    after: NO_OVERLAPS,
    rmsMove: units === 0 ? 0 : Math.sqrt(squares / units),
    stats: NO_STATS,
  };
}

const NO_OVERLAPS: Evaluation = { overlaps: [], repairable: 0, constant: 0, repairableBodyPairs: 0, maxDepth: 0, candidates: 0 };

const NO_STATS: SolveStats = {
  profile: 'by hand',
  algorithmStatus: 'none',
  steps: 0,
  finalScale: 1,
  detections: 0,
  tailIterations: 0,
  cleanupIterations: 0,
  overlapsAfterTail: -1,
  overlapsAfterCleanup: -1,
  queries: 0,
  qpSolves: 0,
  qpIterations: 0,
  qpVariablesMax: 0,
  qpVariablesMean: 0,
  lengthUnit: 1,
  margin: 0,
  milliseconds: { evaluateBefore: 0, setup: 0, detect: 0, qp: 0, tail: 0, cleanup: 0, solve: 0, evaluateAfter: 0 },
  backend: 'none',
  threads: 0,
};

/** The roots of all free units. */
export function freeRoots(scene: Scene): readonly BodyId[] {
  return scene.bodies.filter(({ id, movesWith, mobility }) => mobility === 'free' && id === movesWith).map(({ id }) => id);
}

/**
 * These units displaced, each by another vector, and every second one turned. Float32 holds the orientations exactly, and the positions
 * are rounded to it, so that a world of such numbers can hold them too.
 */
export function displaced(scene: Scene, roots: readonly BodyId[]): Result {
  const targets = roots.map((id, i): [BodyId, Pose] => {
    const { position, quaternion } = (scene.bodies[id] as Scene['bodies'][number]).X_WB;
    const [x, y, z] = position;
    const shift = [0.013 + 0.007 * i, -0.021 - 0.003 * i, 0.034 + 0.011 * i] as const;
    return [
      id,
      {
        position: [Math.fround(x + shift[0]), Math.fround(y + shift[1]), Math.fround(z + shift[2])],
        quaternion: i % 2 === 0 ? [0.5, -0.5, 0.5, 0.5] : quaternion,
      },
    ];
  });
  return resultWithPoses(scene, new Map(targets));
}
