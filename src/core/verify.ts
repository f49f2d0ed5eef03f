/** The last word on a result: its poses are packed afresh and judged anew. Nothing the solver computed is used. */
import type { Backend, BackendCheckOptions } from './backend.js';
import { centreInUnit, pointShift } from './geometry/units.js';
import { carriedByJoints, type Displacements, freeJoints, rangeOf } from './joints.js';
import type { Motion } from './motion.js';
import { packScene } from './pack.js';
import { STANDING, type StandingUnit, standingErrors } from './plan/upright.js';
import { angleBetween, compose, conjugate, invert, multiplyQuat, rotate, subtract } from './pose-math.js';
import type { Evaluation } from './result.js';
import type { Body, Joint, Pose, Scene, Vec3 } from './scene.js';
import { displacement, turnOf, unpackEvaluation } from './unpack.js';

export interface Verification {
  /** All overlaps in the new poses. */
  readonly evaluation: Evaluation;
  /** Promises the poses break, one sentence each; empty if they keep them all. */
  readonly violations: readonly string[];
}

/** What a result promises besides being free of overlaps. */
export interface Promises {
  /** By body id. */
  readonly motions: readonly Motion[];
  /** [m], [rad] */
  readonly maxShift?: number | undefined;
  readonly maxTurn?: number | undefined;
  readonly standing?: readonly StandingUnit[];
  /** What the free joints are said to have done; absent: nothing. */
  readonly displacements?: Displacements;
}

/** Evaluate every pair of `scene` in `poses` (X_WB by body id), and check what a result promises. */
export async function verifyPoses(
  backend: Backend,
  scene: Scene,
  poses: readonly Pose[],
  options: BackendCheckOptions,
  promises: Promises,
): Promise<Verification> {
  const moved: Scene = { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] as Pose })) };
  const packed = packScene(moved);
  const evaluation = unpackEvaluation(moved, await backend.check(packed, packed.bodyPoses, options));
  return { evaluation, violations: brokenPromises(scene, poses, promises) };
}

/**
 * What `verifyPoses` checks besides the overlaps, a sentence for each promise that `poses` break: fixed bodies untouched, units
 * rigid but for what free joints displace, and those where their displacements say, within their limits and in the ratios of those
 * that drive others, no body displaced by more than `maxShift` or turned by more than `maxTurn`, every unit only as its motion allows, and those
 * that have to stand standing.
 */
export function brokenPromises(scene: Scene, poses: readonly Pose[], promises: Promises): string[] {
  const standing = promises.standing ?? [];
  return [
    ...scene.bodies.flatMap((body) => brokenByBody(scene, body, poses, promises)),
    ...standing.flatMap((unit) => brokenByStanding(scene, unit, poses)),
    ...freeJoints(scene).flatMap((joint) => brokenByJoint(scene, joint, promises.displacements ?? [])),
  ];
}

function brokenByStanding(scene: Scene, unit: StandingUnit, poses: readonly Pose[]): string[] {
  const { height, tilt } = standingErrors(scene, unit, poses);
  const { name } = scene.bodies[unit.root] as Body;
  const rounding = 8 * Number.EPSILON * Math.hypot(...(poses[unit.root] as Pose).position);
  const broken: string[] = [];
  if (!(Math.abs(height) <= STANDING.height + rounding))
    broken.push(`body '${name}' does not stand on '${unit.support.name}' but ${height} m above it`);
  if (!(tilt <= STANDING.tilt)) broken.push(`body '${name}' is tilted by ${tilt} rad`);
  return broken;
}

function brokenByJoint(scene: Scene, joint: Joint, displacements: Displacements): string[] {
  const displacement = displacements[joint.id] ?? 0;
  if (joint.follows !== undefined) {
    const wanted = joint.follows.ratio * (displacements[joint.follows.joint] ?? 0);
    const off = Math.abs(displacement - wanted);
    return off <= JOINT_ROUNDING * Math.max(1, Math.abs(wanted)) ? [] : [`joint '${joint.name}' did not follow the one that drives it`];
  }
  const [lower, upper] = rangeOf(scene, joint);
  const rounding = JOINT_ROUNDING * Math.max(1, Math.abs(joint.position));
  if (displacement >= lower - rounding && displacement <= upper + rounding) return [];
  return [`joint '${joint.name}' was displaced by ${displacement}, its limits allow ${lower} to ${upper}`];
}

/** Relative, of displacements of joints. */
const JOINT_ROUNDING = 1e-12;
/** Turns below this [rad] are rounding. */
const TURN_ROUNDING = 1e-12;
/** What a turned body may be off its axes [m], [-]: its new place comes from its centre and a turn. */
const ROUNDING_OF_TURNED = 1e-9;

function brokenByBody(
  scene: Scene,
  body: Body,
  poses: readonly Pose[],
  { motions, maxShift = Infinity, maxTurn = Infinity, displacements = [] }: Promises,
): string[] {
  const from = body.X_WB;
  const to = poses[body.id] as Pose;
  if (to === from) return [];
  const broken: string[] = [];
  const shift = displacement(body, poses);
  const distance = Math.hypot(...shift);
  if (![...to.position, ...to.quaternion].every(Number.isFinite)) broken.push(`the new pose of body '${body.name}' is not finite`);
  const carried = carriedByJoints(scene, body.id, from, displacements);
  const jointed = carried !== from;
  if (body.mobility === 'fixed' && !jointed) broken.push(`the fixed body '${body.name}' was moved`);
  const turn = turnOf(body, poses);
  const motion = motions[body.id] as Motion;
  if (turn > 0 && motion.turn === 'none' && motion.stand === undefined && !jointed) broken.push(`body '${body.name}' was turned`);
  if (turn > maxTurn + TURN_ROUNDING) broken.push(`body '${body.name}' was turned by ${turn} rad, more than maxTurn = ${maxTurn} rad`);
  const root = scene.bodies[body.movesWith] as Body;
  // Far from the world's origin a position, and so a displacement, is only known to a few units in its last place.
  const rounding = 8 * Number.EPSILON * Math.hypot(...from.position, ...to.position, ...root.X_WB.position, distance);
  if ((body.mobility === 'free' || jointed) && !followsRoot(carried, body, root, poses, rounding + (jointed ? ROUNDING_OF_TURNED : 0))) {
    broken.push(jointed ? `body '${body.name}' is not where its joints put it` : `body '${body.name}' did not move with '${root.name}'`);
  }
  if (distance > maxShift * (1 + 1e-12) + rounding) {
    broken.push(`body '${body.name}' moved by ${distance} m, more than maxShift = ${maxShift} m`);
  }
  if (jointed) return broken;
  if (offAxis(motion, movedBy(scene, body, poses, turn, motion)) > rounding + (turn > 0 ? ROUNDING_OF_TURNED : 0)) {
    broken.push(`body '${body.name}' moved off its axes`);
  }
  if (turn > 0 && offTurn(motion, body, to) > ROUNDING_OF_TURNED) broken.push(`body '${body.name}' was turned off its axis`);
  return broken;
}

/** Whether the body has kept the pose relative to the root of its unit that it has in the input with its joints displaced. */
function followsRoot(carried: Pose, body: Body, root: Body, poses: readonly Pose[], rounding: number): boolean {
  const rootAfter = body.mobility === 'fixed' ? root.X_WB : (poses[root.id] as Pose);
  const before = compose(invert(root.X_WB), carried);
  const after = compose(invert(rootAfter), poses[body.id] as Pose);
  const apart = Math.hypot(...after.position.map((value, k) => value - (before.position[k] as number)));
  return apart <= rounding && angleBetween(before.quaternion, after.quaternion) <= TURN_ROUNDING;
}

/** Displacement that the motion speaks of: that of the unit's centre, about which it is turned. */
function movedBy(scene: Scene, body: Body, poses: readonly Pose[], turn: number, motion: Motion): Vec3 {
  if (turn === 0 || !isBound(motion)) return displacement(body, poses);
  const root = body.movesWith;
  const geoms = scene.geoms.filter((geom) => scene.bodies[geom.bodyId]?.movesWith === root);
  return pointShift(scene, root, centreInUnit(scene, root, geoms), poses);
}

/** What stands is bound by its height. */
function isBound({ translate, stand }: Motion): boolean {
  return translate !== 'all' && stand === undefined;
}

/** How far a turn takes the only axis it may be about [-]. */
function offTurn({ turn, stand }: Motion, body: Body, to: Pose): number {
  if (typeof turn === 'string' || stand !== undefined) return 0;
  const moved = rotate(multiplyQuat(to.quaternion, conjugate(body.X_WB.quaternion)), turn.about);
  return Math.hypot(...subtract(moved, turn.about));
}

/** How far a displacement leaves the directions a motion allows. */
function offAxis({ translate, stand }: Motion, shift: Vec3): number {
  if (translate === 'all' || stand !== undefined) return 0;
  if (translate === 'none') return Math.hypot(...shift);
  const axis = 'along' in translate ? translate.along : translate.across;
  const along = shift[0] * axis[0] + shift[1] * axis[1] + shift[2] * axis[2];
  if ('across' in translate) return Math.abs(along);
  return Math.hypot(...shift.map((value, k) => value - along * (axis[k] as number)));
}
