/** Checks of single fields of a scene. Each throws INVALID_SCENE with the path of the field, what it must be and what came. */
import { S4rError } from './errors.js';
import type { Pose } from './scene.js';
import { describeValue } from './text.js';

/** How far the norm of a unit vector or quaternion may be from 1. */
const UNIT_TOLERANCE = 1e-6;
const UINT32_MAX = 0xffffffff;

/** Path of the item under test, such as "geom 'mug/wall' (geoms[12])"; a function, so that valid scenes build no text. */
export type Path = () => string;

/** @throws S4rError INVALID_SCENE, always. `field` continues the path: `.shape.radius`. */
export function failField(at: Path, field: string, expected: string, value: unknown, note = ''): never {
  throw new S4rError('INVALID_SCENE', `${at()}${field}: expected ${expected}, got ${describeValue(value)}${note}`);
}

export function requireFinite(at: Path, field: string, value: unknown): asserts value is number {
  if (!Number.isFinite(value)) failField(at, field, 'a finite number', value);
}

export function requirePositive(at: Path, field: string, value: unknown): void {
  if (!(Number.isFinite(value) && (value as number) > 0)) failField(at, field, 'a positive number', value);
}

export function requireNonNegative(at: Path, field: string, value: unknown): void {
  if (!(Number.isFinite(value) && (value as number) >= 0)) failField(at, field, 'a number >= 0', value);
}

export function requireUint32(at: Path, field: string, value: unknown): void {
  if (!(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= UINT32_MAX)) {
    failField(at, field, `an unsigned 32-bit integer`, value);
  }
}

/** A valid index into an array of `count` items. */
export function requireIndex(at: Path, field: string, value: unknown, count: number, items: string): void {
  if (!(Number.isInteger(value) && (value as number) >= 0 && (value as number) < count)) {
    failField(at, field, `an index into ${items} (${count === 0 ? 'there are none' : `0..${count - 1}`})`, value);
  }
}

export function requireOneOf(at: Path, field: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string)) failField(at, field, allowed.map((a) => `'${a}'`).join(' or '), value);
}

export function requireObject(at: Path, field: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) failField(at, field, 'an object', value);
}

export function requireArray(at: Path, field: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) failField(at, field, 'an array', value);
}

/** `count` finite numbers. */
export function requireNumbers(at: Path, field: string, value: unknown, count: number, meaning: string): void {
  if (!Array.isArray(value) || value.length !== count) failField(at, field, meaning, value);
  for (let i = 0; i < count; i++) if (!Number.isFinite(value[i])) failField(at, `${field}[${i}]`, 'a finite number', value[i]);
}

export function requirePositives(at: Path, field: string, value: unknown, count: number, meaning: string): void {
  requireNumbers(at, field, value, count, meaning);
  for (let i = 0; i < count; i++) requirePositive(at, `${field}[${i}]`, (value as number[])[i]);
}

/** A vector or quaternion of length 1 to within `UNIT_TOLERANCE`. */
export function requireUnit(at: Path, field: string, value: unknown, count: number, meaning: string): void {
  requireNumbers(at, field, value, count, meaning);
  const norm = Math.hypot(...(value as number[]));
  if (Math.abs(norm - 1) > UNIT_TOLERANCE) failField(at, field, meaning, value, ` of length ${norm}`);
}

export function requirePose(at: Path, field: string, value: unknown): asserts value is Pose {
  requireObject(at, field, value);
  const pose = value as Pose;
  requireNumbers(at, `${field}.position`, pose.position, 3, 'a position [x, y, z]');
  requireUnit(at, `${field}.quaternion`, pose.quaternion, 4, 'a unit quaternion [w, x, y, z]');
}

/** A typed array by its class name: `instanceof` would refuse arrays made in another realm (jest, vm, iframes). */
export function requireTypedArray(at: Path, field: string, value: unknown, className: 'Float64Array' | 'Int32Array'): void {
  if (Object.prototype.toString.call(value) !== `[object ${className}]`) failField(at, field, `a ${className}`, value);
}
