/** Flags that `check` and `fix` share: which files, how many at once, and how the outcomes are shown. */
import { type Command, Option } from 'commander';
import { S4rError } from '../index.js';
import { addFormatOptions } from './formats/flags.js';
import { options, parseInteger } from './parse.js';

const OUTPUT_FORMATS = ['text', 'json', 'junit', 'sarif', 'md'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface RunFlags {
  readonly exclude?: readonly string[];
  readonly jobs?: number;
  readonly format?: OutputFormat;
  readonly baseline?: string;
  readonly all?: true;
  readonly json?: true;
  readonly report?: string;
}

export const FILES_HELP = `scene files, globs in quotes, folders, or '-' for standard input`;

/** @param writes whether the command writes scenes */
export function addRunFlags(command: Command, writes: boolean): Command {
  command
    .option(
      '-x, --exclude <glob>',
      "leave out these files, 'build/**' or '*_part.xml'; repeatable",
      (glob: string, earlier: string[] = []) => [...earlier, glob],
    )
    .option('-j, --jobs <n>', 'files at once, each in a process of its own; results do not depend on it (default: 1)', parseInteger)
    .addOption(options.all())
    .option('--baseline <file>', 'overlaps listed in this file, and no deeper than there, do not fail')
    .addOption(new Option('--format <name>', 'what to print (default: text)').choices(OUTPUT_FORMATS))
    .addOption(options.json())
    .addOption(options.report());
  return addFormatOptions(command, writes);
}

/** @throws S4rError INVALID_OPTION */
export function outputFormat({ format, json }: RunFlags): OutputFormat {
  if (json === true && format !== undefined && format !== 'json') {
    throw new S4rError('INVALID_OPTION', `--json is --format json; give only one of --json and --format ${format}`);
  }
  return json === true ? 'json' : (format ?? 'text');
}

/** @throws S4rError INVALID_OPTION */
export function jobsOf({ jobs = 1 }: RunFlags): number {
  if (jobs >= 1 && jobs <= 256) return jobs;
  throw new S4rError('INVALID_OPTION', `--jobs: expected a number from 1 to 256, got ${jobs}`);
}
