/** Where `fix` puts repaired scenes. */
import { mkdir } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { S4rError } from '../index.js';
import type { Input } from './inputs.js';
import { assertOutputPath, realPath, statOf } from './output-path.js';
import { STDIN } from './stdin.js';

/** Plain data: it also goes to other processes. */
export interface Destination {
  /** Over the scene itself, into one file, into a folder, or nowhere. */
  readonly kind: 'in-place' | 'file' | 'folder' | 'none';
  /** The file or the folder. */
  readonly path?: string;
  /** Do all but write. */
  readonly dryRun: boolean;
}

export interface DestinationFlags {
  readonly output?: string;
  readonly inPlace?: true;
  readonly dryRun?: true;
  readonly diff?: true;
}

/** @throws S4rError INVALID_OPTION */
export function destinationOf({ output, inPlace, dryRun, diff }: DestinationFlags, several: boolean): Destination {
  const refuse = (message: string) => new S4rError('INVALID_OPTION', message);
  if (output === STDIN) throw refuse('the repaired scene cannot go to standard output; --diff prints what would change');
  const given = [output !== undefined, inPlace === true, dryRun === true].filter(Boolean).length;
  if (given > 1) throw refuse(`give only one of ${ways(several, 'and')}`);
  if (given === 0 && diff !== true) throw refuse(`say where to write: ${ways(several, 'or')}; --diff shows what would be written`);
  const dry = dryRun === true || diff === true;
  if (output !== undefined) return { kind: several || /[\\/]$/.test(output) ? 'folder' : 'file', path: output, dryRun: dry };
  return { kind: inPlace === true ? 'in-place' : 'none', dryRun: dry };
}

function ways(several: boolean, last: 'and' | 'or'): string {
  return `${several ? '-o FOLDER/' : '-o FILE'}, --in-place ${last} --dry-run`;
}

/**
 * The file an input is written to; undefined for the input itself.
 * @param extension of the output where it is another kind of file
 */
export function outputOf({ kind, path = '' }: Destination, { below, path: input }: Input, extension?: string): string | undefined {
  const named = (name: string) => (extension === undefined ? name : withExtension(name, extension));
  if (kind === 'folder') return join(path, named(below));
  if (kind === 'file') return path;
  if (kind !== 'none' || extension === undefined) return undefined;
  const beside = named(input);
  return beside === input ? named(`${withExtension(input, '.fixed')}${extension}`) : beside;
}

/** `scene.home.npz`: a file of its own for one state. */
export function outputOfState(path: string, state: string | undefined): string {
  if (state === undefined) return path;
  return withExtension(path, `.${state.replace(/[^\w.-]/g, '_')}${extname(path)}`);
}

function withExtension(path: string, extension: string): string {
  return `${path.slice(0, path.length - extname(path).length)}${extension}`;
}

/**
 * Before the work: every output has a place of its own, and replaces no input.
 * @throws S4rError OUTPUT, INVALID_OPTION
 */
export async function assertDestination(destination: Destination, inputs: readonly Input[]): Promise<void> {
  const { kind, path = '', dryRun } = destination;
  if (kind === 'none') return;
  if (kind === 'in-place' && inputs.some(({ name }) => name === STDIN)) {
    throw new S4rError('INVALID_OPTION', 'standard input cannot be edited in place; give -o FILE');
  }
  if (kind === 'folder' && (await statOf(resolve(path)))?.isDirectory() === false)
    throw new S4rError('OUTPUT', 'is no folder', { file: path });
  const sources = new Set(await Promise.all(inputs.map((input) => realPath(input.path))));
  const taken = new Map<string, string>();
  for (const input of inputs) {
    const output = outputOf(destination, input) ?? input.path;
    if (kind === 'folder' && !dryRun) await makeFolder(dirname(output));
    if (!dryRun) await assertOutputPath(output);
    if (kind === 'in-place') continue;
    const refuse = (message: string) => new S4rError('OUTPUT', message, { file: output });
    const real = await realPath(output);
    if (sources.has(real)) throw refuse('the output would overwrite the scene; that is what --in-place is for');
    const other = taken.get(real);
    if (other !== undefined) throw refuse(`both ${other} and ${input.name} would be written there`);
    taken.set(real, input.name);
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    throw new S4rError('OUTPUT', `cannot make the folder (${cause.code})`, { file: path }, { cause });
  });
}
