/** The command line as a function: arguments in, exit code out. Starts and ends no process. */
import { Command, CommanderError } from 'commander';
import { S4rError } from '../index.js';
import { addCheckCommand } from './commands/check.js';
import { addFixCommand } from './commands/fix.js';
import { addRolloutCommand } from './commands/rollout.js';
import { EXIT, EXIT_CODES_HELP, exitCodeOfError } from './exit-codes.js';
import { type Io, warn } from './io.js';
import { version } from './report.js';

/** @param argv arguments without node and script */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.ok;
  const finish = (code: number) => {
    exitCode = code;
  };
  try {
    await createProgram(io, finish).parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message; help and --version also end here.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (io.signal?.aborted === true && error === io.signal.reason) {
      warn(io, 'interrupted');
      return EXIT.interrupted;
    }
    warn(io, messageOf(error));
    return exitCodeOfError(error);
  }
}

function createProgram(io: Io, finish: (exitCode: number) => void): Command {
  const program = new Command('s4r')
    .description('Repairs robot-simulation scenes whose rigid bodies overlap at the start, moving them as little as possible.')
    .version(version)
    .configureHelp({ helpWidth: io.stdout.columns ?? 100 })
    .addHelpText(
      'after',
      `
Examples:
  $ s4r check scene.xml                 what overlaps, and how deep
  $ s4r fix scene.xml -o fixed.xml      repair it
  $ s4r rollout fixed.xml               simulate it: is anything thrown?
${EXIT_CODES_HELP}`,
    );
  addCheckCommand(program, io, finish);
  addFixCommand(program, io, finish);
  addRolloutCommand(program, io, finish);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text),
        outputError: (text) => warn(io, text.replace(/^error: /, '')),
      });
  }
  return program;
}

/** Flags that are called otherwise than their option. */
const FLAGS: Readonly<Record<string, string>> = {
  weights: 'weight',
  'upright.supports': 'support',
  'upright.height': 'plane',
  'upright.stand': 'stand',
};

/** Names options the way they are typed, and gives a defect the stack a report about it needs. */
function messageOf(error: unknown): string {
  if (error instanceof S4rError && error.code !== 'INTERNAL') {
    const typed = (name: string) => FLAGS[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return error.message.replace(/^option ([\w.]+):/, (_, name: string) => `--${typed(name)}:`);
  }
  return error instanceof Error ? `internal error: ${error.message}` : `internal error: ${String(error)}`;
}
