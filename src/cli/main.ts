#!/usr/bin/env node
/** The `s4r` program: the process around `run`. */
import { EXIT } from './exit-codes.js';
import { run } from './program.js';

// A reader that has seen enough (`s4r check scene.xml | head`) is no reason to stop before the work is done; a full disk is
// a failure. When stderr goes away there is nobody left to tell.
let outputLost = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || outputLost) return;
  outputLost = true;
  process.exitCode = EXIT.usage;
  process.stderr.write(`s4r: cannot write to standard output (${code})\n`);
});
process.stderr.on('error', () => undefined);

let controller: AbortController | undefined;

// Not process.exit(), which would cut off output still on its way into a pipe.
const exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opening it would keep the process waiting for it.
  get stdin() {
    return process.stdin;
  },
  /**
   * Listening starts with the first who can be cancelled: reading cannot, and a listener would only keep Ctrl-C from ending
   * it. The second Ctrl-C, with nobody listening any more, kills.
   */
  get signal() {
    if (controller === undefined) {
      const listening = new AbortController();
      process.once('SIGINT', () => listening.abort());
      controller = listening;
    }
    return controller.signal;
  },
});
if (!outputLost) process.exitCode = exitCode;
