/** The way of `check` and `fix`: words to files, files to outcomes, outcomes to output and exit code. */
import { type Baseline, readBaseline, staleEntries } from './baseline.js';
import { worstExitCode } from './exit-codes.js';
import { INTERRUPTED, INTERRUPTION } from './failure.js';
import { assertFlagsFit } from './formats/flags.js';
import type { ReadFlags } from './formats/index.js';
import { findInputs, formatsOf, type Input, type Inputs } from './inputs.js';
import { type Io, warn } from './io.js';
import { type Outcome, titleOf } from './outcome.js';
import { jsonReport } from './output/json.js';
import { junitReport } from './output/junit.js';
import { markdownReport } from './output/markdown.js';
import type { Run } from './output/run.js';
import { sarifReport } from './output/sarif.js';
import { realPath } from './output-path.js';
import { assertReportPath, jsonText, store } from './report.js';
import type { Task } from './run-file.js';
import { runFiles } from './run-files.js';
import { jobsOf, type OutputFormat, outputFormat, type RunFlags } from './run-flags.js';
import { showOutcome, summarized, summarizeOutcome } from './show-outcome.js';
import { STDIN, withStdin } from './stdin.js';

/** What a command adds to the way that both share. */
interface Wanted {
  readonly command: Run['command'];
  readonly words: readonly string[];
  /** Options of the formats. */
  readonly readFlags: ReadFlags;
  readonly flags: RunFlags;
  /** Files to be written besides scenes and the report. */
  readonly outputs: readonly string[];
  /** Called before any work, to refuse what is wrong with the call. */
  task(inputs: Inputs, baseline: Baseline | undefined): Promise<Omit<Task, 'flags' | 'reports'>>;
  /** What to print instead of the outcome, which then goes to stderr in one line. */
  show?(outcome: Outcome): string;
  /** Called at the end. */
  finish?(outcomes: readonly Outcome[]): Promise<void>;
}

const REPORTS: Readonly<Record<Exclude<OutputFormat, 'text'>, (run: Run) => string>> = {
  json: (run) => jsonText(jsonReport(run)),
  junit: junitReport,
  sarif: sarifReport,
  md: markdownReport,
};

/** @returns the exit code. @throws S4rError for what is wrong with the call; what is wrong with a file is an outcome */
export async function runCommand(io: Io, wanted: Wanted): Promise<number> {
  const { command, flags, readFlags, outputs } = wanted;
  const format = outputFormat(flags);
  const jobs = jobsOf(flags);
  return await withInputs(io, wanted, async (inputs) => {
    const paths = inputs.list.map(({ path }) => path);
    const reports = [...(flags.report === undefined ? [] : [flags.report]), ...outputs];
    for (const report of reports) await assertReportPath(report, paths);
    // Not without need: it looks into every file.
    if (Object.keys(readFlags).length > 0) assertFlagsFit(readFlags, await formatsOf(inputs.list));
    const baseline = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
    const task: Task = { flags: readFlags, reports, ...(await wanted.task(inputs, baseline)) };
    const text = format === 'text' && wanted.show === undefined;
    const blocks = new Blocks(io);
    const outcomes = await runFiles(io, inputs.list, task, jobs, (outcome) => {
      tell(io, outcome, inputs.several);
      if (text) blocks.write(showOutcome(outcome, flags.all === true));
      if (wanted.show === undefined || outcome.failure !== undefined) return;
      io.stdout.write(wanted.show(outcome));
      warn(io, `${titleOf(outcome)}: ${summarizeOutcome(outcome)}`);
    });
    const several = inputs.several || outcomes.length > 1;
    const exitCode = worstExitCode(outcomes.map((outcome) => outcome.exitCode));
    const run: Run = { command, outcomes, several, all: flags.all === true, exitCode };
    // No report of half a run, and none over a scene, which has been said already.
    if (wasInterrupted(outcomes)) warn(io, INTERRUPTION.message);
    if (wasInterrupted(outcomes) || (await wouldOverwrite(reports, outcomes))) return exitCode;
    await wanted.finish?.(outcomes);
    const stale = command === 'check' && baseline !== undefined ? staleEntries(baseline, outcomes) : [];
    for (const note of stale) warn(io, `note: ${note}`);
    // Of one file that could not be read there is nothing to report but what stderr says.
    if (!several && outcomes[0]?.failure !== undefined && (format === 'json' || format === 'text')) return exitCode;
    if (flags.report !== undefined) await store(flags.report, jsonText(jsonReport(run)));
    if (format !== 'text') io.stdout.write(REPORTS[format](run));
    else if (text && several) blocks.write(`${summarized(outcomes)}\n`);
    return exitCode;
  });
}

/** `work` with the files found; standard input is one of them as long as it lasts. */
async function withInputs<T>(io: Io, { words, flags }: Wanted, work: (inputs: Inputs) => Promise<T>): Promise<T> {
  const exclude = flags.exclude ?? [];
  if (!words.includes(STDIN)) return await work(await findInputs(words, exclude));
  return await withStdin(io, async (stdin: Input) => {
    const others = words.filter((word) => word !== STDIN);
    if (others.length === 0) return await work({ list: [stdin], several: false });
    return await work({ list: [stdin, ...(await findInputs(others, exclude)).list], several: true });
  });
}

/** Texts of several lines stand apart from others by an empty line. */
class Blocks {
  private last = '';

  constructor(private readonly io: Io) {}

  write(block: string): void {
    if (block === '') return;
    const isLong = (text: string) => text.indexOf('\n') < text.length - 1;
    this.io.stdout.write(this.last !== '' && (isLong(this.last) || isLong(block)) ? `\n${block}` : block);
    this.last = block;
  }
}

/** Failures, warnings and notes, one line each, on stderr. */
function tell(io: Io, outcome: Outcome, several: boolean): void {
  const { failure, warnings, notes, file } = outcome;
  const title = titleOf(outcome);
  const about = (message: string) => (several && !message.includes(file) ? `${title}: ${message}` : message);
  if (failure !== undefined && failure.code !== INTERRUPTED) warn(io, about(failure.message));
  for (const warning of warnings) warn(io, `warning: ${about(warning)}`);
  for (const note of notes) warn(io, `note: ${about(note)}`);
}

function wasInterrupted(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ failure }) => failure?.code === INTERRUPTED);
}

async function wouldOverwrite(reports: readonly string[], outcomes: readonly Outcome[]): Promise<boolean> {
  const taken = await Promise.all(reports.map(realPath));
  const files = outcomes.flatMap(({ inputs, fixed }) => [...inputs, ...(fixed?.written ?? [])]);
  for (const file of new Set(files)) if (taken.includes(await realPath(file))) return true;
  return false;
}
