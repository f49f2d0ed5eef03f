// One cell in a process of its own: `runCell` starts this file again, which prints the row as JSON.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { warmSolver } from './harness.mjs';
import { measureProfile } from './measure.mjs';
import { METHODS } from './methods.mjs';
import { loadPool } from './pools.mjs';
import { buildScene } from './spawn.mjs';

const FILE = fileURLToPath(import.meta.url);

/** `spec`: {bench, cell: {pool, n, seed, recipe}, method: name, threads}. The row has `sceneMegabytes` and `peakMegabytes` too. */
export async function runCell(spec) {
  const { stdout } = await promisify(execFile)(process.execPath, [FILE, JSON.stringify(spec)], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

async function main({ bench, cell: { recipe, ...cell }, method, threads }) {
  const solver = await warmSolver(threads);
  const scene = buildScene(loadPool(cell.pool), recipe, cell.n, cell.seed);
  const sceneMegabytes = process.memoryUsage().rss / 2 ** 20;
  const row = await measureProfile(solver, { bench, ...cell, ...recipe }, scene, { name: method, ...METHODS[method] }, threads);
  const peakMegabytes = process.resourceUsage().maxRSS / 2 ** 10;
  console.log(JSON.stringify({ ...row, sceneMegabytes, peakMegabytes }));
}

if (process.argv[1] === FILE) await main(JSON.parse(process.argv[2]));
