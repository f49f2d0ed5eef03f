// One run of the command line in a process of its own, under a time limit.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Outcomes that no input may have. */
export const FAILURES = ['crash', 'hang', 'defect'];

const BY_EXIT_CODE = new Map([
  [0, 'clean'],
  [1, 'overlapping'],
  [2, 'refused'],
  [3, 'defect'],
  [4, 'hull-only'],
]);

/**
 * `status` is the word of the report for how it ended, or one for the exit code; `report` its JSON, if there is one;
 * `message` the first line of a refusal or a failure; `seconds` the time it took.
 */
export async function outcomeOf(args, limit) {
  const start = performance.now();
  const { error, stdout, stderr } = await run(args, limit);
  const seconds = (performance.now() - start) / 1000;
  if (error?.killed) return { status: 'hang', message: `no end within ${limit} s`, seconds };
  const code = error === null ? 0 : error.code;
  const byCode = BY_EXIT_CODE.get(code);
  if (byCode === undefined) return { status: 'crash', message: firstLine(stderr) ?? `it ended with ${error.signal ?? code}`, seconds };
  const report = parse(stdout);
  const message = report?.error?.message ?? (code >= 2 ? refusal(stderr) : undefined);
  if (report === undefined && code < 2) return { status: 'defect', message: 'it printed no report', seconds };
  const failed = byCode === 'defect' || (byCode === 'refused' && message !== undefined);
  return { status: failed ? byCode : wordOf(report ?? {}, byCode), report, message, seconds };
}

/** A repair that had nothing to do ended `clean`; of the scene the verdict says more. */
function wordOf({ status, verdict }, byCode) {
  return status === undefined || status === 'clean' ? (verdict ?? status ?? byCode) : status;
}

function run(args, limit) {
  return new Promise((resolve) => {
    const options = { timeout: limit * 1000, killSignal: 'SIGKILL', maxBuffer: 2 ** 30, env: { ...process.env, NODE_OPTIONS: '' } };
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a refusal prints none
  }
}

const linesOf = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^s4r: /, ''));
const firstLine = (text) => linesOf(text)[0];
/** Notes and warnings come before it. */
const refusal = (text) => linesOf(text).find((line) => !/^(note|warning): /.test(line));
