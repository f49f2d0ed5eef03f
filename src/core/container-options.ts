/** The `container` option of a solve. */
import { MAX_SIDES } from './geometry/polytope.js';
import type { OptionRule } from './option-rules.js';
import { unitVector } from './pose-math.js';
import type { Vec3 } from './scene.js';

/**
 * What holds bodies in: the name or pattern of fixed bodies or geoms, of which the convex hull; the space that lies behind every plane,
 * normal . x <= offset [m], the normal outward and of any length; or the box of the world between two corners [m].
 */
export type ContainerOption =
  | string
  | { readonly planes: readonly { readonly normal: Vec3; readonly offset: number }[] }
  | { readonly low: Vec3; readonly high: Vec3 };

const isVector = (value: unknown): value is Vec3 => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

const isPlane = (value: unknown): boolean => {
  const plane = value as { normal?: unknown; offset?: unknown } | null;
  return isVector(plane?.normal) && unitVector(plane.normal) !== undefined && Number.isFinite(plane.offset);
};

export const CONTAINER_RULE: OptionRule = {
  expected:
    'a name, { low: [x, y, z], high: [x, y, z] } with low < high, ' +
    `or { planes: [{ normal: [x, y, z], offset }, ...] } with 1 to ${MAX_SIDES} planes`,
  accepts: (value) => {
    if (typeof value === 'string') return value !== '';
    const { low, high, planes } = (value ?? {}) as { low?: unknown; high?: unknown; planes?: unknown };
    if (Array.isArray(planes)) {
      return low === undefined && high === undefined && planes.length > 0 && planes.length <= MAX_SIDES && planes.every(isPlane);
    }
    return planes === undefined && isVector(low) && isVector(high) && low.every((lower, k) => lower < (high[k] as number));
  },
};
