/** Seeded damage to files: the same seed makes the same files. */
import { randomSource } from '../scenes/random.js';

/** A valid scene to be damaged. */
export interface Seed {
  /** Contents by path, relative to a folder of their own. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The file that is read. */
  readonly main: string;
  /** The file that is damaged most of the time. Default: the main one. */
  readonly damaged?: string;
  /** Pieces that may be deleted, doubled or swapped: elements, attributes, lines. */
  readonly pieces: readonly RegExp[];
  /** Values, which may be swapped without harm to the grammar. */
  readonly values: RegExp;
  /** Whole files instead of the damaged one: loops, monsters and whatever else damage at random would hardly make. */
  readonly special: Readonly<Record<string, string | Uint8Array>>;
}

/** Tags, attributes, and elements whole. */
export const XML_PIECES: readonly RegExp[] = [/<[^>]+>/g, /\s[\w:]+="[^"]*"/g, /<(\w+)[^>]*>[\s\S]*?<\/\1>/g];
export const XML_VALUES = /(?<==")[^"]*(?=")/g;

export interface Mutant {
  /** What was done, enough to find it again. */
  readonly name: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly main: string;
}

type Random = () => number;
type Damage = (bytes: Buffer, seed: Seed, random: Random) => Buffer | string;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const at = (random: Random, bytes: Buffer) => Math.floor(random() * (bytes.length + 1));
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Instead of a number. */
const NUMBERS = [
  'nan',
  'NaN',
  'inf',
  '-Infinity',
  '1e400',
  '-1e400',
  '1e308',
  '1e-400',
  '-1',
  '0',
  '',
  'abc',
  '0x1F',
  '1,5',
  '1e',
  '--1',
  '.',
  '1.2.3',
  '9'.repeat(40),
  '4294967297',
  '2147483648',
  '-2147483649',
  '1 2 3 4 5 6 7 8 9',
  '1e9',
  '1000000000',
  '\u0000',
  '9'.repeat(1_000_000),
];

/** Instead of binary numbers. */
const FLOATS = [Number.NaN, Infinity, -Infinity, 0, -1, 1e30, 1e-30, 1e300];

const NUMBER = /[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/g;

function splice(bytes: Buffer, start: number, end: number, text: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, start), text, bytes.subarray(end)]);
}

function matches(bytes: Buffer, pattern: RegExp): { start: number; end: number }[] {
  return [...bytes.toString('latin1').matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

type Change = (bytes: Buffer, a: Span, b: Span, random: Random) => Buffer;

/** Change a piece of the text, or bits if it has none. */
const onPiece = (change: Change) => onSpans(change, ({ pieces }, random) => pick(random, pieces));

const onValue = (change: Change) => onSpans(change, ({ values }) => values);

function onSpans(change: Change, pattern: (seed: Seed, random: Random) => RegExp): Damage {
  return (bytes, seed, random) => {
    const spans = matches(bytes, pattern(seed, random));
    if (spans.length === 0) return flipBits(bytes, random);
    return change(bytes, pick(random, spans), pick(random, spans), random);
  };
}
type Span = { readonly start: number; readonly end: number };

function flipBits(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  const count = 1 + Math.floor(random() * 16);
  for (let i = 0; i < count && changed.length > 0; i++) {
    const where = Math.floor(random() * changed.length);
    changed[where] = (changed[where] as number) ^ (1 << Math.floor(random() * 8));
  }
  return changed;
}

function overwritten(bytes: Buffer, random: Random, value: () => number): Buffer {
  const changed = Buffer.from(bytes);
  const start = Math.floor(random() * changed.length);
  const end = Math.min(changed.length, start + 1 + Math.floor(random() * 64));
  for (let i = start; i < end; i++) changed[i] = value();
  return changed;
}

const REPLACE_VALUE = onValue((bytes, from, to) => splice(bytes, to.start, to.end, bytes.subarray(from.start, from.end)));

const DAMAGE: Readonly<Record<string, Damage>> = {
  'cut off': (bytes, _, random) => bytes.subarray(0, at(random, bytes)),
  'beginning lost': (bytes, _, random) => bytes.subarray(at(random, bytes)),
  'middle lost': (bytes, _, random) => {
    const [a, b] = [at(random, bytes), at(random, bytes)].sort((x, y) => x - y) as [number, number];
    return splice(bytes, a, Math.min(b, a + 200), Buffer.alloc(0));
  },
  'number replaced': (bytes, _, random) => {
    const spans = matches(bytes, NUMBER);
    if (spans.length === 0) return flipBits(bytes, random);
    const { start, end } = pick(random, spans);
    return splice(bytes, start, end, latin1(pick(random, NUMBERS)));
  },
  'number deleted': (bytes, _, random) => {
    const spans = matches(bytes, NUMBER);
    if (spans.length === 0) return flipBits(bytes, random);
    const { start, end } = pick(random, spans);
    return splice(bytes, start, end, latin1(''));
  },
  'all numbers replaced': (bytes, _, random) => latin1(bytes.toString('latin1').replace(NUMBER, pick(random, NUMBERS.slice(0, -1)))),
  'piece deleted': onPiece((bytes, { start, end }) => splice(bytes, start, end, Buffer.alloc(0))),
  'piece doubled': onPiece((bytes, { start, end }) => splice(bytes, end, end, bytes.subarray(start, end))),
  'piece repeated': onPiece((bytes, { start, end }, _, random) =>
    splice(bytes, end, end, latin1(bytes.toString('latin1', start, end).repeat(pick(random, [10, 200, 3000])))),
  ),
  'piece moved': onPiece((bytes, from, to) => splice(bytes, to.start, to.start, bytes.subarray(from.start, from.end))),
  'piece replaced': onPiece((bytes, from, to) => splice(bytes, to.start, to.end, bytes.subarray(from.start, from.end))),
  'value replaced': REPLACE_VALUE,
  'value made a number': onValue((bytes, { start, end }, _, random) => splice(bytes, start, end, latin1(pick(random, NUMBERS)))),
  'value shortened': onValue((bytes, { start, end }) => splice(bytes, start, start + (end - start) / 2, Buffer.alloc(0))),
  'value doubled': onValue((bytes, { start, end }) => splice(bytes, end, end, latin1(` ${bytes.toString('latin1', start, end)}`))),
  'values replaced': (bytes, seed, random) => {
    let changed = bytes;
    for (let i = 0; i < 3; i++) changed = REPLACE_VALUE(changed, seed, random) as Buffer;
    return changed;
  },
  'word replaced': (bytes, _, random) => {
    const words = matches(bytes, /[A-Za-z_][\w.]*/g);
    if (words.length === 0) return flipBits(bytes, random);
    const [from, to] = [pick(random, words), pick(random, words)];
    return splice(bytes, to.start, to.end, bytes.subarray(from.start, from.end));
  },
  'word deleted': (bytes, _, random) => {
    const words = matches(bytes, /[A-Za-z_][\w.]*/g);
    if (words.length === 0) return flipBits(bytes, random);
    const { start, end } = pick(random, words);
    return splice(bytes, start, end, Buffer.alloc(0));
  },
  'sign deleted': (bytes, _, random) => {
    const signs = matches(bytes, /[^\w\s.]/g);
    if (signs.length === 0) return flipBits(bytes, random);
    const { start, end } = pick(random, signs);
    return splice(bytes, start, end, Buffer.alloc(0));
  },
  'numbers overwritten': (bytes, _, random) => {
    const changed = Buffer.from(bytes);
    if (changed.length < 16) return flipBits(changed, random);
    const [where, value] = [4 * Math.floor((random() * (changed.length - 8)) / 4), pick(random, FLOATS)];
    if (random() < 0.5) changed.writeFloatLE(value, where);
    else changed.writeDoubleLE(value, where);
    return changed;
  },
  'counts overwritten': (bytes, _, random) => {
    const changed = Buffer.from(bytes);
    if (changed.length < 16) return flipBits(changed, random);
    const where = Math.floor(random() * (changed.length - 4));
    changed.writeUInt32LE(pick(random, [0, 1, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 1e6, 1e9]), where);
    return changed;
  },
  'noise inside': (bytes, _, random) => overwritten(bytes, random, () => Math.floor(random() * 256)),
  'zeros inside': (bytes, _, random) => overwritten(bytes, random, () => 0),
  'bits flipped': (bytes, _, random) => flipBits(bytes, random),
  'noise alone': (bytes, _, random) => Buffer.from(Array.from(bytes, () => Math.floor(random() * 256))),
  'noise after': (bytes, _, random) => Buffer.concat([bytes, Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256)))]),
  'in another encoding': (bytes, _, random) => {
    const text = bytes.toString('utf8');
    return pick(random, [
      () => Buffer.from(`\ufeff${text}`, 'utf16le'),
      () => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      () => Buffer.from(text, 'utf16le'),
      () => Buffer.from(`\ufeff${text}`, 'utf8'),
      () => Buffer.from(text.replaceAll('a', '\u00e4'), 'latin1'),
      () => Buffer.from(text.replaceAll(' ', '\u00a0'), 'utf8'),
      () => Buffer.from(text.replaceAll('\n', '\r'), 'utf8'),
    ])();
  },
};

/** `count` damaged copies: the special ones first, then each kind of damage in turn, to the main file or, now and then, another one. */
export function mutants(seeds: readonly Seed[], count: number, start: number): Mutant[] {
  const random = randomSource(start);
  const special = seeds.flatMap((seed) =>
    Object.entries(seed.special).map(
      ([name, content]): Mutant => ({
        name,
        main: seed.main,
        files: { ...seed.files, [seed.damaged ?? seed.main]: Buffer.from(content) },
      }),
    ),
  );
  const kinds = Object.entries(DAMAGE);
  const made = Array.from({ length: Math.max(0, count - special.length) }, (_, i): Mutant => {
    const seed = seeds[i % seeds.length] as Seed;
    const [kind, damage] = kinds[Math.floor(i / seeds.length) % kinds.length] as [string, Damage];
    const file = random() < 0.8 ? (seed.damaged ?? seed.main) : pick(random, Object.keys(seed.files));
    const content = damage(Buffer.from(seed.files[file] as Uint8Array), seed, random);
    return { name: `${i}: ${file}, ${kind}`, main: seed.main, files: { ...seed.files, [file]: Buffer.from(content) } };
  });
  return [...special, ...made];
}

/** The first seed as it is. */
export function undamaged([seed]: readonly Seed[]): Mutant {
  return { ...(seed as Seed), name: 'undamaged' };
}
