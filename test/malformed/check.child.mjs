// Runs `s4r check` on files named by messages, each followed by one that is in order, and answers with what a user would get. A file
// that takes more CPU time than `limit` [s] ends the process.
import { Worker } from 'node:worker_threads';
import { run } from '../../dist/cli/program.js';
import { cpuSeconds } from './cpu-seconds.mjs';

/** CPU time at which the process ends [s], shared with the watch. */
const until = new Float64Array(new SharedArrayBuffer(8)).fill(Infinity);
const limit = Number(process.argv[2]);
new Worker(new URL('./cpu-watch.mjs', import.meta.url), {
  workerData: { until, message: `more than ${limit} s of CPU time` },
}).unref();

async function check(file) {
  const caught = { stdout: '', stderr: '' };
  const output = (name) => ({
    write: (text) => {
      caught[name] += text;
    },
  });
  const code = await run(['check', file], { stdout: output('stdout'), stderr: output('stderr') });
  return { code, ...caught };
}

process.on('message', async ({ file, good }) => {
  until[0] = cpuSeconds() + limit;
  const answer = await check(file);
  until[0] = Infinity;
  process.send({ answer, after: await check(good) });
});
