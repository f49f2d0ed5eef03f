/**
 * Makes a checkout ready to run: system packages, npm packages, native build, TypeScript build.
 * Idempotent, and quick when nothing is to be done, so the demo and the tests call it every time.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildNative } from './build-native.mjs';
import { exitWith, isMain, ROOT, run, StepError, stamp, step } from './steps.mjs';
import { ensureSystemPackages } from './system.mjs';

const MIN_NODE = 20;

function checkNode() {
  if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
    throw new StepError(`s4r needs Node ${MIN_NODE} or later; this is ${process.version}. Install a newer Node and run this again.`, 3);
  }
}

/** Packages of a lockfile by path. */
function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm's own record of what is installed against what the lockfile wants; only optional packages may be missing. */
function npmPackagesCurrent() {
  const wanted = lockedPackages(join(ROOT, 'package-lock.json'));
  const installed = lockedPackages(join(ROOT, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return (
    Object.entries(installed).every(([path, entry]) => wanted[path]?.version === entry.version) &&
    Object.entries(wanted).every(([path, entry]) => path === '' || entry.optional === true || path in installed)
  );
}

/** Install scripts are not needed: the packages with binaries bring them as optional packages per platform. */
function installNpmPackages() {
  if (npmPackagesCurrent()) return;
  const command = existsSync(join(ROOT, 'package-lock.json')) ? 'ci' : 'install';
  step('npm packages', () => {
    run('npm', [command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

/** Compiles src/ into dist/ when a source, a compiler setting or the compiler changed. */
export function buildTypeScript() {
  const hash = createHash('sha256');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true }).filter((path) => path.endsWith('.ts'));
  const files = [
    'tsconfig.json',
    'tsconfig.build.json',
    'node_modules/typescript/package.json',
    ...sources.sort().map((path) => `src/${path}`),
  ];
  for (const path of files) hash.update(path).update(readFileSync(join(ROOT, path)));
  const key = hash.digest('hex');
  const done = stamp('typescript');
  const dist = join(ROOT, 'dist');
  if (existsSync(dist) && done.read() === key) return;
  step('TypeScript build', () => {
    // Also removes what deleted sources left behind.
    rmSync(dist, { recursive: true, force: true });
    run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmitOnError']);
    const cli = join(dist, 'cli', 'main.js');
    if (existsSync(cli)) chmodSync(cli, 0o755);
    done.remember(key);
  });
}

export function installDependencies() {
  checkNode();
  ensureSystemPackages();
  installNpmPackages();
}

export function setup() {
  installDependencies();
  buildNative('release');
  buildTypeScript();
}

if (isMain(import.meta.url)) {
  try {
    setup();
  } catch (error) {
    exitWith(error);
  }
}
