/** What `s4r check` makes of damaged files, under a watch: they may be refused or judged, and nothing else. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutate.js';

/** As the command line ended, in its words. */
interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** For a damaged file, and for one in order after it in the same process. */
interface Answers {
  readonly answer: Answer;
  readonly after: Answer;
}

export interface Outcome {
  readonly mutant: Mutant;
  /** `defect`: anything but exit 2 with one line, or a verdict; or what comes after it suffers. */
  readonly kind: 'judged' | 'refused' | 'defect';
  /** The refusal, or what is wrong. */
  readonly message: string;
}

/** Longest time for one file [ms]. */
const PATIENCE = 10_000;

/** Exit codes of `check` with a report: clean, overlapping, without colliders, hulls alone overlapping. */
const VERDICTS = [0, 1, 2, 4];

/** A process is replaced after so many files: engines that broke are left in it. */
const FILES_PER_PROCESS = 100;

const CHILD = fileURLToPath(new URL('./check.child.mjs', import.meta.url));

/** Examine them one by one, in processes of their own; after each, `undamaged` must still be read. */
export async function examine(mutants: readonly Mutant[], undamaged: Mutant): Promise<Outcome[]> {
  return await inFolder(undamaged, async (good) => {
    const outcomes: Outcome[] = [];
    let process = new Examiner(good);
    const first = verdict(await process.ask(good));
    if (first.kind !== 'judged') throw new Error(`the undamaged file must be judged, but: ${first.message}`);
    for (const [i, mutant] of mutants.entries()) {
      if (i % FILES_PER_PROCESS === FILES_PER_PROCESS - 1 || outcomes.at(-1)?.kind === 'defect') {
        process.end();
        process = new Examiner(good);
      }
      outcomes.push({ mutant, ...(await inFolder(mutant, async (path) => verdict(await process.ask(path)))) });
    }
    process.end();
    return outcomes;
  });
}

/** Run `use` with the path of the main file, in a folder that is gone afterwards. */
export async function inFolder<T>({ files, main }: Mutant, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 's4r-malformed-'));
  try {
    for (const [name, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    return await use(join(folder, main));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function verdict(answers: Answers | string): Omit<Outcome, 'mutant'> {
  if (typeof answers === 'string') return { kind: 'defect', message: answers };
  const { answer, after } = answers;
  const shown = ({ code, stdout, stderr }: Answer) => `exit ${code}: ${`${stderr}${stdout}`.slice(0, 500)}`;
  if (after.stdout === '') return { kind: 'defect', message: `${shown(answer)}; then of an undamaged file ${shown(after)}` };
  const { code, stdout, stderr } = answer;
  const told = stderr.split('\n').filter((line) => !/^(s4r: (note|warning): .*)?$/.test(line));
  if (code === 2 && stdout === '' && told.length === 1 && told[0]?.startsWith('s4r: ') === true && !told[0].includes('internal error')) {
    return { kind: 'refused', message: told[0].slice('s4r: '.length) };
  }
  return { kind: VERDICTS.includes(code) && stdout !== '' ? 'judged' : 'defect', message: shown(answer) };
}

/** One process that checks files. */
class Examiner {
  private readonly child: ChildProcess;
  private stderr = '';

  constructor(private readonly good: string) {
    this.child = fork(CHILD, { silent: true, execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
  }

  /** The answers, or why there are none. */
  async ask(file: string): Promise<Answers | string> {
    let done: (answer: Answers | string) => void = () => undefined;
    const answered = new Promise<Answers | string>((resolve) => {
      done = resolve;
    });
    const onExit = (code: number | null, signal: string | null) =>
      done(`the process ended with ${signal ?? code}: ${this.stderr.slice(-2000)}`);
    const timer = setTimeout(() => done(`no answer within ${PATIENCE / 1000} s`), PATIENCE);
    this.child.once('exit', onExit);
    this.child.once('message', done);
    this.child.send({ file, good: this.good });
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
      this.child.off('exit', onExit);
      this.child.off('message', done);
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }
}
