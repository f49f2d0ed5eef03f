/** OpenUSD's own Python package, for the tests that check a written layer with it. Kept in build/, not in the system. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { BUILD, run, step } from './steps.mjs';

const PACKAGES = ['usd-core', 'numpy'];
const FOLDER = join(BUILD, 'python');

function importable(env) {
  return (
    spawnSync('python3', ['-c', 'from pxr import Usd; import numpy'], { stdio: 'ignore', env: { ...process.env, ...env } }).status === 0
  );
}

/**
 * Environment in which `python3` imports pxr and tests may not skip for want of it; empty where it is not installed. CI fetches the
 * package, nobody else's tests do. There is none for every machine: where it cannot be installed, those tests show among the skipped;
 * where it was, but does not load, they fail.
 */
export function openUsdEnvironment() {
  const env = { PYTHONPATH: [FOLDER, process.env.PYTHONPATH].filter(Boolean).join(delimiter) };
  if (importable({})) return { S4R_REQUIRE_PXR: '1' };
  if (importable(env)) return { ...env, S4R_REQUIRE_PXR: '1' };
  if (process.env.CI !== 'true') return {};
  try {
    step('usd-core for Python', () => {
      run('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', FOLDER, ...PACKAGES]);
    });
  } catch (error) {
    console.error(`The tests that need usd-core are skipped: ${error.message}`);
    return {};
  }
  return { ...env, S4R_REQUIRE_PXR: '1' };
}
