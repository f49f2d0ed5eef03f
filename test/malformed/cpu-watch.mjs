// A thread that ends its process when the CPU time named in `workerData` is used up. It runs where the main thread cannot: engines in
// WebAssembly cannot be interrupted.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { cpuSeconds } from './cpu-seconds.mjs';

/** How often it looks [ms]. */
const INTERVAL = 100;

setInterval(() => {
  if (cpuSeconds() <= workerData.until[0]) return;
  writeSync(2, `${workerData.message}\n`);
  process.kill(process.pid, 'SIGKILL');
}, INTERVAL);
