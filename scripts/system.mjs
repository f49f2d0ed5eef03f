/** System packages: finds out what is really missing, and installs it where that is possible without asking. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD, run, StepError, step, which } from './steps.mjs';

/** Where CMake would find headers too. */
function hasHeader(path) {
  const prefixes = [
    ...(process.env.CMAKE_PREFIX_PATH ?? '').split(/[:;]/),
    process.env.CONDA_PREFIX,
    '/usr',
    '/usr/local',
    '/opt/homebrew',
  ];
  return prefixes.some((prefix) => prefix && existsSync(join(prefix, 'include', path)));
}

/** Output of a command's version option as [major, minor], or undefined. */
function version(command, args = ['--version']) {
  const found = /(\d+)\.(\d+)/.exec(spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '');
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

function atLeast(found, major, minor) {
  return found !== undefined && (found[0] > major || (found[0] === major && found[1] >= minor));
}

/** OSQP's sources are fetched once; the clients that fetch them are not needed afterwards, nor beside an installed OSQP. */
function fetched(name) {
  const folder = join(BUILD, 'deps');
  return hasHeader('osqp/osqp.h') || (existsSync(folder) && readdirSync(folder).some((entry) => entry.startsWith(name)));
}

const NEEDS = [
  { what: 'a C++20 compiler', debian: 'g++', met: () => ['c++', 'g++', 'clang++'].some(which) },
  { what: 'CMake 3.21 or later', debian: 'cmake', met: () => which('cmake') && atLeast(version('cmake'), 3, 21) },
  { what: 'Ninja or make', debian: 'ninja-build', met: () => which('ninja') ?? which('make') },
  { what: 'Eigen 3', debian: 'libeigen3-dev', met: () => hasHeader('eigen3/Eigen/Core') || hasHeader('Eigen/Core') },
  { what: 'FCL 0.7', debian: 'libfcl-dev', met: () => hasHeader('fcl/config.h') },
  { what: 'GoogleTest', debian: 'libgtest-dev', met: () => hasHeader('gtest/gtest.h') },
  // Debian 12's own cargo is too old for the registry; its cargo-web is current.
  {
    what: 'cargo 1.70 or later, to fetch OSQP',
    debian: 'cargo',
    met: () => fetched('osqp-sys-') || (which('cargo') && atLeast(version('cargo'), 1, 70)),
  },
  {
    what: 'Python 3 with pip, to fetch QDLDL',
    debian: 'python3-pip',
    met: () => fetched('qdldl-') || (which('python3') && version('python3', ['-m', 'pip', '--version'])),
  },
];

/** The command that installs packages: apt-get itself for root, through sudo when it asks for no password. */
function aptGet() {
  if (process.getuid?.() === 0) return ['apt-get'];
  const sudo = which('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return sudo ? ['sudo', '-n', 'apt-get'] : undefined;
}

function debianPackages(missing) {
  const packages = missing.map((need) => need.debian);
  const at = packages.indexOf('cargo');
  if (at >= 0 && run('apt-cache', ['search', '--names-only', '^cargo-web$']).trim() !== '') packages[at] = 'cargo-web';
  return packages;
}

/** Installs what is missing, or throws with what to install. */
export function ensureSystemPackages() {
  let missing = NEEDS.filter((need) => !need.met());
  if (missing.length === 0) return;
  const list = () => missing.map((need) => need.what).join('; ');
  if (!which('apt-get')) {
    throw new StepError(`This machine lacks: ${list()}. Install them with your package manager and run this again.`, 3);
  }
  const apt = aptGet();
  if (apt === undefined) {
    const command = `sudo apt-get update && sudo apt-get install -y ${debianPackages(missing).join(' ')}`;
    throw new StepError(`This machine lacks: ${list()}. Run this, then try again:\n\n  ${command}`, 3);
  }
  step('system packages', () => {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const [command, ...args] = [...apt, '-q', '-o', 'DPkg::Lock::Timeout=300'];
    run(command, [...args, 'update'], { env });
    const packages = debianPackages(missing);
    run(command, [...args, 'install', '-y', '--no-install-recommends', ...packages], { env });
    return packages.join(' ');
  });
  missing = NEEDS.filter((need) => !need.met());
  if (missing.length > 0) throw new StepError(`Installed what apt-get offers, but this machine still lacks: ${list()}.`, 3);
}
