/** Numbers in attribute values. */
import { S4rError } from '../../core/errors.js';
import { type MjcfDocument, placeOf } from './document.js';
import { descendants, type MjcfTree } from './tree.js';
import type { XmlAttribute } from './xml.js';

/** One number of an attribute and its offsets in the file. */
export interface NumberToken {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** The numbers of an attribute; NaN where a token is no decimal number. */
export function numberTokens(document: MjcfDocument, { valueStart, valueEnd }: XmlAttribute): NumberToken[] {
  const raw = document.text.slice(valueStart, valueEnd);
  return [...raw.matchAll(/\S+/g)].map((token) => {
    const start = valueStart + token.index;
    return { value: Number(token[0]), start, end: start + token[0].length };
  });
}

/** Shortest text that reads back as the same double. */
export function formatNumber(value: number): string {
  return String(value);
}

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
const NOT_FINITE = /(?:^|\s)[+-]?(?:nan|inf|infinity)(?:\([^)]*\))?(?=\s|$)/i;

/**
 * Refuse NaN and infinite poses and sizes, which MuJoCo accepts in silence and resets to something else later.
 * @throws S4rError INVALID_INPUT with file, line and element
 */
export function assertFiniteNumbers(tree: MjcfTree): void {
  for (const { element, document } of descendants(tree)) {
    for (const { name, value } of element.attributes) {
      const token = POSE_AND_SIZE.has(name) ? NOT_FINITE.exec(value)?.[0].trim() : undefined;
      if (token === undefined) continue;
      throw new S4rError('INVALID_INPUT', `${name} must be finite, got ${token}`, placeOf(document, element));
    }
  }
}
