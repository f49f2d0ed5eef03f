/** A worker process of `--jobs`: one file after the other, as it is told, until its parent goes away. */
import type { Io } from './io.js';
import { runFile } from './run-file.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

const controller = new AbortController();
const silent = { write: () => undefined };
const io: Io = { stdout: silent, stderr: silent, signal: controller.signal };

let answer: (again: boolean) => void = () => undefined;

function send(message: FromWorker): void {
  process.send?.(message);
}

async function turn(inputs: readonly string[]): Promise<boolean> {
  send({ type: 'turn', inputs });
  return await new Promise((resolve) => {
    answer = resolve;
  });
}

process.on('message', async (message: ToWorker) => {
  if (message.type === 'abort') controller.abort();
  else if (message.type === 'turn') answer(message.again);
  else send({ type: 'done', outcomes: await runFile(io, message.input, message.task, turn) });
});

// Ctrl-C reaches every process of the terminal; the parent decides what it means.
process.on('SIGINT', () => undefined);
// Without a parent there is nobody to work for, and a solve under way would go on for long. It has no output that this could cut off.
process.on('disconnect', () => process.exit());
