/** Values of USD's text encoding. */
import type { AssetArc, ListOp, UsdDictionary, UsdValue } from './layer.js';
import type { UsdaLexer } from './usda-lexer.js';

const MAX_DEPTH = 64;
const LITERALS: ReadonlyMap<string, UsdValue | null> = new Map<string, UsdValue | null>([
  ['None', null],
  ['true', true],
  ['false', false],
  ['True', true],
  ['False', false],
  ['inf', Infinity],
  ['nan', Number.NaN],
]);

/** Any value; null for `None`. Tuples and lists come flat. */
export function parseValue(lexer: UsdaLexer, depth = 0): UsdValue | null {
  const token = lexer.peek();
  if (depth > MAX_DEPTH) throw lexer.error(`values more than ${MAX_DEPTH} deep in one another`);
  if (lexer.is('(') || lexer.is('[')) return parseItems(lexer, depth);
  if (lexer.is('{')) return parseDictionary(lexer, depth);
  if (token.kind === 'number') return parseNumber(lexer);
  if (token.kind === 'string' || token.kind === 'asset' || token.kind === 'path') return lexer.next().text;
  if (token.kind !== 'name') throw lexer.unexpected('a value');
  lexer.next();
  const literal = LITERALS.get(token.text);
  return literal === undefined ? token.text : literal;
}

export function parseNumber(lexer: UsdaLexer): number {
  const { text } = lexer.take('number', 'a number');
  const magnitude = /^[+-]?(inf|nan)$/.exec(text)?.[1];
  if (magnitude === undefined) return Number(text);
  return magnitude === 'nan' ? Number.NaN : text[0] === '-' ? -Infinity : Infinity;
}

function parseItems(lexer: UsdaLexer, depth: number): UsdValue {
  const close = lexer.next().text === '(' ? ')' : ']';
  const items: (number | string | boolean)[] = [];
  while (!lexer.accept(close)) {
    const item = parseValue(lexer, depth + 1);
    // The dictionaries of a list hold nothing that is read here.
    if (Array.isArray(item)) for (const part of item) items.push(part);
    else if (item !== null && !(item instanceof Map)) items.push(item as number | string | boolean);
    if (!lexer.accept(',') && !lexer.is(close)) throw lexer.unexpected(`',' or '${close}'`);
  }
  return items as UsdValue;
}

/** `{ double a = 1; dictionary b = { ... } }`, or the `{ 0: 1 }` of maps, whose keys are then text. */
export function parseDictionary(lexer: UsdaLexer, depth = 0): UsdDictionary {
  const entries = new Map<string, UsdValue | null>();
  lexer.expect('{');
  while (!lexer.accept('}')) {
    if (lexer.accept(',') || lexer.accept(';')) continue;
    let key = lexer.next();
    if (key.kind === 'end') throw lexer.unexpected("'}'");
    if (!lexer.is('=') && !lexer.is(':')) {
      acceptBrackets(lexer);
      key = lexer.next();
    }
    if (!lexer.accept('=')) lexer.expect(':');
    entries.set(key.text, parseValue(lexer, depth + 1));
  }
  return entries;
}

/** The `[]` of an array's type. */
export function acceptBrackets(lexer: UsdaLexer): boolean {
  if (!lexer.accept('[')) return false;
  lexer.expect(']');
  return true;
}

/** The value as the type holds it: types that end in f or h, and float and half, are narrower than a number. */
export function rounded(value: UsdValue | null, typeName: string): UsdValue | null {
  const narrow = /^(?:(float|half)[234]?|quat([fh])|\w+\d([fh]))(?:\[\])?$/.exec(typeName)?.slice(1).join('');
  if (narrow === undefined) return value;
  const round = narrow.startsWith('h') ? roundToHalf : Math.fround;
  if (typeof value === 'number') return round(value);
  return Array.isArray(value) ? (value.map((item) => (typeof item === 'number' ? round(item) : item)) as UsdValue) : value;
}

/** Nearest IEEE 754 binary16. */
function roundToHalf(value: number): number {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  if (!Number.isFinite(exponent)) return value;
  const step = 2 ** (exponent - 10);
  const scaled = value / step;
  const down = Math.floor(scaled);
  const tie = scaled - down;
  const nearest = (tie > 0.5 || (tie === 0.5 && down % 2 !== 0) ? down + 1 : down) * step;
  return Math.abs(nearest) > 65504 ? Math.sign(nearest) * Infinity : nearest;
}

/** `None`, one item or a list of items. */
export function parseList<T>(lexer: UsdaLexer, item: () => T): readonly T[] {
  if (lexer.accept('None')) return [];
  if (!lexer.accept('[')) return [item()];
  const items: T[] = [];
  while (!lexer.accept(']')) {
    items.push(item());
    if (!lexer.accept(',') && !lexer.is(']')) throw lexer.unexpected("',' or ']'");
  }
  return items;
}

/** `@file@</Prim> (offset = 1)`, `@file@`, `</Prim>`. */
export function parseArc(lexer: UsdaLexer): AssetArc {
  const asset = lexer.peek().kind === 'asset' ? lexer.next().text : '';
  const path = lexer.peek().kind === 'path' ? lexer.next().text : undefined;
  if (asset === '' && path === undefined) throw lexer.unexpected('an asset path or a prim path');
  skipParentheses(lexer);
  return { asset, path: path === '' ? undefined : path };
}

export function skipParentheses(lexer: UsdaLexer): void {
  if (!lexer.accept('(')) return;
  for (let depth = 1; depth > 0; ) {
    const token = lexer.next();
    if (token.kind === 'end') throw lexer.unexpected("')'");
    if (token.kind !== 'punctuation') continue;
    depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
  }
}

export type ListEdit = 'prepend' | 'append' | 'delete' | 'add' | 'reorder';

/** The list edit that a statement starts with, if any. */
export function acceptListEdit(lexer: UsdaLexer): ListEdit | undefined {
  const found = (['prepend', 'append', 'delete', 'add', 'reorder'] as const).find((word) => lexer.is(word));
  if (found !== undefined) lexer.next();
  return found;
}

/** `add` puts what is new at the end; `reorder` changes nothing that is read here. */
export function listOpOf<T>(edit: ListEdit | undefined, items: readonly T[]): ListOp<T> {
  switch (edit) {
    case undefined:
      return { explicit: items };
    case 'prepend':
      return { prepended: items };
    case 'append':
    case 'add':
      return { appended: items };
    case 'delete':
      return { deleted: items };
    case 'reorder':
      return {};
  }
}
