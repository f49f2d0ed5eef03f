/** Numbers of transform operations: rounded to their type, and as text. */

import type { Quat } from '../../core/scene.js';
import { angleBetween, degrees } from '../conventions.js';
import { nearest } from '../poses.js';
import type { Affine } from './affine.js';
import { rounded } from './usd/usda-values.js';
import { orientOf } from './usd/xform.js';

/** The numbers as an attribute of the type holds them. */
export function narrowed(numbers: readonly number[], typeName: string): readonly number[] {
  return rounded(numbers, typeName) as readonly number[];
}

/**
 * A quaternion for `orient`. USD takes the angle from w alone, so near the identity a float w is coarse (7e-4 rad): of the
 * neighbours of w the one with the nearest angle is taken.
 */
export function orientNumbers(quaternion: Quat, typeName: string): readonly number[] {
  const q = nearest(quaternion, [1, 0, 0, 0]);
  if (typeName === 'quatd') return q;
  const step = typeName === 'quatf' ? 2 ** -24 : 2 ** -11;
  const candidates = [-1, 0, 1].map((k) => narrowed([q[0] + k * step, q[1], q[2], q[3]], typeName) as unknown as Quat);
  const error = (candidate: Quat) => angleBetween(orientOf(candidate), q);
  return candidates.reduce((best, candidate) => (error(candidate) < error(best) ? candidate : best));
}

/** Angles about x, y and z [deg] of a rotation that turns about the axes of `order`, `XYZ`: x first. */
export function eulerDegrees(rotation: Affine, order: string): readonly number[] {
  const [i, j, k] = order.split('').map((letter) => 'XYZ'.indexOf(letter)) as [number, number, number];
  const at = (row: number, column: number) => rotation[4 * row + column] as number;
  // R = R_k R_j R_i; the sign is that of the permutation.
  const sign = (j - i + 3) % 3 === 1 ? 1 : -1;
  const middle = Math.asin(Math.max(-1, Math.min(1, -sign * at(k, i))));
  const angles: [number, number, number] = [0, 0, 0];
  angles[j] = middle;
  if (Math.abs(at(k, i)) < 1 - 1e-12) {
    angles[i] = Math.atan2(sign * at(k, j), at(k, k));
    angles[k] = Math.atan2(sign * at(j, i), at(i, i));
  } else {
    // Both outer axes turn about the same line: the last one need not.
    angles[i] = Math.atan2(-sign * at(j, k), at(j, j));
  }
  return angles.map(degrees);
}

/** A value in USDA; undefined is none. */
export function formatValue(numbers: readonly number[] | undefined, typeName: string): string {
  if (numbers === undefined) return 'None';
  const text = numbers.map((value) => formatNumber(value, /^(float|quatf|half|quath)|\df$|\dh$/.test(typeName)));
  if (typeName !== 'matrix4d') return text.length === 1 ? (text[0] as string) : `(${text.join(', ')})`;
  return `( ${[0, 4, 8, 12].map((at) => `(${text.slice(at, at + 4).join(', ')})`).join(', ')} )`;
}

/** Shortest text that reads back as the same number, or the same float. */
function formatNumber(value: number, single: boolean): string {
  if (value === 0) return '0';
  if (!single) return String(value);
  for (let digits = 6; ; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (digits === 17 || Math.fround(Number(text)) === Math.fround(value)) return text;
  }
}
