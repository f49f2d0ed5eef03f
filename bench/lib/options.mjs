// Command lines of the benches: comma-separated lists, checked; anything unknown is bad usage.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BenchExit } from './exit.mjs';
import { METHODS } from './methods.mjs';
import { POOLS } from './pools.mjs';

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));

export const METHOD_NAMES = Object.keys(METHODS);

/** The methods of `main`. */
export const MAIN = ['reference', 'reference-literal', 'default', 'quick'];

/** One method for each profile; the literal pad is for `main`, the others for benches of their own, and on demand. */
export const PROFILES = ['reference', 'default', 'quick'];

/** Each reader turns the text of an option into its value, or throws what it expected. */
export const wholeNumbers = (value, low = 1) => listOf(value, `whole numbers from ${low}`, (item) => Number.isInteger(item) && item >= low);

export const positives = (value) => listOf(value, 'numbers above 0', (item) => item > 0 && item < Infinity);

export const positive = (value) => ({ value, read: single(positives([]).read, 'one number above 0') });

export function namesOf(value, known) {
  const read = (text) => {
    const names = text.split(',');
    const wrong = names.find((name) => !known.includes(name));
    if (wrong !== undefined) throw new Error(`'${wrong}' is none of ${known.join(', ')}`);
    return names;
  };
  return { value, read };
}

function listOf(value, expected, accepts) {
  const read = (text) => {
    const items = text.split(',').map((item) => (item.trim() === '' ? Number.NaN : Number(item)));
    if (!items.every(accepts)) throw new Error(`expected ${expected}, separated by commas`);
    return items;
  };
  return { value, read };
}

/** The reader of a list as that of a list of one. */
function single(read, expected) {
  return (text) => {
    const [item, ...more] = read(text);
    if (more.length > 0) throw new Error(`expected ${expected}`);
    return item;
  };
}

/** What every bench takes; a bench may change the defaults, add its own, and drop some (`undefined`). */
const COMMON = {
  n: wholeNumbers([]),
  seeds: wholeNumbers([42, 123, 456], 0),
  pool: namesOf(['household'], POOLS),
  profiles: namesOf(MAIN, METHOD_NAMES),
  threads: {
    value: 1,
    read: single(wholeNumbers([], 0).read, 'one whole number (0: one per core)'),
  },
  out: { value: RESULTS, read: (text) => text },
};

/**
 * Values of all options of a bench, plus `json` and `given`, the names that stood on the command line.
 * @throws BenchExit 2
 */
export function benchOptions(bench, own = {}, args = process.argv.slice(2)) {
  const options = Object.fromEntries(Object.entries({ ...COMMON, ...own }).filter(([, option]) => option !== undefined));
  const flags = Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' }]));
  try {
    const { values } = parseArgs({ args, options: { ...flags, json: { type: 'boolean', default: false } } });
    const result = { json: values.json, given: Object.keys(values) };
    for (const [name, { value, read }] of Object.entries(options)) {
      result[name] = values[name] === undefined ? value : reading(name, read, values[name]);
    }
    return result;
  } catch (error) {
    throw new BenchExit(2, `${error.message}\n${usage(bench, options)}`);
  }
}

function reading(name, read, text) {
  try {
    return read(text);
  } catch (error) {
    throw new Error(`--${name} ${text}: ${error.message}`);
  }
}

function usage(bench, options) {
  const parts = Object.entries(options).map(([name, { value }]) => {
    const hint = name === 'out' ? 'FOLDER' : String(value) || '...';
    return `[--${name} ${hint}]`;
  });
  return `usage: npm run bench -- ${bench} [--json] ${parts.join(' ')}`;
}
