/** `s4r fix`: repair a scene. */
import type { Command } from 'commander';
import { S4rError, type SolverOptions } from '../../index.js';
import { addContainerFlags, type ContainerFlags, containerOption } from '../container-flags.js';
import { assertDestination, type DestinationFlags, destinationOf, outputOf } from '../destination.js';
import { EXIT_CODES_HELP } from '../exit-codes.js';
import { givenFlags } from '../formats/flags.js';
import type { ReadFlags } from '../formats/index.js';
import type { Io } from '../io.js';
import { addLimitFlags, type LimitFlags, limitOptions } from '../limit-flags.js';
import { assertNotTaken } from '../output-path.js';
import { options, parseNumber } from '../parse.js';
import { OVERWRITES } from '../report.js';
import { runCommand } from '../run-command.js';
import { addRunFlags, FILES_HELP, outputFormat, type RunFlags } from '../run-flags.js';
import { addUprightFlags, type UprightFlags, uprightOption } from '../upright-flags.js';

interface FixFlags extends RunFlags, DestinationFlags, LimitFlags, UprightFlags, ContainerFlags {
  readonly tolerance?: number;
  readonly profile?: string;
  readonly margin?: number;
  readonly keepSupport?: true;
  readonly restTolerance?: number;
  readonly overflow?: string;
  readonly threads?: number;
  readonly timeLimit?: number;
  readonly rollout?: true;
}

const HELP = `
A scene without overlaps is not rewritten; -o copies it. A scene that could only be improved is written, with exit code 1;
one that could not be improved is not. Overlaps that no allowed motion cures are left, with exit code 1: see --allow and
--baseline. In the table of moves 'pushed' marks a body that overlapped nothing itself.

Examples:
  $ s4r fix scene.xml -o fixed.xml
  $ s4r fix scenes/ -o fixed/ --jobs 4
  $ s4r fix scene.xml --diff                 what would be written
  $ s4r fix scene.xml --in-place --frozen 'shelf*,robot' --max-shift 0.05
  $ s4r fix scene.xml -o fixed.xml --axes 'cup*=xy yaw' --weight 'anvil=10' --allow 'hand:cup*'
  $ s4r fix table.xml -o fixed.xml --support 'table*' --stand 'mug*=file'    all stand upright on the table
  $ s4r fix bin.xml -o fixed.xml --container bin                             what is in the bin stays in it
  $ s4r fix hand.xml -o fixed.xml --free-joints 'finger*'                    the fingers open within their limits
  $ s4r fix scene.xml --dry-run --rollout    what would move, and is the result still?
${EXIT_CODES_HELP}`;

export function addFixCommand(program: Command, io: Io, finish: (exitCode: number) => void): void {
  const command = program
    .command('fix')
    .summary('move overlapping bodies apart, as little as possible')
    .description(
      'Moves overlapping bodies apart and edits only their poses in the file. Lengths are in metres on the command line, in mm in tables.',
    )
    .argument('<files...>', FILES_HELP)
    .option('-o, --output <path>', 'write the repaired scene to this file, or the repaired scenes into this folder/')
    .option('--in-place', 'edit the scenes where they are')
    .option('--dry-run', 'write nothing')
    .option('--diff', 'write nothing, print a unified diff of what would be written')
    .addOption(options.tolerance())
    .option('--profile <name>', 'default, quick or reference (default: default)')
    .option('--margin <m>', "clearance between repaired bodies (default: the profile's own)", parseNumber);
  addLimitFlags(command);
  addUprightFlags(command);
  addContainerFlags(command)
    .option('--keep-support', 'what rests on something stays on it, or is put back')
    .option('--rest-tolerance <m>', 'gap or depth of a body that rests (default: 0.001)', parseNumber)
    .option('--overflow <what>', 'bodies without room: fail (leave them) or lift (above the others) (default: fail)')
    .addOption(options.threads())
    .option('--time-limit <s>', 'give up after this time', parseNumber)
    .option('--rollout', 'also simulate the scene before and after, with and without gravity');
  addRunFlags(command, true)
    .addHelpText('after', HELP)
    .action(async (words: string[], flags: FixFlags) => finish(await fix(words, flags, givenFlags(command), io)));
}

async function fix(words: readonly string[], flags: FixFlags, readFlags: ReadFlags, io: Io): Promise<number> {
  const { tolerance, profile, margin, keepSupport, restTolerance, overflow, threads, timeLimit } = flags;
  const diff = flags.diff === true;
  if (diff && (outputFormat(flags) !== 'text' || flags.rollout === true)) {
    throw new S4rError('INVALID_OPTION', '--diff prints the diff alone; it goes with no --format, --json or --rollout');
  }
  const given = {
    tolerance,
    profile,
    margin,
    ...limitOptions(flags),
    upright: uprightOption(flags),
    container: containerOption(flags),
    keepSupport,
    restTolerance,
    overflow,
    threads,
    timeLimit,
  };
  return await runCommand(io, {
    command: 'fix',
    words,
    readFlags,
    flags,
    outputs: [],
    async task({ list, several }, baseline) {
      const destination = destinationOf(flags, several);
      await assertDestination(destination, list);
      const scenes = list.flatMap((input) => outputOf(destination, input) ?? []);
      await assertNotTaken(flags.report, scenes, OVERWRITES);
      // Which profiles there are is the solver's to say.
      return { fix: { options: given as SolverOptions, rollout: flags.rollout === true, baseline, destination, diff } };
    },
    ...(diff ? { show: ({ fixed }) => fixed?.diff ?? '' } : {}),
  });
}
