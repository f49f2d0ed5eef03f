/** All files through check or fix, in this process or in several. */
import { availableParallelism } from 'node:os';
import { EXIT } from './exit-codes.js';
import { INTERRUPTION } from './failure.js';
import { count } from './format.js';
import type { Input } from './inputs.js';
import type { Io } from './io.js';
import { failedOutcome, type Outcome } from './outcome.js';
import { ProgressBar } from './progress.js';
import { runFile, type Task } from './run-file.js';
import { WorkerPool } from './workers.js';

/**
 * The outcomes in the order of the inputs; the same for any number of jobs.
 * @param onOutcome called with each outcome as soon as those before it are there
 */
export async function runFiles(
  io: Io,
  inputs: readonly Input[],
  task: Task,
  jobs: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const bar = new ProgressBar(io);
  let taken = 0;
  const take = (some: readonly Outcome[]) => {
    bar.clear();
    taken++;
    outcomes.push(...some);
    some.forEach(onOutcome);
  };
  const showProgress = (done: number) => {
    if (inputs.length > 1)
      bar.show(task.fix === undefined ? 'checking' : 'repairing', done / inputs.length, `${done} of ${count(inputs.length, 'file')}`);
  };
  if (jobs > 1 && inputs.length > 1) {
    const pool = new WorkerPool(io, inputs, withThreads(task, jobs), Math.min(jobs, inputs.length));
    await pool.run(take, showProgress);
  } else {
    for (const [i, input] of inputs.entries()) {
      showProgress(i);
      // Not before the first file: who asks for the signal keeps Ctrl-C from ending the process at once.
      if (i > 0 && io.signal?.aborted === true) break;
      take(await runFile(io, input, task));
    }
  }
  bar.clear();
  const left = inputs[taken];
  if (left !== undefined && !outcomes.some(({ exitCode }) => exitCode === EXIT.interrupted)) take([failedOutcome(left.name, INTERRUPTION)]);
  return outcomes;
}

/** Shares the cores among the processes; results do not depend on it. */
function withThreads(task: Task, jobs: number): Task {
  const threads = Math.max(1, Math.floor(availableParallelism() / jobs));
  const { check, fix } = task;
  return {
    ...task,
    ...(check === undefined ? {} : { check: { ...check, options: { ...check.options, threads: check.options.threads ?? threads } } }),
    ...(fix === undefined ? {} : { fix: { ...fix, options: { ...fix.options, threads: fix.options.threads ?? threads } } }),
  };
}
