/** Checking and comparing poses, for every adapter that writes them back. */
import { type ErrorPlace, S4rError } from '../core/errors.js';
import type { Pose, Quat } from '../core/scene.js';
import { angleBetween } from './conventions.js';

/** Turns below this [rad] are rounding: the orientation keeps its text. */
export const TURN_TOLERANCE = 1e-12;

/** Bit for bit. */
export function samePose(a: Pose, b: Pose): boolean {
  return a.position.every((value, i) => value === b.position[i]) && a.quaternion.every((value, i) => value === b.quaternion[i]);
}

/** The larger of the distance [m] and the angle [rad]. */
export function poseDistance(a: Pose, b: Pose): number {
  const distance = Math.hypot(a.position[0] - b.position[0], a.position[1] - b.position[1], a.position[2] - b.position[2]);
  return Math.max(distance, angleBetween(a.quaternion, b.quaternion));
}

/** Of the two quaternions of one rotation, the one nearer to `reference`. */
export function nearest(q: Quat, reference: Quat): Quat {
  const dot = q[0] * reference[0] + q[1] * reference[1] + q[2] * reference[2] + q[3] * reference[3];
  return dot < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}

/**
 * @param poses of a result
 * @param bodies of the scene, by id
 * @throws S4rError INVALID_SCENE unless there is a finite pose for each of them
 */
export function assertFits(poses: readonly Pose[], bodies: readonly { readonly name: string }[], place?: ErrorPlace): void {
  const refuse = (message: string) => new S4rError('INVALID_SCENE', message, place);
  if (poses.length !== bodies.length) {
    throw refuse(`the result has ${poses.length} poses, the scene ${bodies.length} bodies: they do not belong together`);
  }
  for (const [id, { position, quaternion }] of poses.entries()) {
    if (![...position, ...quaternion].every(Number.isFinite))
      throw refuse(`the result puts body '${bodies[id]?.name}' at a pose that is not finite`);
  }
}
