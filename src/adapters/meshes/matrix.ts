/** 4 x 4 matrices, row by row, acting on column vectors: how COLLADA writes transforms. */
import { rotate } from '../../core/pose-math.js';
import type { Vec3 } from '../../core/scene.js';
import { quatFromAxisAngle, radians } from '../conventions.js';

/** 16 numbers, row-major. */
export type Matrix = readonly number[];

export function multiply(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, i) => {
    const [row, col] = [4 * Math.floor(i / 4), i % 4];
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += (a[row + k] as number) * (b[4 * k + col] as number);
    return sum;
  });
}

export function translation([x = 0, y = 0, z = 0]: readonly number[]): Matrix {
  return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1];
}

export function scaling([x, y, z]: Vec3): Matrix {
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
}

/** @param turn axis, then angle [deg]; no turn if the axis has no direction */
export function rotation([x = 0, y = 0, z = 0, angle = 0]: readonly number[]): Matrix {
  const q = quatFromAxisAngle([x, y, z], radians(angle)) ?? [1, 0, 0, 0];
  const [a, b, c] = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  return [a[0], b[0], c[0], 0, a[1], b[1], c[1], 0, a[2], b[2], c[2], 0, 0, 0, 0, 1];
}

export function applyMatrix(m: Matrix, p: Vec3): Vec3 {
  const at = (row: number) =>
    (m[row] as number) * p[0] + (m[row + 1] as number) * p[1] + (m[row + 2] as number) * p[2] + (m[row + 3] as number);
  return [at(0), at(4), at(8)];
}

/** Sign of the determinant of the upper left 3 x 3 part; -1 mirrors. */
export function determinantSign(m: Matrix): number {
  const [a, b, c, , d, e, f, , g, h, i] = m as readonly number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Math.sign(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
}
