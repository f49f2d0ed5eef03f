/** Arithmetic of poses and unit quaternions, w first. */
import type { Joint, Pose, Quat, Vec3 } from './scene.js';

export const ORIGIN: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };

/** Unit quaternion; input that already is unit to rounding keeps its bits. */
export function normalizeQuat(q: Quat): Quat {
  const norm = Math.hypot(...q);
  return Math.abs(norm - 1) <= 4e-16 ? q : [q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm];
}

/** Rotate v by q. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export function multiplyQuat(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** a + factor b. */
export function addScaled(a: Vec3, b: Vec3, factor: number): Vec3 {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
}

export function scaled(v: Vec3, factor: number): Vec3 {
  return addScaled([0, 0, 0], v, factor);
}

/** The direction of v; undefined if it is too short to have one. */
export function unitVector(v: Vec3): Vec3 | undefined {
  const length = Math.hypot(...v);
  return length > 1e-14 ? [v[0] / length, v[1] / length, v[2] / length] : undefined;
}

/** Angle between two directions [rad], in 0..pi; exact near both ends. */
export function angleOfVectors(a: Vec3, b: Vec3): number {
  return Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
}

/** The smallest rotation that takes the direction of a to that of b, both unit. */
export function quatBetween(a: Vec3, b: Vec3): Quat {
  const angle = angleOfVectors(a, b);
  const other: Vec3 = Math.abs(a[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  return quatFromAxisAngle(cross(a, b), angle) ?? (angle < 1 ? [1, 0, 0, 0] : (quatFromAxisAngle(cross(a, other), Math.PI) as Quat));
}

/** Where a point of B lies in A. */
export function transform(ab: Pose, point: Vec3): Vec3 {
  return addScaled(ab.position, rotate(ab.quaternion, point), 1);
}

export function conjugate(q: Quat): Quat {
  return [q[0], -q[1], -q[2], -q[3]];
}

/** X_AC = X_AB X_BC. */
export function compose(ab: Pose, bc: Pose): Pose {
  const r = rotate(ab.quaternion, bc.position);
  return {
    position: [ab.position[0] + r[0], ab.position[1] + r[1], ab.position[2] + r[2]],
    quaternion: normalizeQuat(multiplyQuat(ab.quaternion, bc.quaternion)),
  };
}

/** X_BA from X_AB. */
export function invert(ab: Pose): Pose {
  const q: Quat = [ab.quaternion[0], -ab.quaternion[1], -ab.quaternion[2], -ab.quaternion[3]];
  const r = rotate(q, ab.position);
  return { position: [-r[0], -r[1], -r[2]], quaternion: q };
}

/** Angle of the rotation that takes a to b [rad], in 0..pi; exact near zero, and blind to the sign of either quaternion. */
export function angleBetween(a: Quat, b: Quat): number {
  const [w, x, y, z] = multiplyQuat([a[0], -a[1], -a[2], -a[3]], b);
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

/** Rotation by `angle` [rad] about `axis`, which need not be unit; undefined if it is too short to have a direction. */
export function quatFromAxisAngle(axis: Vec3, angle: number): Quat | undefined {
  const length = Math.hypot(...axis);
  if (!(length > 1e-14)) return undefined;
  const s = Math.sin(angle / 2) / length;
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}

/** Rotation by the length of `v` [rad] about its direction: the exponential map. */
export function quatFromRotationVector(v: Vec3): Quat {
  return quatFromAxisAngle(v, Math.hypot(...v)) ?? [1, 0, 0, 0];
}

/** exp(xi q) X: the pose after a joint, with twist xi in the frame of the pose, has displaced it by q [rad], [m]. */
export function carriedByJoint(
  { type, axis, anchor }: Pick<Joint, 'type' | 'axis' | 'anchor'>,
  displacement: number,
  { position, quaternion }: Pose,
): Pose {
  if (type === 'slide') return { position: addScaled(position, axis, displacement), quaternion };
  const turn = quatFromRotationVector(scaled(axis, displacement));
  const arm = rotate(turn, subtract(position, anchor));
  return { position: addScaled(anchor, arm, 1), quaternion: normalizeQuat(multiplyQuat(turn, quaternion)) };
}
