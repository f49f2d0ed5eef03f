/** `s4r fix`: repair a scene. */
import type { Command } from 'commander';
import { type Result, S4rError, type SolverOptions } from '../../index.js';
import { addContainerFlags, type ContainerFlags, containerOption } from '../container-flags.js';
import { EXIT_CODES_HELP, exitCodeOfStatus } from '../exit-codes.js';
import { count, duration, millimetres } from '../format.js';
import { type Io, oneLine } from '../io.js';
import { addLimitFlags, type LimitFlags, limitOptions } from '../limit-flags.js';
import { assertNotTaken, assertOutputPath } from '../output-path.js';
import { options, parseNumber } from '../parse.js';
import { assertReportPath, emitReport, makeReport, OVERWRITES, reportResult } from '../report.js';
import { type Destination, type Fixed, fixScene } from '../session.js';
import { showJoints } from '../show-joints.js';
import { showLifted, showSupports } from '../show-placement.js';
import { showRolloutPairs } from '../show-rollout.js';
import { showConstant, showMoves, showOverlaps, showStanding, summarizeOverlaps } from '../show-scene.js';
import { addUprightFlags, type UprightFlags, uprightOption } from '../upright-flags.js';

interface FixFlags extends LimitFlags, UprightFlags, ContainerFlags {
  readonly output?: string;
  readonly inPlace?: true;
  readonly dryRun?: true;
  readonly key?: string;
  readonly tolerance?: number;
  readonly profile?: string;
  readonly margin?: number;
  readonly keepSupport?: true;
  readonly restTolerance?: number;
  readonly overflow?: string;
  readonly threads?: number;
  readonly timeLimit?: number;
  readonly rollout?: true;
  readonly all?: true;
  readonly json?: true;
  readonly report?: string;
}

const HELP = `
A scene without overlaps is not rewritten; -o copies it. A scene that could only be improved is written, with exit code 1;
one that could not be improved is not.

Examples:
  $ s4r fix scene.xml -o fixed.xml
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
    .argument('<file>', 'MJCF scene')
    .option('-o, --output <file>', 'write the repaired scene here')
    .option('--in-place', 'edit the scene where it is')
    .option('--dry-run', 'write nothing')
    .addOption(options.key())
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
    .option('--rollout', 'also simulate the scene before and after, with and without gravity')
    .addOption(options.all())
    .addOption(options.json())
    .addOption(options.report())
    .addHelpText('after', HELP)
    .action(async (file: string, flags: FixFlags) => finish(await fix(file, flags, io)));
}

async function fix(file: string, flags: FixFlags, io: Io): Promise<number> {
  const destination = destinationOf(flags);
  if (destination !== 'dry-run') await assertOutputPath(flags.output ?? file);
  await assertNotTaken(flags.output, [file], 'the output would overwrite the scene; that is what --in-place is for');
  await assertReportPath(flags, file, ...(flags.output === undefined ? [] : [flags.output]));
  const { key, report, tolerance, profile, margin, keepSupport, restTolerance, overflow, threads, timeLimit } = flags;
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
  // Which profiles there are is the solver's to say.
  const settings = { key, report, rollout: flags.rollout === true, solver: given as SolverOptions };
  const fixed = await fixScene(io, file, destination, settings);
  const { scene, result, written, rollouts } = fixed;
  await assertNotTaken(report, written, OVERWRITES);
  const content = { ...reportResult(scene, result), dryRun: destination === 'dry-run', written, rollouts };
  await emitReport(io, flags, makeReport('fix', file, content));
  if (flags.json !== true) io.stdout.write(showFixed(file, destination, fixed, flags.all === true));
  return exitCodeOfStatus(result.status);
}

function destinationOf({ output, inPlace, dryRun }: FixFlags): Destination {
  const given: Destination[] = [];
  if (output !== undefined) given.push({ out: output });
  if (inPlace) given.push('in-place');
  if (dryRun) given.push('dry-run');
  const [only] = given;
  if (only === undefined) throw new S4rError('INVALID_OPTION', 'say where to write: -o FILE, --in-place or --dry-run');
  if (given.length > 1) throw new S4rError('INVALID_OPTION', 'give only one of -o FILE, --in-place and --dry-run');
  return only;
}

function showFixed(file: string, destination: Destination, { scene, result, written, rollouts }: Fixed, all: boolean): string {
  const { before, after, status } = result;
  const unsolved = after.repairable > 0;
  return [
    `${file}: ${summarizeOverlaps(before)}\n`,
    showMoves(result.moves, all),
    showJoints(scene, result.joints ?? [], all),
    showStanding(result.standing ?? [], all),
    unsolved ? `\nleft: ${summarizeOverlaps(after)}\n${showOverlaps(after, all)}` : showConstant(after, all),
    showSupports(result, all),
    showLifted(result, all),
    showRolloutPairs(rollouts, all),
    `\n${status}: ${summarizeResult(result)}\n`,
    summarizeWritten(destination, written),
  ].join('');
}

function summarizeResult({ status, reason, before, moves, stats }: Result): string {
  if (status === 'clean') return 'nothing to do';
  const { evaluateBefore, solve, evaluateAfter } = stats.milliseconds;
  const moved = `${count(moves.length, 'body', 'bodies')} moved, at most ${millimetres(moves[0]?.distance ?? 0)}`;
  const parts = [
    oneLine(reason ?? `${before.repairable} -> 0 overlaps`),
    ...(moves.length === 0 ? [] : [moved]),
    duration(evaluateBefore + solve + evaluateAfter),
  ];
  return parts.join('; ');
}

function summarizeWritten(destination: Destination, written: readonly string[]): string {
  if (written.length === 0) return 'nothing written\n';
  return written.map((path) => `${destination === 'dry-run' ? 'would write' : 'wrote'} ${path}\n`).join('');
}
