/** Builds the native core by one of its CMake presets: node scripts/build-native.mjs [release|dev|asan]. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { BUILD, exitWith, isMain, ROOT, run, stamp, step, which } from './steps.mjs';

/** Build folder of each preset; must agree with native/CMakePresets.json. */
export const BUILD_FOLDERS = { release: join(BUILD, 'native'), dev: join(BUILD, 'dev'), asan: join(BUILD, 'asan') };

/** As a dependency of another package, s4r finds the header packages beside itself. */
function nodeModules() {
  const manifest = createRequire(import.meta.url).resolve('node-api-headers/package.json');
  return dirname(dirname(manifest));
}

/** Configures when the presets, the place or the npm folder changed; the build tool itself sees to everything else. */
function configure(preset, folder) {
  const modules = nodeModules();
  const presets = readFileSync(join(ROOT, 'native', 'CMakePresets.json'));
  const key = createHash('sha256').update(presets).update(folder).update(modules).digest('hex');
  const done = stamp(`configured-${preset}`);
  const cache = join(folder, 'CMakeCache.txt');
  if (existsSync(cache) && done.read() === key) return;
  // A folder that was moved, or configured otherwise, would keep the old choices.
  if (done.read() !== undefined) rmSync(folder, { recursive: true, force: true });
  const generator = which('ninja') && !existsSync(cache) ? ['-G', 'Ninja'] : [];
  run('cmake', ['-S', 'native', '--preset', preset, ...generator, `-DS4R_NODE_MODULES=${modules}`]);
  done.remember(key);
}

/** Builds one preset; returns the build folder. */
export function buildNative(preset = 'release') {
  const folder = BUILD_FOLDERS[preset];
  if (folder === undefined) throw new Error(`unknown preset ${preset}; known: ${Object.keys(BUILD_FOLDERS).join(', ')}`);
  step(`native build (${preset})`, () => {
    configure(preset, folder);
    // FCL's headers take more than a gigabyte per compiler process.
    const jobs = Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / 2 ** 31)));
    run('cmake', ['--build', folder, '--parallel', String(jobs)]);
  });
  return folder;
}

if (isMain(import.meta.url)) {
  try {
    buildNative(process.argv[2]);
  } catch (error) {
    exitWith(error);
  }
}
