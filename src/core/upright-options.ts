/** The `upright` option of a solve. */
import { S4rError } from './errors.js';
import { checkOptions, listOf, type OptionRule, type OptionRules } from './option-rules.js';
import { unitVector } from './pose-math.js';
import type { Vec3 } from './scene.js';

/** `stable`, `file`, or the axis of the body [x, y, z], of any length, that has to point up. */
export type StandMode = 'stable' | 'file' | Vec3;

export interface UprightOptions {
  /**
   * Names or patterns of the fixed geoms or bodies whose level tops are stood on. Default: every level top of the scene: half-spaces,
   * boxes, cylinders, and meshes that are flat at their highest. A unit stands on the highest one that is under its centre.
   */
  readonly supports?: readonly string[];
  /** Instead: all stand on the plane up . x = height [m], whether there is something or not. */
  readonly height?: number;
  /**
   * What upright means. `stable`, the default: the resting pose nearest to the orientation in the scene, on a face of the hull with
   * the centre of mass above it at uniform density. `file`: the body's own axis that `up` is with the body unturned, for meshes
   * modelled upright. Or one of these, or an axis [x, y, z] of the body, by name or pattern; the first entry that matches holds.
   */
  readonly stand?: 'stable' | 'file' | Readonly<Record<string, StandMode>>;
}

const isMode = (value: unknown): boolean => value === 'stable' || value === 'file';

const isAxis = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && value.every(Number.isFinite) && unitVector(value as unknown as Vec3) !== undefined;

const RULES: OptionRules<UprightOptions> = {
  supports: listOf('a list of names of geoms or bodies, not empty', (items) => {
    return items.length > 0 && items.every((item) => typeof item === 'string' && item !== '');
  }),
  height: { expected: 'a finite number [m]', accepts: Number.isFinite },
  stand: {
    expected: "'stable', 'file', or an object of body names and 'stable', 'file' or an axis of the body such as [0, 0, 1]",
    accepts: (value) =>
      isMode(value) ||
      (typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.entries(value).every(([name, mode]) => name !== '' && (isMode(mode) || isAxis(mode)))),
  },
};

/** Checked on its own, with longer names. */
export const UPRIGHT_RULE: OptionRule = {
  expected: 'true, false or an object',
  accepts: (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
};

/** Undefined if nothing has to stand. @throws S4rError INVALID_OPTION */
export function resolveUpright(given: boolean | UprightOptions | undefined): UprightOptions | undefined {
  if (given === undefined || given === false) return undefined;
  const checked = checkOptions<UprightOptions>(given === true ? {} : given, RULES, 'upright.');
  if (checked.supports !== undefined && checked.height !== undefined) {
    throw new S4rError('INVALID_OPTION', 'option upright: supports and height say the same thing in two ways; give one of them');
  }
  return checked;
}
