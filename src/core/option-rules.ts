/** A table of rules per option name, and the check that applies it. Knows no option by itself. */
import { S4rError } from './errors.js';
import { describeValue, nearNames } from './text.js';

/** One option: what a value must be, in the words of the error message, and the test. */
export interface OptionRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const atLeastZero = (unit: string): OptionRule => ({
  expected: `a finite number >= 0${unit}`,
  accepts: (value) => isNumber(value) && value >= 0,
});

export const aboveZero = (unit: string): OptionRule => ({
  expected: `a finite number > 0${unit}`,
  accepts: (value) => isNumber(value) && value > 0,
});

export const fraction: OptionRule = {
  expected: 'a number in (0, 1]',
  accepts: (value) => isNumber(value) && value > 0 && value <= 1,
};

export const integer = (low: number, high: number, note = ''): OptionRule => ({
  expected: `an integer from ${low} to ${high}${note}`,
  accepts: (value) => Number.isInteger(value) && (value as number) >= low && (value as number) <= high,
});

export const boolean: OptionRule = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };

export const oneOf = (...values: readonly string[]): OptionRule => ({
  expected: values.map((value) => `'${value}'`).join(' or '),
  accepts: (value) => values.includes(value as string),
});

export const listOf = (expected: string, accepts: (items: readonly unknown[]) => boolean): OptionRule => ({
  expected,
  accepts: (value) => Array.isArray(value) && accepts(value),
});

/** A plain object whose every value is accepted; the names are whatever the user writes. */
export const recordOf = (expected: string, accepts: (value: unknown) => boolean): OptionRule => ({
  expected,
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, item]) => key !== '' && accepts(item)),
});

/**
 * The options that were given: those not `undefined`, which stands for the default.
 * @throws S4rError INVALID_OPTION for an unknown name or a value its rule refuses; `prefix` starts the names (`reference.`).
 */
export function checkOptions<Options extends object>(given: unknown, rules: OptionRules<Options>, prefix = ''): Partial<Options> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const what = prefix === '' ? 'options' : `option ${prefix.slice(0, -1)}`;
    throw new S4rError('INVALID_OPTION', `${what}: expected an object, got ${describeValue(given)}`);
  }
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(rules, name)) throw unknownOption(name, Object.keys(rules), prefix);
    const rule = rules[name as keyof Options];
    if (value === undefined) continue;
    if (!rule.accepts(value)) {
      throw new S4rError('INVALID_OPTION', `option ${prefix}${name}: expected ${rule.expected}, got ${describeValue(value)}`);
    }
    checked[name] = value;
  }
  return checked as Partial<Options>;
}

function unknownOption(name: string, known: readonly string[], prefix: string): S4rError {
  const [nearest] = nearNames(name, known, 1);
  const hint = nearest === undefined ? '' : `did you mean '${prefix}${nearest}'? `;
  return new S4rError('INVALID_OPTION', `option ${prefix}${name}: unknown; ${hint}valid names are ${known.join(', ')}`);
}
