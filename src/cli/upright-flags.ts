/** Flags of `fix` that make bodies stand. */
import { type Command, InvalidArgumentError } from 'commander';
import type { StandMode, UprightOptions } from '../index.js';
import { assigned, parseNames, parseNumber } from './parse.js';

export interface UprightFlags {
  readonly upright?: true;
  readonly support?: readonly string[];
  readonly plane?: number;
  readonly stand?: UprightOptions['stand'];
}

export function addUprightFlags(command: Command): Command {
  return command
    .option('--upright', 'bodies end upright, standing on what is below them')
    .option('--support <names>', "they stand on these fixed geoms or bodies; 'table*', repeatable; implies --upright", parseNames)
    .option('--plane <h>', 'they stand on the level plane at this height; implies --upright', parseNumber)
    .option(
      '--stand <mode>',
      "what upright means: 'balanced' (default), 'stable', 'file', or by name 'mug*=file', 'can=0 1 0'; repeatable; implies --upright",
      parseStand,
    );
}

/** The option `upright` that the flags stand for; undefined without any. */
export function uprightOption({ upright, support: supports, plane: height, stand }: UprightFlags): UprightOptions | undefined {
  if (upright === undefined && supports === undefined && height === undefined && stand === undefined) return undefined;
  return { supports, height, stand } as UprightOptions;
}

function parseStand(text: string, earlier?: UprightOptions['stand']): UprightOptions['stand'] {
  const expected = "'balanced', 'stable', 'file' or an axis such as '0 0 1'";
  if (!text.includes('=')) {
    if (!isMode(text)) throw new InvalidArgumentError(`Expected ${expected}; an axis needs a name: 'can=0 1 0'.`);
    return typeof earlier === 'object' ? { ...withoutAll(earlier), '*': text } : text;
  }
  const [name, words] = assigned(text, `a name and ${expected}`);
  // The first entry that matches holds: a mode for all is for whom no name is given.
  const { '*': forAll, ...named } = typeof earlier === 'string' ? { '*': earlier } : (earlier ?? {});
  const mode = modeOf(words, expected);
  if (name === '*') return { ...named, '*': mode };
  return { ...named, [name]: mode, ...(forAll === undefined ? {} : { '*': forAll }) };
}

function withoutAll({ '*': _, ...named }: Readonly<Record<string, StandMode>>): Readonly<Record<string, StandMode>> {
  return named;
}

function modeOf(words: string, expected: string): StandMode {
  if (isMode(words)) return words;
  const numbers = words.split(/\s+/).map(parseNumber);
  if (numbers.length !== 3) throw new InvalidArgumentError(`Expected ${expected}.`);
  return numbers as unknown as StandMode;
}

function isMode(text: string): text is 'balanced' | 'stable' | 'file' {
  return text === 'balanced' || text === 'stable' || text === 'file';
}
