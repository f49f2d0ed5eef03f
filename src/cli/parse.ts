/** Option values from the command line, which are text. Ranges are checked by whoever uses them. */
import { InvalidArgumentError, Option } from 'commander';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export function parseNumber(text: string): number {
  if (!NUMBER.test(text)) throw new InvalidArgumentError('Expected a number.');
  return Number(text);
}

export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new InvalidArgumentError('Expected an integer.');
  return Number(text);
}

/** Comma-separated names, added to those of earlier uses of the option. */
export function parseNames(text: string, earlier: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Expected names separated by commas.');
  return [...earlier, ...names];
}

/** Name and value of `name=value`, neither empty. @param what it is to be, for the message */
export function assigned(text: string, what: string): [string, string] {
  const at = text.lastIndexOf('=');
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 0 || name === '' || value === '') throw new InvalidArgumentError(`Expected ${what}.`);
  return [name, value];
}

/** `a:b`, added to the earlier ones. */
export function parsePair(text: string, earlier: readonly (readonly [string, string])[] = []): readonly (readonly [string, string])[] {
  const [a = '', b = '', ...more] = text.split(':').map((name) => name.trim());
  if (a === '' || b === '' || more.length > 0) {
    throw new InvalidArgumentError("Expected two names with a colon between them; a name with a colon in it is written with a '*'.");
  }
  return [...earlier, [a, b]];
}

/** Options that several commands have. */
export const options = {
  key: () =>
    new Option('--key <name>', "start from this keyframe, by name or number, instead of the default state; 'all': every one in turn"),
  tolerance: () => new Option('--tolerance <m>', 'overlap up to this depth counts as touching (default: 0)').argParser(parseNumber),
  threads: () => new Option('--threads <n>', 'worker threads; results do not depend on it (default: one per core)').argParser(parseInteger),
  allow: () => new Option('--allow <a:b>', "these two may overlap; names or patterns, 'hand:cup*', repeatable").argParser(parsePair),
  freeJoints: () =>
    new Option('--free-joints <names>', "these hinges and slides may move within their limits; 'finger*,elbow', repeatable").argParser(
      parseNames,
    ),
  all: () => new Option('--all', 'list every row, and the overlaps that need no cure'),
  json: () => new Option('--json', 'print JSON on stdout instead of tables'),
  report: () => new Option('--report <file>', 'also write the JSON to this file'),
};
