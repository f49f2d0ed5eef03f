/** `s4r rollout`: what happens to a scene when it is simulated. */
import type { Command } from 'commander';
import { EXIT, EXIT_CODES_HELP } from '../exit-codes.js';
import type { Io } from '../io.js';
import { options, parseNumber } from '../parse.js';
import { assertReportPath, emitReport, makeReport } from '../report.js';
import { rolloutScene } from '../session.js';
import { showRollout } from '../show-rollout.js';

interface RolloutFlags {
  readonly key?: string;
  readonly seconds?: number;
  readonly gravity: boolean;
  readonly timestep?: number;
  readonly json?: true;
  readonly report?: string;
}

const HELP = `
Examples:
  $ s4r rollout scene.xml --no-gravity       whatever moves now was thrown by overlap
  $ s4r rollout scene.xml --seconds 5 --timestep 0.001
${EXIT_CODES_HELP}`;

export function addRolloutCommand(program: Command, io: Io, finish: (exitCode: number) => void): void {
  program
    .command('rollout')
    .summary('simulate a scene and report how fast things get')
    .description(
      'Simulates the scene in MuJoCo from its start state, with zero controls or those of the key, and reports the peaks of motion.',
    )
    .argument('<file>', 'MJCF scene')
    .addOption(options.key())
    .option('--seconds <s>', 'simulated time (default: 1)', parseNumber)
    .option('--no-gravity', 'switch gravity off')
    .option('--timestep <s>', "time step (default: the scene's own)", parseNumber)
    .addOption(options.json())
    .addOption(options.report())
    .addHelpText('after', HELP)
    .action(async (file: string, flags: RolloutFlags) => finish(await rollout(file, flags, io)));
}

async function rollout(file: string, flags: RolloutFlags, io: Io): Promise<number> {
  const { key, seconds, timestep } = flags;
  await assertReportPath(flags, file);
  const settings = { key, seconds, timestep, ...(flags.gravity ? {} : { gravity: false }) };
  const result = await rolloutScene(io, file, settings, flags.report);
  await emitReport(io, flags, makeReport('rollout', file, result));
  if (flags.json !== true) io.stdout.write(`${file}\n${showRollout(result)}`);
  return result.badStep === null ? EXIT.ok : EXIT.overlaps;
}
