/** The only place that reorders quaternions, flips axes and changes units or signs between formats and `Scene`. */
import { addScaled, cross, dot, multiplyQuat, normalizeQuat, quatFromAxisAngle, rotate, unitVector } from '../core/pose-math.js';
import type { Pose, Quat, Vec3 } from '../core/scene.js';

export { angleBetween, compose, invert, multiplyQuat, normalizeQuat, quatFromAxisAngle, rotate } from '../core/pose-math.js';

/** Read [x y z] at `offset` [m]. */
export function vec3At(a: ArrayLike<number>, offset: number): Vec3 {
  return [a[offset] as number, a[offset + 1] as number, a[offset + 2] as number];
}

/** Read a w-first quaternion at `offset` and normalise it (MuJoCo, USD). */
export function quatWxyzAt(a: ArrayLike<number>, offset: number): Quat {
  return normalizeQuat([a[offset] as number, a[offset + 1] as number, a[offset + 2] as number, a[offset + 3] as number]);
}

/** The four numbers of an x-first quaternion at `offset`, w first, as they are (crate files of USD). */
export function quatWxyzFromXyzw(a: ArrayLike<number>, offset: number): Quat {
  return [a[offset + 3] as number, a[offset] as number, a[offset + 1] as number, a[offset + 2] as number];
}

/** The four numbers of a quaternion, w last. */
export function quatXyzwFromWxyz([w, x, y, z]: Quat): readonly [number, number, number, number] {
  return [x, y, z, w];
}

/**
 * A matrix of USD, 16 numbers that act on row vectors (p M), as the upper 12 numbers, row by row, of the one that acts on
 * columns (A p).
 */
export function affineFromRowVectors(m: readonly number[]): readonly number[] {
  return [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => m[4 * column + row] as number));
}

/** The reverse of `affineFromRowVectors`. */
export function rowVectorsFromAffine(a: readonly number[]): readonly number[] {
  return [0, 1, 2, 3].flatMap((column) => [...[0, 1, 2].map((row) => a[4 * row + column] as number), column === 3 ? 1 : 0]);
}

/**
 * Rotation by three `angles` [rad] about the axes named by `sequence`, such as 'xyz' (MJCF `eulerseq`):
 * lower case turns about the rotating axes, upper case about the fixed ones.
 */
export function quatFromEuler(angles: Vec3, sequence: string): Quat {
  let q: Quat = [1, 0, 0, 0];
  for (const [i, letter] of [...sequence.slice(0, 3)].entries()) {
    const k = 'xyz'.indexOf(letter.toLowerCase());
    const axis: Vec3 = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
    const turn = quatFromAxisAngle(axis, angles[i] as number) ?? [1, 0, 0, 0];
    q = letter === letter.toLowerCase() ? multiplyQuat(q, turn) : multiplyQuat(turn, q);
  }
  return normalizeQuat(q);
}

/** Rotation whose x axis is `x` and whose y axis is `y` made orthogonal to it; undefined if they span no plane. */
export function quatFromXYAxes(x: Vec3, y: Vec3): Quat | undefined {
  const ex = unitVector(x);
  if (ex === undefined) return undefined;
  const ey = unitVector(addScaled(y, ex, -dot(ex, y)));
  if (ey === undefined) return undefined;
  return quatFromColumns(ex, ey, cross(ex, ey));
}

/** Shortest rotation that takes +z to `z`; undefined if `z` is too short to have a direction. */
export function quatFromZAxis(z: Vec3): Quat | undefined {
  const ez = unitVector(z);
  if (ez === undefined) return undefined;
  const axis = cross([0, 0, 1], ez);
  const sine = Math.hypot(...axis);
  return quatFromAxisAngle(sine < 1e-10 ? [1, 0, 0] : axis, Math.atan2(sine, ez[2]));
}

/** +90 degrees about z. */
export const QUARTER_TURN_Z: Pose = { position: [0, 0, 0], quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };

/** A vector and a quaternion as Rapier and three.js hold them. */
export interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
export interface Xyzw extends Xyz {
  readonly w: number;
}

export function vec3FromXyz({ x, y, z }: Xyz): Vec3 {
  return [x, y, z];
}

export function xyzFromVec3([x, y, z]: Vec3): Xyz {
  return { x, y, z };
}

/** Normalised. */
export function quatFromXyzw({ x, y, z, w }: Xyzw): Quat {
  return normalizeQuat([w, x, y, z]);
}

export function xyzwFromQuat([w, x, y, z]: Quat): Xyzw {
  return { x, y, z, w };
}

/**
 * Pose of a shape whose axis is z, as in `Scene`, in the frame of one whose axis is y (Rapier, three.js): x, y, z become z, x, y.
 * Of a height field, this makes rows of columns, so that heights keep their order.
 */
export const Y_AXIS: Pose = { position: [0, 0, 0], quaternion: [0.5, -0.5, -0.5, -0.5] };

/** Degrees to radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Radians to degrees. */
export function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** Unit quaternion of the rotation matrix with these columns (Shepperd's method: divide by the largest component). */
function quatFromColumns(x: Vec3, y: Vec3, z: Vec3): Quat {
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) return normalizeQuat([1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]]);
  if (x[0] > y[1] && x[0] > z[2]) return normalizeQuat([y[2] - z[1], 1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2]]);
  if (y[1] > z[2]) return normalizeQuat([z[0] - x[2], y[0] + x[1], 1 - x[0] + y[1] - z[2], z[1] + y[2]]);
  return normalizeQuat([x[1] - y[0], z[0] + x[2], z[1] + y[2], 1 - x[0] - y[1] + z[2]]);
}

/**
 * Fixed-axis roll, pitch and yaw [rad], as URDF writes them: quatFromEuler(rpy, 'XYZ') is `q`. Roll is taken from what is left after yaw, so
 * that it keeps all its digits where pitch nears a right angle.
 */
export function rpyFromQuat(q: Quat): Vec3 {
  const [x, y, z] = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  const yaw = Math.atan2(x[1], x[0]);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return [Math.atan2(s * z[0] - c * z[1], c * y[1] - s * y[0]), Math.atan2(-x[2], Math.hypot(x[0], x[1])), yaw];
}
