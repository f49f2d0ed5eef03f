/** Numbers in attribute values. */
import { S4rError } from '../../core/errors.js';
import { placeOf, type XmlDocument } from '../files/document.js';
import { decodeValue, shorten, type XmlAttribute } from '../files/xml.js';
import { descendants, type MjcfTree } from './tree.js';

/** One number of an attribute and its offsets in the file. */
export interface NumberToken {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** The numbers of an attribute; NaN where a token is no decimal number. */
export function numberTokens(document: XmlDocument, { valueStart, valueEnd }: XmlAttribute): NumberToken[] {
  const raw = document.text.slice(valueStart, valueEnd);
  // Entities may be white space or digits; blanked and decoded so that offsets stay those of the text.
  const text = raw.replace(/&#?\w+;/g, (entity) => (decodeValue(entity).trim() === '' ? ' '.repeat(entity.length) : entity));
  return [...text.matchAll(/\S+/g)].map((token) => {
    const start = valueStart + token.index;
    return { value: Number(decodeValue(token[0])), start, end: start + token[0].length };
  });
}

/** Whether an attribute holds nothing, which MuJoCo takes for its default. */
export function isBlank({ value }: XmlAttribute): boolean {
  return value.trim() === '';
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
