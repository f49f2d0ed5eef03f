/** Packed results of the native core, read back into the words of `Result`. */
import { isConstant } from './filters.js';
import { carriedByJoints, type Displacements } from './joints.js';
import type { PackedEvaluation, PackedSolution } from './pack.js';
import { angleBetween, multiplyQuat, normalizeQuat, rotate } from './pose-math.js';
import type { Evaluation, Move, Overlap } from './result.js';
import type { Body, Geom, Pose, Quat, Scene, Vec3 } from './scene.js';

export function unpackEvaluation(scene: Scene, packed: PackedEvaluation): Evaluation {
  const overlaps = Array.from(packed.kind, (_, i) => unpackOverlap(scene, packed, i));
  return summarize(overlaps, packed);
}

/** The evaluation whose overlaps, deepest first, are these. */
export function summarize(
  overlaps: readonly Overlap[],
  { candidates, interrupted }: { candidates: number; interrupted?: boolean },
): Evaluation {
  const repairable = overlaps.filter((overlap) => !overlap.constant);
  const bodyPairs = new Set(repairable.map(({ bodyA, bodyB }) => `${Math.min(bodyA, bodyB)} ${Math.max(bodyA, bodyB)}`));
  return {
    overlaps,
    repairable: repairable.length,
    constant: overlaps.length - repairable.length,
    repairableBodyPairs: bodyPairs.size,
    maxDepth: repairable.reduce((deepest, overlap) => Math.max(deepest, overlap.depth), 0),
    candidates,
    ...(interrupted ? { interrupted: true } : {}),
  };
}

function unpackOverlap(scene: Scene, packed: PackedEvaluation, i: number): Overlap {
  const geomA = scene.geoms[packed.geoms[2 * i] as number] as Geom;
  const geomB = scene.geoms[packed.geoms[2 * i + 1] as number] as Geom;
  const bodyA = scene.bodies[geomA.bodyId] as Body;
  const bodyB = scene.bodies[geomB.bodyId] as Body;
  return {
    geomA: geomA.id,
    geomB: geomB.id,
    bodyA: bodyA.id,
    bodyB: bodyB.id,
    names: { geomA: geomA.name, geomB: geomB.name, bodyA: bodyA.name, bodyB: bodyB.name },
    kind: packed.kind[i] === 1 ? 'contained' : 'penetrating',
    // From the scene, not from the core: what may move is decided here.
    constant: isConstant(scene, bodyA.id, bodyB.id),
    depth: packed.depth[i] as number,
    point: vec3At(packed.point, i),
    normal: vec3At(packed.normal, i),
  };
}

/**
 * Poses after moving every body by the free joints that displace it (`displacements`, if there are any), and every unit as its root:
 * displaced by the root's shift, and turned about the root's origin by its turn. A body that neither moves keeps its pose object, an
 * unturned one its quaternion, and a coordinate whose shift is 0 its bits, the sign of zero included.
 */
export function applyMoves(
  scene: Scene,
  { shifts, turns }: Pick<PackedSolution, 'shifts' | 'turns'>,
  displacements: Displacements = [],
): Pose[] {
  return scene.bodies.map((body) => {
    const X_WB = carriedByJoints(scene, body.id, body.X_WB, displacements);
    const shift = vec3At(shifts, body.movesWith);
    const turn = quatAt(turns, body.movesWith);
    const turned = turn[1] !== 0 || turn[2] !== 0 || turn[3] !== 0;
    if (body.mobility === 'fixed' || (!turned && shift.every((value) => value === 0))) return X_WB;
    const { position, quaternion } = X_WB;
    if (!turned) return { position: added(position, shift), quaternion };
    const root = (scene.bodies[body.movesWith] as Body).X_WB.position;
    const arm = rotate(turn, [position[0] - root[0], position[1] - root[1], position[2] - root[2]]);
    const at = body.id === body.movesWith ? position : added(root, arm);
    return { position: added(at, shift), quaternion: normalizeQuat(multiplyQuat(turn, quaternion)) };
  });
}

function added(position: Vec3, shift: Vec3): Vec3 {
  return position.map((value, k) => (shift[k] === 0 ? value : value + (shift[k] as number))) as unknown as Vec3;
}

/** Roots of the units that may move. */
export function movableUnits(scene: Scene): readonly Body[] {
  return scene.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id);
}

/** World displacement of a body between the scene and `poses` [m]. */
export function displacement(body: Body, poses: readonly Pose[]): Vec3 {
  const from = body.X_WB.position;
  const to = (poses[body.id] as Pose).position;
  return [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
}

/** Angle by which a body is turned between the scene and `poses` [rad]; 0 if its quaternion is the same. */
export function turnOf(body: Body, poses: readonly Pose[]): number {
  const from = body.X_WB.quaternion;
  const to = (poses[body.id] as Pose).quaternion;
  return to.every((value, k) => Object.is(value, from[k])) ? 0 : angleBetween(from, to);
}

/** The units whose root moved, largest displacement first, then by body id. */
export function movesOf(scene: Scene, poses: readonly Pose[], before: Evaluation): Move[] {
  const overlapping = new Set<number>();
  for (const { bodyA, bodyB, constant } of before.overlaps) {
    if (!constant) for (const id of [bodyA, bodyB]) overlapping.add((scene.bodies[id] as Body).movesWith);
  }
  return movableUnits(scene)
    .map((body) => {
      const translation = displacement(body, poses);
      const distance = Math.hypot(...translation);
      const rotation = turnOf(body, poses);
      return { bodyId: body.id, name: body.name, translation, distance, rotation, wasOverlapping: overlapping.has(body.id) };
    })
    .filter((move) => move.distance > 0 || move.rotation > 0)
    .sort((a, b) => b.distance - a.distance || b.rotation - a.rotation || a.bodyId - b.bodyId);
}

/** Root mean square displacement over all movable units [m], 0 without any. */
export function rmsMove(scene: Scene, moves: readonly Pick<Move, 'distance'>[]): number {
  const count = movableUnits(scene).length;
  return count === 0 ? 0 : Math.sqrt(moves.reduce((sum, move) => sum + move.distance ** 2, 0) / count);
}

/** A sentence of the native core, which knows geoms by number only: `{geom:12}` becomes the geom's name in quotes. */
export function nameGeoms(scene: Scene, text: string): string {
  return text.replace(/\{geom:(\d+)\}/g, (whole, id) => {
    const geom = scene.geoms[Number(id)];
    return geom === undefined ? whole : `'${geom.name}'`;
  });
}

function vec3At(array: Float64Array, index: number): Vec3 {
  return [array[3 * index] as number, array[3 * index + 1] as number, array[3 * index + 2] as number];
}

function quatAt(array: Float64Array, index: number): Quat {
  return Array.from(array.subarray(4 * index, 4 * index + 4)) as unknown as Quat;
}
