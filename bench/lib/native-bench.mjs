// Native bench programs: built on demand in the folder of the release build.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
