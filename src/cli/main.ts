#!/usr/bin/env node
/** The `s4r` program: the process around `run`. */
import { run } from './program.js';

// A reader that has seen enough (`s4r check scene.xml | head`) is no reason to stop before the work is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The first Ctrl-C cancels; the second one, with nobody listening any more, kills.
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

// Not process.exit(), which would cut off output still on its way into a pipe.
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
});
