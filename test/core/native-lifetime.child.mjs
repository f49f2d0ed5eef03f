// Runs a long native solve and ends the process, or its worker thread, in the middle of it.
// Arguments: the addon, a file with a serialized {scene, options}, and how to end.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const [addonPath, inputPath, ending] = isMainThread ? process.argv.slice(2) : workerData;
const { scene, options } = deserialize(readFileSync(inputPath));
const addon = createRequire(import.meta.url)(addonPath);
const solve = (onProgress) => addon.solve(scene, options, { onProgress });

const endings = {
  /** As src/core/backend-native.ts does it: cancel and wait when the process exits. */
  exit() {
    const job = solve(() => {});
    process.once('exit', () => job.cancel(true));
    setTimeout(() => process.exit(3), 100);
  },
  exitInCallback() {
    const job = solve(() => process.exit(3));
    process.once('exit', () => job.cancel(true));
  },
  /** No one waits for the job, no one keeps its handle: the process stays until it is done. */
  async abandon() {
    const job = solve();
    setTimeout(() => job.cancel(false), 100);
  },
  async terminate() {
    for (let i = 0; i < 5; i++) {
      const worker = new Worker(new URL(import.meta.url), { workerData: [addonPath, inputPath, 'solveTwice'] });
      await new Promise((started) => worker.once('message', started));
      await new Promise((later) => setTimeout(later, 20 * i));
      await worker.terminate();
    }
  },
  solveTwice() {
    solve(() => {});
    solve(() => {});
    import('node:worker_threads').then(({ parentPort }) => parentPort.postMessage('started'));
  },
};
await endings[ending]();
