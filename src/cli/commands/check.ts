/** `s4r check`: what overlaps in scenes. */
import { type Command, Option } from 'commander';
import type { CheckOptions } from '../../index.js';
import { S4rError } from '../../index.js';
import { writeBaseline } from '../baseline.js';
import { EXIT_CODES_HELP } from '../exit-codes.js';
import { givenFlags } from '../formats/flags.js';
import type { ReadFlags } from '../formats/index.js';
import { type Io, warn } from '../io.js';
import { options, parseNumber } from '../parse.js';
import { runCommand } from '../run-command.js';
import { addRunFlags, FILES_HELP, outputFormat, type RunFlags } from '../run-flags.js';
import { type ExcludeStyle, suggestExcludes } from '../suggest-excludes.js';

interface CheckFlags extends RunFlags {
  readonly tolerance?: number;
  readonly threads?: number;
  readonly allow?: readonly (readonly [string, string])[];
  readonly freeJoints?: readonly string[];
  readonly hover?: number;
  readonly strict?: true;
  readonly writeBaseline?: string;
  readonly suggestExcludes?: ExcludeStyle;
}

const HELP = `
Classes of overlaps, worst first:
  real        the surfaces cross: s4r fix moves the bodies apart
  contained   one solid lies inside the other: the same
  hull-only   only the hulls that the engine uses overlap, not the meshes: decompose the mesh
  constant    no allowed motion moves the two apart: exclude the pair, or fix it by hand
  touching, filtered, neighbours, intra-body: no engine pushes them apart

Examples:
  $ s4r check scene.xml
  $ s4r check scenes/ --jobs 4 --format junit > overlaps.xml
  $ s4r check 'scenes/**/*.xml' --exclude '*_part.xml' --baseline accepted.json
  $ s4r check scene.xml --tolerance 1e-4     resting contacts do not count
  $ s4r check scene.xml --key home --json | jq .maxDepth
  $ s4r check robot.xml --suggest-excludes mjcf
${EXIT_CODES_HELP}`;

export function addCheckCommand(program: Command, io: Io, finish: (exitCode: number) => void): void {
  const command = program
    .command('check')
    .summary('list the overlaps of scenes')
    .description(
      'Lists every pair of geoms that overlap at the start, worst first. Lengths are in metres on the command line, in mm in tables.',
    )
    .argument('<files...>', FILES_HELP)
    .addOption(options.tolerance())
    .addOption(options.threads())
    .addOption(options.allow())
    .addOption(options.freeJoints())
    .option('--hover <m>', 'also warn of free bodies that would fall further than this', parseNumber)
    .option('--strict', 'warnings, notes and hovering bodies fail, too')
    .option('--write-baseline <file>', 'accept all that overlaps now: list it in this file')
    .addOption(
      new Option('--suggest-excludes <style>', 'print lines that keep parts from colliding which nothing moves apart').choices([
        'srdf',
        'mjcf',
      ]),
    );
  addRunFlags(command, false)
    .addHelpText('after', HELP)
    .action(async (words: string[], flags: CheckFlags) => finish(await check(words, flags, givenFlags(command), io)));
}

async function check(words: readonly string[], flags: CheckFlags, readFlags: ReadFlags, io: Io): Promise<number> {
  const { tolerance, threads, allow, freeJoints, hover, strict, all, writeBaseline: newBaseline, suggestExcludes: style } = flags;
  if (style !== undefined && outputFormat(flags) !== 'text') {
    throw new S4rError('INVALID_OPTION', `--suggest-excludes prints lines of its own; it goes with no other output`);
  }
  return await runCommand(io, {
    command: 'check',
    words,
    readFlags,
    flags,
    outputs: newBaseline === undefined ? [] : [newBaseline],
    task: async (_, baseline) => ({
      check: {
        options: { tolerance, threads, allow, freeJoints } as CheckOptions,
        hover,
        strict: strict === true,
        all: all === true,
        baseline,
        acceptAll: newBaseline !== undefined,
      },
    }),
    ...(style === undefined ? {} : { show: (outcome) => suggestExcludes(outcome, style) }),
    finish: async (outcomes) => {
      if (newBaseline === undefined) return;
      if (outcomes.every(({ failure }) => failure === undefined)) await writeBaseline(newBaseline, outcomes);
      else warn(io, `${newBaseline}: not written, as not all files could be checked`);
    },
  });
}
