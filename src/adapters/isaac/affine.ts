/** Affine maps as 12 numbers, the rows of [A | t]; they act on column vectors: p -> A p + t. */
import { S4rError } from '../../core/errors.js';
import type { Pose, Quat, Vec3 } from '../../core/scene.js';
import { quatFromXYAxes } from '../conventions.js';

export type Affine = readonly number[];

export const IDENTITY: Affine = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** First b, then a. */
export function multiply(a: Affine, b: Affine): Affine {
  const out = new Array<number>(12);
  for (let row = 0; row < 12; row += 4) {
    const [x, y, z, w] = [a[row], a[row + 1], a[row + 2], a[row + 3]] as [number, number, number, number];
    for (let col = 0; col < 4; col++) {
      out[row + col] = x * (b[col] as number) + y * (b[4 + col] as number) + z * (b[8 + col] as number) + (col === 3 ? w : 0);
    }
  }
  return out;
}

export function determinant(a: Affine): number {
  const [[a00, a10, a20], [a01, a11, a21], [a02, a12, a22]] = [column(a, 0), column(a, 1), column(a, 2)];
  return a00 * (a11 * a22 - a12 * a21) - a01 * (a10 * a22 - a12 * a20) + a02 * (a10 * a21 - a11 * a20);
}

/** Undefined if it is singular. */
export function inverse(a: Affine): Affine | undefined {
  const det = determinant(a);
  if (!(Math.abs(det) > 0) || !Number.isFinite(det)) return undefined;
  const linear = cofactors(a).map((value) => value / det);
  // The inverse is the transpose of the cofactors over the determinant.
  const rows = [0, 1, 2].map((row): Vec3 => [linear[row] as number, linear[3 + row] as number, linear[6 + row] as number]);
  const t = column(a, 3);
  return rows.flatMap((row) => [...row, -(row[0] * t[0] + row[1] * t[1] + row[2] * t[2])]);
}

export function column(a: Affine, k: number): Vec3 {
  return [a[k] as number, a[4 + k] as number, a[8 + k] as number];
}

export function apply(a: Affine, [x, y, z]: Vec3): Vec3 {
  const row = (r: number) => (a[r] as number) * x + (a[r + 1] as number) * y + (a[r + 2] as number) * z + (a[r + 3] as number);
  return [row(0), row(4), row(8)];
}

export function affineOf({ position: p, quaternion: [w, x, y, z] }: Pose): Affine {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    p[0],
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    p[1],
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
    p[2],
  ];
}

export function translation([x, y, z]: Vec3): Affine {
  return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
}

export function scaling([x, y, z]: Vec3): Affine {
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];
}

/** The rotation nearest to the linear part, mirrored first if that mirrors: what remains of it without scale and shear. */
export function rotationOf(a: Affine): Quat {
  const sign = determinant(a) < 0 ? -1 : 1;
  let m = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => sign * (a[4 * row + col] as number)));
  // Newton's iteration for the polar decomposition: X <- (X + X^-T) / 2 (Higham 1986), scaled by the determinant.
  for (let i = 0; i < 100; i++) {
    const affine = [0, 1, 2].flatMap((row) => [...m.slice(3 * row, 3 * row + 3), 0]);
    const det = determinant(affine);
    const scale = Math.abs(det) ** (-1 / 3);
    const next = cofactors(affine).map((value, k) => (scale * (m[k] as number) + value / (det * scale)) / 2);
    const change = Math.max(...next.map((value, k) => Math.abs(value - (m[k] as number))));
    m = next;
    if (change < 1e-15) break;
  }
  const quaternion = quatFromXYAxes([m[0], m[3], m[6]] as unknown as Vec3, [m[1], m[4], m[7]] as unknown as Vec3);
  if (quaternion === undefined) throw new S4rError('INVALID_INPUT', 'a transform is singular');
  return quaternion;
}

/** Cofactors of the linear part, row by row. */
function cofactors(a: Affine): number[] {
  const at = (row: number, col: number) => a[4 * (row % 3) + (col % 3)] as number;
  return [0, 1, 2].flatMap((r) => [0, 1, 2].map((c) => at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1)));
}
