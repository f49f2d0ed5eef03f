/** Numbers in attribute values. */
import type { XmlDocument } from './document.js';
import { decodeValue, type XmlAttribute } from './xml.js';

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
