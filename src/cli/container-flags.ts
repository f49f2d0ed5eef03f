/** Flags of `fix` that keep bodies inside. */
import { type Command, InvalidArgumentError } from 'commander';
import { type ContainerOption, S4rError } from '../index.js';
import { parseNumber } from './parse.js';

export interface ContainerFlags {
  readonly container?: string;
  readonly containerBox?: ContainerOption;
}

export function addContainerFlags(command: Command): Command {
  return command
    .option('--container <name>', "what is inside this fixed body or geom stays inside, 'bin' or 'bin_wall*'")
    .option('--container-box <corners>', "the same for a box of the world [m], 'x0 y0 z0 x1 y1 z1'", parseBox);
}

/** @throws S4rError INVALID_OPTION if both are given */
export function containerOption({ container, containerBox }: ContainerFlags): ContainerOption | undefined {
  if (container !== undefined && containerBox !== undefined) {
    throw new S4rError('INVALID_OPTION', 'give only one of --container and --container-box');
  }
  return container ?? containerBox;
}

function parseBox(text: string): ContainerOption {
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(parseNumber);
  if (numbers.length !== 6) throw new InvalidArgumentError("Expected six numbers, 'x0 y0 z0 x1 y1 z1'.");
  const [x0, y0, z0, x1, y1, z1] = numbers as [number, number, number, number, number, number];
  const sorted = (pick: (...values: number[]) => number) => [pick(x0, x1), pick(y0, y1), pick(z0, z1)] as const;
  return { low: sorted(Math.min), high: sorted(Math.max) };
}
