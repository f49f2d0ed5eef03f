/**
 * Compiles the native core for 64-bit ARM, without linking: node scripts/check-arm64.mjs. Skipped where there is no cross
 * compiler (Debian and Ubuntu: apt-get install g++-aarch64-linux-gnu). Left out is what needs libraries built for ARM: FCL, OSQP
 * and Node.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BUILD, exitWith, isMain, ROOT, StepError, which } from './steps.mjs';

const COMPILER = 'aarch64-linux-gnu-g++';

/** Of the x86 kernels, and of files that include FCL or OSQP themselves. */
const LEFT_OUT = /_(avx2|sse2)\.cpp$|\/fcl_[^/]*\.cpp$|\/osqp_[^/]*\.cpp$/;

const FLAGS = ['-std=c++20', '-O3', '-Wall', '-Wextra', '-Werror', '-ffp-contract=off', '-Wno-maybe-uninitialized', '-DS4R_VERSION="0"'];

/** Eigen has no compiled part, so the headers of this machine do. */
function eigenFolder() {
  const commands = readFileSync(join(BUILD, 'native', 'compile_commands.json'), 'utf8');
  return /-isystem (\S*eigen\S*)/i.exec(commands)?.[1] ?? '/usr/include/eigen3';
}

function compile(file, folder, eigen) {
  const object = join(folder, `${file.replaceAll('/', '-')}.o`);
  const args = [...FLAGS, '-Inative/src', '-Inative/include', '-isystem', eigen, '-c', join('native/src', file), '-o', object];
  return new Promise((resolve, reject) => {
    const child = spawn(COMPILER, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new StepError(`${file}\n${errors}`))));
  });
}

async function main() {
  if (which(COMPILER) === undefined) {
    console.log(`arm64 check skipped: no ${COMPILER} here (Debian and Ubuntu: apt-get install g++-aarch64-linux-gnu)`);
    return;
  }
  const folder = join(BUILD, 'arm64');
  mkdirSync(folder, { recursive: true });
  const eigen = eigenFolder();
  const all = readdirSync(join(ROOT, 'native', 'src'), { recursive: true }).filter((file) => file.endsWith('.cpp'));
  const files = all.filter((file) => !LEFT_OUT.test(file)).sort();
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await compile(file, folder, eigen);
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  console.log(`arm64: ${files.length} of ${all.length} files compile`);
}

if (isMain(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    exitWith(error);
  }
}
