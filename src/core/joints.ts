/** The joints of a scene: which are free, what they may do, how they move bodies, and how the native core reads them. */
import { carriedByJoint } from './pose-math.js';
import type { JointMove } from './result.js';
import type { BodyId, Joint, JointId, Pose, Scene } from './scene.js';

/** By joint id: how far it is displaced from where the scene has it [rad], [m]; 0, or absent, of those that are not free. */
export type Displacements = readonly number[];

/** In ascending order, so those nearer to a root first. */
export function freeJoints({ joints = [] }: Scene): readonly Joint[] {
  return joints.filter(({ mobility }) => mobility === 'free');
}

/** Whether it moves one of two bodies and not the other, so can change their relative pose. */
export function movesOneOf({ moves }: Joint, a: BodyId, b: BodyId): boolean {
  return moves.includes(a) !== moves.includes(b);
}

/** The joints between two bodies, free or not, in ascending order: what can change their relative pose. */
export function jointChain({ joints = [] }: Scene, a: BodyId, b: BodyId): JointId[] {
  return joints.filter((joint) => movesOneOf(joint, a, b)).map(({ id }) => id);
}

/**
 * Least and largest displacement that the limits of a joint, and of those that it drives, allow; 0 is always between. A joint that
 * stands outside its limits may only move towards them.
 */
export function rangeOf(scene: Scene, joint: Joint): readonly [lower: number, upper: number] {
  const driven = freeJoints(scene).filter(({ follows }) => follows?.joint === joint.id);
  const ranges = driven.map((follower) => inLeader(ownRange(follower), follower.follows?.ratio as number));
  return [ownRange(joint), ...ranges].reduce(([low, high], [lower, upper]) => [Math.max(low, lower), Math.min(high, upper)]);
}

function ownRange({ position, limits }: Joint): readonly [number, number] {
  if (limits === undefined) return [-Infinity, Infinity];
  return [Math.min(0, limits[0] - position), Math.max(0, limits[1] - position)];
}

/** The displacements of the leader that keep a follower within its own range. */
function inLeader([lower, upper]: readonly [number, number], ratio: number): readonly [number, number] {
  if (ratio === 0) return [-Infinity, Infinity];
  return ratio > 0 ? [lower / ratio, upper / ratio] : [upper / ratio, lower / ratio];
}

/** Whether it stands outside its limits. */
export function isOutside({ position, limits }: Joint): boolean {
  return limits !== undefined && (position < limits[0] || position > limits[1]);
}

/** Where the displaced joint stands, in the convention of the format; rounding never takes it out of its limits. */
export function positionAfter(joint: Joint, displacement: number): number {
  const after = joint.position + displacement;
  const { limits } = joint;
  if (limits === undefined || isOutside(joint)) return after;
  return Math.min(Math.max(after, limits[0]), limits[1]);
}

/** X_WB of a body after the joints that displace it: exp(xi_1 q_1) ... exp(xi_n q_n) X_WB. The same object if none does. */
export function carriedByJoints(scene: Scene, body: BodyId, X_WB: Pose, displacements: Displacements): Pose {
  if (displacements.length === 0) return X_WB;
  return freeJoints(scene)
    .filter(({ id, moves }) => (displacements[id] ?? 0) !== 0 && moves.includes(body))
    .reduceRight((pose, joint) => carriedByJoint(joint, displacements[joint.id] as number, pose), X_WB);
}

/** The free joints that moved, and those driven by them. */
export function jointMoves(scene: Scene, displacements: Displacements): JointMove[] {
  return freeJoints(scene)
    .filter(({ id }) => (displacements[id] ?? 0) !== 0)
    .map((joint) => {
      const after = positionAfter(joint, displacements[joint.id] as number);
      return { jointId: joint.id, name: joint.name, before: joint.position, after };
    });
}

/** The free joints as the native core reads them, J of them. */
export interface PackedJoints {
  /** J: 1 hinge, 0 slide; 3J axes; 3J anchors [m] */
  readonly jointHinge: Uint8Array;
  readonly jointAxis: Float64Array;
  readonly jointAnchor: Float64Array;
  /** 2J: least and largest displacement [rad], [m] */
  readonly jointRange: Float64Array;
  /** J: index of the packed joint that drives it, or -1; J: its displacement = ratio x that one's */
  readonly jointLeader: Int32Array;
  readonly jointRatio: Float64Array;
  /** J+1 offsets in bodies, then the bodies each joint displaces */
  readonly jointBodyStart: Int32Array;
  readonly jointBodies: Int32Array;
}

export function packJoints(scene: Scene): PackedJoints {
  const joints = freeJoints(scene);
  const indexOf = new Map<JointId, number>(joints.map(({ id }, index) => [id, index]));
  const starts = new Int32Array(joints.length + 1);
  joints.forEach(({ moves }, j) => {
    starts[j + 1] = (starts[j] as number) + moves.length;
  });
  return {
    jointHinge: Uint8Array.from(joints, ({ type }) => (type === 'hinge' ? 1 : 0)),
    jointAxis: Float64Array.from(joints.flatMap(({ axis }) => axis)),
    jointAnchor: Float64Array.from(joints.flatMap(({ anchor }) => anchor)),
    jointRange: Float64Array.from(joints.flatMap((joint) => rangeOf(scene, joint))),
    jointLeader: Int32Array.from(joints, ({ follows }) => (follows === undefined ? -1 : (indexOf.get(follows.joint) ?? -1))),
    jointRatio: Float64Array.from(joints, ({ follows }) => follows?.ratio ?? 1),
    jointBodyStart: starts,
    jointBodies: Int32Array.from(joints.flatMap(({ moves }) => moves)),
  };
}

/** What the native core found, by joint id; followers by their ratio, exactly. */
export function unpackDisplacements(scene: Scene, packed: Float64Array): Displacements {
  const displacements = new Array<number>(scene.joints?.length ?? 0).fill(0);
  const joints = freeJoints(scene);
  joints.forEach(({ id }, index) => {
    displacements[id] = packed[index] as number;
  });
  for (const { id, follows } of joints) {
    if (follows !== undefined) displacements[id] = follows.ratio * (displacements[follows.joint] as number);
  }
  return displacements;
}
