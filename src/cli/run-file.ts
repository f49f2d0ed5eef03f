/** One file through check or fix: all of the states asked for, each with an outcome of its own. Workers run it too. */
import { resolve } from 'node:path';
import { type CheckSettings, checkState, type Judged } from './check-state.js';
import type { Destination } from './destination.js';
import { failureOf } from './failure.js';
import type { FixSettings } from './fix-state.js';
import { formatOf } from './formats/choose.js';
import { flagsOf } from './formats/flags.js';
import type { FileFormat, NamedState, ReadFlags } from './formats/index.js';
import type { Input } from './inputs.js';
import type { Io } from './io.js';
import { failedOutcome, type Outcome } from './outcome.js';
import { patchOf } from './patch.js';
import { ProgressBar } from './progress.js';
import { Repairs } from './repairs.js';
import { Session } from './session.js';

/** What to do with every file. Plain data: it also goes to other processes. */
export interface Task {
  /** Options of the formats. */
  readonly flags: ReadFlags;
  /** Files about to be written besides scenes. */
  readonly reports: readonly string[];
  readonly check?: CheckSettings;
  readonly fix?: FixSettings & { readonly destination: Destination; readonly diff: boolean };
}

/** Asked before a file is written in place: true if one of `inputs` has been changed by this run since it was read. */
export type Turn = (inputs: readonly string[]) => Promise<boolean>;

/** Never throws: what goes wrong is an outcome. @param turn for runs with several processes */
export async function runFile(io: Io, input: Input, task: Task, turn: Turn = async () => false): Promise<Outcome[]> {
  const bar = new ProgressBar(io);
  const outcomes = await runStates(io, bar, input, task, turn).catch((error) => [failedOutcome(input.name, failureOf(error, io))]);
  bar.clear();
  return input.name === input.path ? outcomes : withNames(outcomes, input);
}

async function runStates(io: Io, bar: ProgressBar, input: Input, task: Task, turn: Turn): Promise<Outcome[]> {
  const format = await formatOf(input.path);
  const flags = flagsOf(format, task.flags);
  const states = (await format.states?.(input.path, flags)) ?? [{ label: '', flags }];
  const repairs = task.fix === undefined ? undefined : new Repairs(bar, input, task.fix, turn);
  const outcomes: Outcome[] = [];
  for (const state of states) {
    const repair = repairs && ((session: Session) => repairs.next(session, format, state, state === states.at(-1)));
    outcomes.push(await runState(io, format, input, state, task, repair));
  }
  return task.fix?.diff === true ? withOneDiff(outcomes) : outcomes;
}

/** The diffs of all states as one that can be applied, with the last of them. */
function withOneDiff(outcomes: readonly Outcome[]): Outcome[] {
  const diff = patchOf(outcomes.flatMap(({ fixed }) => fixed?.diff ?? []));
  const last = outcomes.findLastIndex(({ fixed }) => fixed !== undefined);
  return outcomes.map((outcome, k) => {
    const { fixed } = outcome;
    return fixed === undefined ? outcome : { ...outcome, fixed: { ...fixed, diff: k === last ? diff : '' } };
  });
}

async function runState(
  io: Io,
  format: FileFormat,
  input: Input,
  { label, flags }: NamedState,
  { check, reports }: Task,
  repair: ((session: Session) => Promise<Judged>) | undefined,
): Promise<Outcome> {
  const session = new Session(io, reports);
  const state = label === '' ? undefined : label;
  const named = state === undefined ? {} : { state };
  try {
    const judged: Judged =
      repair === undefined
        ? await checkState(session, await session.open(format, input.path, flags), input.name, state, check as CheckSettings)
        : await repair(session);
    const { inputs, notes, warnings } = session;
    return { file: input.name, ...named, inputs, notes, warnings, ...judged };
  } catch (error) {
    const { notes, warnings } = session;
    return { ...failedOutcome(input.name, failureOf(error, io), session.inputs), ...named, notes, warnings };
  }
}

/** With the name the user knows in place of the file that stands for it, wherever a text mentions that. */
function withNames(outcomes: Outcome[], { name, path }: Input): Outcome[] {
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(resolve(path), name).replaceAll(path, name);
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)]));
  };
  return rename(outcomes) as Outcome[];
}
