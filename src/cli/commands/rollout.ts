/** `s4r rollout`: what happens to a scene when it is simulated. */
import type { Command } from 'commander';
import { EXIT, EXIT_CODES_HELP } from '../exit-codes.js';
import { formatOf } from '../formats/choose.js';
import { addFormatOptions, assertFlagsFit, givenFlags } from '../formats/flags.js';
import type { ReadFlags } from '../formats/index.js';
import { type Io, warn } from '../io.js';
import { options, parseNumber } from '../parse.js';
import { ProgressBar } from '../progress.js';
import { assertReportPath, jsonText, makeReport, store } from '../report.js';
import { rolloutOf } from '../rollouts.js';
import { Session } from '../session.js';
import { showRollout } from '../show-rollout.js';

interface RolloutFlags {
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
  const command = program
    .command('rollout')
    .summary('simulate a scene and report how fast things get')
    .description(
      'Simulates the scene from its start state and reports the peaks of motion: MJCF in MuJoCo, with zero controls or those of the key; ' +
        'other formats in Rapier, where trees of joints are rigid.',
    )
    .argument('<file>', 'scene file')
    .option('--seconds <s>', 'simulated time (default: 1)', parseNumber)
    .option('--no-gravity', 'switch gravity off')
    .option('--timestep <s>', "time step (default: the scene's own)", parseNumber)
    .addOption(options.json())
    .addOption(options.report());
  addFormatOptions(command)
    .addHelpText('after', HELP)
    .action(async (file: string, flags: RolloutFlags) => finish(await rollout(file, flags, givenFlags(command), io)));
}

async function rollout(file: string, flags: RolloutFlags, readFlags: ReadFlags, io: Io): Promise<number> {
  const { seconds, timestep, report, json } = flags;
  await assertReportPath(report, [file]);
  const format = await formatOf(file);
  assertFlagsFit(readFlags, [{ name: file, format }]);
  const session = new Session(io, report === undefined ? [] : [report]);
  const open = await session.open(format, file, readFlags);
  for (const note of session.notes) warn(io, `note: ${note}`);
  const bar = new ProgressBar(io);
  const options = { seconds, timestep, ...(flags.gravity ? {} : { gravity: false }) };
  const result = await rolloutOf(io, bar, open, options).finally(() => bar.clear());
  const text = jsonText(makeReport('rollout', { file, ...result }));
  if (report !== undefined) await store(report, text);
  io.stdout.write(json === true ? text : `${file}\n${showRollout(result)}`);
  return result.badStep === null ? EXIT.ok : EXIT.overlaps;
}
