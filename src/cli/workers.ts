/** Worker processes of `--jobs`: each has an engine of its own, and takes nobody with it when it dies. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXIT } from './exit-codes.js';
import type { Failure } from './failure.js';
import type { Input } from './inputs.js';
import type { Io } from './io.js';
import { failedOutcome, type Outcome } from './outcome.js';
import { realPath } from './output-path.js';
import type { Task } from './run-file.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

/** A file, once a worker has it. */
interface Job {
  readonly index: number;
  /** How many jobs were done when this one was started. */
  readonly doneBefore: number;
  readonly worker: ChildProcess;
  /** What it wants to write over, while it waits for its turn. */
  waiting?: readonly string[] | undefined;
  /** How many jobs were done before this one was. */
  rank?: number;
  outcomes?: readonly Outcome[];
}

export class WorkerPool {
  private readonly jobs: Job[] = [];
  private readonly workers = new Set<ChildProcess>();
  private finished = 0;
  private taken = 0;
  private finish: () => void = () => undefined;
  private take: (outcomes: readonly Outcome[]) => void = () => undefined;
  private showProgress: (done: number) => void = () => undefined;

  constructor(
    private readonly io: Io,
    private readonly inputs: readonly Input[],
    private readonly task: Task,
    private readonly size: number,
  ) {}

  /** @param take called with the outcomes of each file, in the order of the inputs; interrupted, it stops before the end */
  async run(take: (outcomes: readonly Outcome[]) => void, showProgress: (done: number) => void): Promise<void> {
    this.take = take;
    this.showProgress = showProgress;
    const abort = () => {
      for (const worker of this.workers) this.send(worker, { type: 'abort' });
    };
    const { signal } = this.io;
    if (signal?.aborted === true) return;
    signal?.addEventListener('abort', abort);
    try {
      await new Promise<void>((resolve) => {
        this.finish = resolve;
        showProgress(0);
        for (let i = 0; i < this.size; i++) this.next(this.start());
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      for (const worker of this.workers) if (worker.connected) worker.disconnect();
    }
  }

  private start(): ChildProcess {
    const worker = fork(WORKER, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.workers.add(worker);
    worker.on('message', (message: FromWorker) => this.hear(worker, message));
    worker.on('exit', (code, signal) => {
      this.workers.delete(worker);
      this.lose(worker, `the worker process died (${signal ?? `exit code ${code}`}); its memory may have run out`);
    });
    // It could not be started, or died while it was written to.
    worker.on('error', ({ message }) => this.lose(worker, `the worker process failed (${message})`));
    return worker;
  }

  private lose(worker: ChildProcess, message: string): void {
    const job = this.jobOf(worker);
    if (job === undefined) return;
    const failure: Failure = { code: 'ENVIRONMENT', message, exitCode: EXIT.environment };
    this.done(job, [failedOutcome((this.inputs[job.index] as Input).name, failure)]);
    if (this.jobs.length < this.inputs.length) this.next(this.start());
  }

  /** Gives a worker something to do; in the end, to none. */
  private next(worker: ChildProcess): void {
    const index = this.jobs.length;
    const input = this.inputs[index];
    if (input === undefined || this.io.signal?.aborted === true) return;
    this.jobs.push({ index, worker, doneBefore: this.finished });
    this.send(worker, { type: 'run', input, task: this.task });
  }

  private hear(worker: ChildProcess, message: FromWorker): void {
    const job = this.jobOf(worker);
    if (job === undefined) return;
    if (message.type === 'turn') {
      job.waiting = message.inputs;
      void this.giveTurns();
      return;
    }
    this.done(job, message.outcomes);
    this.next(worker);
  }

  private done(job: Job, outcomes: readonly Outcome[]): void {
    job.outcomes = outcomes;
    job.rank = this.finished++;
    this.showProgress(this.finished);
    for (let next = this.jobs[this.taken]; next?.outcomes !== undefined; next = this.jobs[++this.taken]) this.take(next.outcomes);
    void this.giveTurns();
    const all = this.io.signal?.aborted === true ? this.jobs.length : this.inputs.length;
    if (this.taken >= all) this.finish();
  }

  /** Files are written in the order of the inputs, so that any number of jobs does the same. */
  private async giveTurns(): Promise<void> {
    const job = this.jobs[this.taken];
    if (job?.waiting === undefined) return;
    const { waiting } = job;
    job.waiting = undefined;
    const inputs = new Set(await Promise.all(waiting.map(realPath)));
    // All before it are done by now: whose files did it read too early?
    const others = this.jobs.slice(0, job.index).filter(({ rank }) => (rank as number) >= job.doneBefore);
    const written = others.flatMap(({ outcomes = [] }) => outcomes.flatMap(({ fixed }) => fixed?.written ?? []));
    const again = (await Promise.all(written.map(realPath))).some((path) => inputs.has(path));
    this.send(job.worker, { type: 'turn', again });
  }

  private jobOf(worker: ChildProcess): Job | undefined {
    return this.jobs.find((job) => job.worker === worker && job.outcomes === undefined);
  }

  private send(worker: ChildProcess, message: ToWorker): void {
    if (worker.connected) worker.send(message);
  }
}
