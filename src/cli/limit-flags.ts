/** Flags of `fix` that say what bodies may do, and the solver options they stand for. */
import type { Command } from 'commander';
import type { SolverOptions } from '../index.js';
import { assigned, options, parseNames, parseNumber } from './parse.js';

export interface LimitFlags {
  readonly movable?: readonly string[];
  readonly frozen?: readonly string[];
  readonly freeJoints?: readonly string[];
  readonly maxShift?: number;
  readonly rotation?: true;
  readonly maxTurn?: number;
  readonly axes?: Readonly<Record<string, string>>;
  readonly weight?: Readonly<Record<string, number>>;
  readonly allow?: readonly (readonly [string, string])[];
}

export function addLimitFlags(command: Command): Command {
  return command
    .option('--movable <names>', "only these bodies may move; 'a,b*', repeatable", parseNames)
    .option('--frozen <names>', 'these bodies must not move; same form', parseNames)
    .addOption(options.freeJoints())
    .option('--max-shift <m>', 'move no body further than this', parseNumber)
    .option('--rotation', 'bodies may turn as well')
    .option('--max-turn <rad>', 'turn no body further than this; for --rotation, --axes and --upright', parseNumber)
    .option('--axes <name=words>', "what bodies may do: 'cup*=xy yaw', 'lamp=z', 'box=along 1 0 0'; repeatable", parseAxes)
    .option('--weight <name=factor>', "what moving them costs: 'anvil*=10'; repeatable", parseWeight)
    .addOption(options.allow());
}

export function limitOptions({ weight: weights, ...given }: LimitFlags): SolverOptions {
  const { movable, frozen, freeJoints, maxShift, rotation, maxTurn, axes, allow } = given;
  return { movable, frozen, freeJoints, maxShift, rotation, maxTurn, axes, weights, allow } as SolverOptions;
}

function parseAxes(text: string, earlier: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [name, words] = assigned(text, "a name and what it may do, such as 'cup*=xy yaw'");
  return { ...earlier, [name]: words };
}

function parseWeight(text: string, earlier: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [name, factor] = assigned(text, "a name and a factor, such as 'anvil*=10'");
  return { ...earlier, [name]: parseNumber(factor) };
}
