/** The command line as a function: arguments in, exit code out. Starts and ends no process. */
import { Command, CommanderError } from 'commander';
import { addCheckCommand } from './commands/check.js';
import { addFixCommand } from './commands/fix.js';
import { addRolloutCommand } from './commands/rollout.js';
import { EXIT, EXIT_CODES_HELP } from './exit-codes.js';
import { failureOf } from './failure.js';
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
    const { message, exitCode: code } = failureOf(error, io);
    warn(io, message);
    return code;
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
