/** What a result moved: floating roots and joints, and where every body of the model is then. */
import { S4rError } from '../../core/errors.js';
import { carriedByJoint } from '../../core/pose-math.js';
import type { Result } from '../../core/result.js';
import type { Pose } from '../../core/scene.js';
import { angleBetween, compose, invert } from '../conventions.js';
import { assertFits, poseDistance, samePose, TURN_TOLERANCE } from '../poses.js';
import type { MjcfSource, SourceBody, SourceJoint } from './source.js';

/** New pose of the root of a floating tree. */
export interface RootMove {
  readonly body: SourceBody;
  /** Where its 7 numbers start in qpos. */
  readonly address: number;
  readonly to: Pose;
  /** Whether the orientation changed. */
  readonly turned: boolean;
}

/** New position [rad] or [m] of a hinge or slide. */
export interface JointMove {
  readonly joint: SourceJoint;
  /** Where its number is in qpos. */
  readonly address: number;
  readonly to: number;
}

export interface Movement {
  readonly roots: readonly RootMove[];
  readonly joints: readonly JointMove[];
  /** Poses by MuJoCo id. */
  readonly expected: readonly Pose[];
}

/** How far a body may be from where root and joints take it [m, rad]; solvers round. */
const RIGID_TOLERANCE = 1e-6;

/** @throws S4rError INVALID_SCENE if `result` does not belong to the scene, or puts a body where no joint takes it */
export function movementOf(source: MjcfSource, result: Result): Movement {
  const roots = movedRoots(source, result);
  const joints = movedJoints(source, result);
  const expected = expectedPoses(source, roots, joints);
  assertReachable(source, result, expected);
  return { roots, joints, expected };
}

function movedRoots(source: MjcfSource, result: Result): RootMove[] {
  assertFits(
    result.poses,
    source.bodies.filter((body) => body.sceneId !== undefined),
  );
  const moves: RootMove[] = [];
  for (const body of source.bodies) {
    const to = body.sceneId === undefined ? undefined : result.poses[body.sceneId];
    if (to === undefined) continue;
    if (body.qposAddress === undefined || samePose(to, body.X_WB)) continue;
    moves.push({ body, address: body.qposAddress, to, turned: angleBetween(body.X_WB.quaternion, to.quaternion) > TURN_TOLERANCE });
  }
  return moves;
}

function movedJoints(source: MjcfSource, result: Result): JointMove[] {
  const moves: JointMove[] = [];
  for (const { jointId, name, after } of result.joints ?? []) {
    const joint = source.joints[jointId];
    if (joint === undefined || joint.name !== name) {
      throw new S4rError('INVALID_SCENE', `the result moves joint '${name}' (${jointId}), which the scene does not have`);
    }
    if (!Number.isFinite(after)) throw new S4rError('INVALID_SCENE', `the result puts joint '${name}' at ${after}`);
    if (after !== joint.position) moves.push({ joint, address: joint.qposAddress, to: after });
  }
  return moves;
}

/**
 * Every body goes where its root and the joints on the way to it take it: exp(xi_1 q_1) ... exp(xi_n q_n) X_WB, with twists xi in W and
 * the displacements q (product of exponentials, Lynch and Park, Modern Robotics, 4.1).
 */
function expectedPoses(source: MjcfSource, roots: readonly RootMove[], joints: readonly JointMove[]): Pose[] {
  const rootMoves = new Map(roots.map((move) => [move.body, move]));
  const byBody = new Map<number, JointMove[]>();
  for (const move of joints) byBody.set(move.joint.body, [...(byBody.get(move.joint.body) ?? []), move]);
  const paths: (readonly ((pose: Pose) => Pose)[])[] = [];
  return source.bodies.map((body, b) => {
    const root = rootMoves.get(body);
    if (root !== undefined) {
      const step = compose(root.to, invert(body.X_WB));
      paths[b] = [(pose) => compose(step, pose)];
      return root.to;
    }
    const path = [...((b === 0 ? undefined : paths[body.parent]) ?? []), ...(byBody.get(b) ?? []).map(carrierOf)];
    paths[b] = path;
    return path.reduceRight((pose, carry) => carry(pose), body.X_WB);
  });
}

function carrierOf({ joint, to }: JointMove): (pose: Pose) => Pose {
  return (pose) => carriedByJoint(joint, to - joint.position, pose);
}

function assertReachable(source: MjcfSource, result: Result, expected: readonly Pose[]): void {
  source.bodies.forEach((body, b) => {
    const pose = body.sceneId === undefined ? undefined : result.poses[body.sceneId];
    if (pose === undefined || poseDistance(pose, expected[b] as Pose) <= RIGID_TOLERANCE) return;
    const reason = body.root === b ? 'no free joint lets it move' : `it hangs on '${source.bodies[body.root]?.name}'`;
    throw new S4rError('INVALID_SCENE', `the result moves body '${body.name}' on its own, but ${reason}`);
  });
}
