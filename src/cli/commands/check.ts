/** `s4r check`: what overlaps in a scene. */
import type { Command } from 'commander';
import type { CheckOptions } from '../../index.js';
import { EXIT, EXIT_CODES_HELP } from '../exit-codes.js';
import type { Io } from '../io.js';
import { options } from '../parse.js';
import { assertReportPath, emitReport, makeReport } from '../report.js';
import { checkScene } from '../session.js';
import { showOverlaps, summarizeOverlaps } from '../show-scene.js';

interface CheckFlags {
  readonly key?: string;
  readonly tolerance?: number;
  readonly threads?: number;
  readonly allow?: readonly (readonly [string, string])[];
  readonly freeJoints?: readonly string[];
  readonly all?: true;
  readonly json?: true;
  readonly report?: string;
}

const HELP = `
Examples:
  $ s4r check scene.xml
  $ s4r check scene.xml --tolerance 1e-4     resting contacts do not count
  $ s4r check scene.xml --key home --json | jq .maxDepth
${EXIT_CODES_HELP}`;

export function addCheckCommand(program: Command, io: Io, finish: (exitCode: number) => void): void {
  program
    .command('check')
    .summary('list the overlaps of a scene')
    .description(
      'Lists every pair of geoms that overlap at the start, deepest first. Lengths are in metres on the command line, in mm in tables.',
    )
    .argument('<file>', 'MJCF scene')
    .addOption(options.key())
    .addOption(options.tolerance())
    .addOption(options.threads())
    .addOption(options.allow())
    .addOption(options.freeJoints())
    .addOption(options.all())
    .addOption(options.json())
    .addOption(options.report())
    .addHelpText('after', HELP)
    .action(async (file: string, flags: CheckFlags) => finish(await check(file, flags, io)));
}

async function check(file: string, flags: CheckFlags, io: Io): Promise<number> {
  const { key, tolerance, threads, allow, freeJoints } = flags;
  await assertReportPath(flags, file);
  const evaluation = await checkScene(io, file, {
    key,
    report: flags.report,
    check: { tolerance, threads, allow, freeJoints } as CheckOptions,
  });
  await emitReport(io, flags, makeReport('check', file, evaluation));
  if (flags.json !== true) io.stdout.write(`${file}: ${summarizeOverlaps(evaluation)}\n${showOverlaps(evaluation, flags.all === true)}`);
  return evaluation.repairable === 0 ? EXIT.ok : EXIT.overlaps;
}
