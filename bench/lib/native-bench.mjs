// Native bench programs: built on demand in the folder of the release build, and run line by line.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUILD_FOLDERS } from '../../scripts/build-native.mjs';
import { run, StepError } from '../../scripts/steps.mjs';
import { BenchExit } from './exit.mjs';

/**
 * Builds the target `name` and returns the path of the program.
 * @throws BenchExit 3 where the native core is not built, or this does not build
 */
export function buildBench(name) {
  const folder = BUILD_FOLDERS.release;
  if (!existsSync(join(folder, 'CMakeCache.txt'))) throw new BenchExit(3, "the native core is not built; run 'npm run setup' first");
  try {
    run('cmake', ['-S', 'native', '-B', folder, '-DS4R_BENCH=ON']);
    run('cmake', ['--build', folder, '--target', name]);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new BenchExit(3, error.message);
  }
  return join(folder, name);
}

/**
 * Runs a program that prints one JSON row per line; `onRow` sees each at once.
 * @throws BenchExit 3 where it fails
 */
export async function runRows(program, args, onRow) {
  const child = spawn(program, args.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const closed = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) onRow(JSON.parse(line));
  const code = await closed;
  if (code !== 0) throw new BenchExit(3, errors.trim() || `${program} ended with code ${code}`);
}
