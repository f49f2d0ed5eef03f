/** Bounds of the numbers in attribute values. */
import { S4rError } from '../../core/errors.js';
import { placeOf } from '../files/document.js';
import { shorten } from '../files/xml.js';
import { descendants, type MjcfTree } from './tree.js';

/** Attributes that set poses and sizes. Ranges and the like may well be infinite. */
const POSE_AND_SIZE = new Set([
  'pos',
  'quat',
  'axisangle',
  'euler',
  'xyaxes',
  'zaxis',
  'fromto',
  'size',
  'offset',
  'qpos',
  'mpos',
  'mquat',
  'vertex',
  'refpos',
  'refquat',
  'scale',
  'elevation',
  'margin',
  'gravity',
]);

/** Attributes that set coordinates and angles, and the bound beyond which MuJoCo calls a state bad (mjMAXVAL). */
const BOUNDED = new Set(['pos', 'fromto', 'offset', 'euler', 'axisangle', 'size', 'qpos', 'mpos']);
const MAX_VALUE = 1e10;

const NOT_FINITE = /(?:^|\s)[+-]?(?:nan|inf|infinity)(?:\([^)]*\))?(?=\s|$)/i;

/**
 * Refuse NaN and infinite poses and sizes, and coordinates beyond 1e10: MuJoCo accepts them in silence and resets them to
 * something else later.
 * @throws S4rError INVALID_INPUT with file, line and element
 */
export function assertFiniteNumbers(tree: MjcfTree): void {
  for (const { element, document } of descendants(tree)) {
    for (const { name, value } of element.attributes) {
      const refuse = (wanted: string, token: string) =>
        new S4rError('INVALID_INPUT', `${name} must be ${wanted}, got ${shorten(token)}`, placeOf(document, element));
      const infinite = POSE_AND_SIZE.has(name) ? NOT_FINITE.exec(value)?.[0].trim() : undefined;
      if (infinite !== undefined) throw refuse('finite', infinite);
      const huge = BOUNDED.has(name) ? value.split(/\s+/).find((token) => Math.abs(Number(token)) > MAX_VALUE) : undefined;
      if (huge !== undefined) throw refuse('within +-1e10, as MuJoCo bounds it', huge);
    }
  }
}
