/**
 * npm test: sets up, runs the C++ tests, the TypeScript tests and the linter, and ends with one line of totals.
 * --sanitize also runs the C++ tests under the address and undefined-behaviour sanitizers; other arguments go to Jest.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FOLDERS, buildNative } from './build-native.mjs';
import { openUsdEnvironment } from './openusd.mjs';
import { buildTypeScript, installDependencies } from './setup.mjs';
import { BUILD, ROOT, StepError } from './steps.mjs';

const REPORTS = join(BUILD, 'reports');
const totals = { passed: 0, failed: 0, skipped: 0 };

/** Adds one runner's counts. A runner that ended badly without naming a failed test counts as one failed test. */
function add(name, counts, exitCode) {
  const failed = counts.failed === 0 && exitCode !== 0 ? 1 : counts.failed;
  totals.passed += counts.passed;
  totals.failed += failed;
  totals.skipped += counts.skipped;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`\n[${name}] passed: ${counts.passed}, failed: ${failed}${skipped}\n`);
}

/** Runs a command with its output shown; its report, if it got as far as writing one, tells what it counted. */
function runTests(name, command, args, report, count, env = {}) {
  console.log(`\n[${name}]`);
  rmSync(report, { force: true });
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  if (result.error) console.error(`cannot run ${command}: ${result.error.message}`);
  if (result.signal) console.error(`${name}: ended by ${result.signal}`);
  let counts = { passed: 0, failed: 0, skipped: 0 };
  let exitCode = result.status ?? 1;
  try {
    counts = count(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    console.error(`${name}: no usable report (${error.message})`);
    exitCode ||= 1;
  }
  add(name, counts, exitCode);
}

function countGoogleTest(report) {
  const tests = report.testsuites.flatMap((suite) => suite.testsuite);
  const failed = tests.filter((test) => test.failures?.length > 0).length;
  const skipped = tests.filter((test) => test.status === 'NOTRUN' || test.result === 'SKIPPED').length;
  return { passed: tests.length - failed - skipped, failed, skipped };
}

/** A suite that does not load has no tests of its own to fail. */
function countJest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Does a step of the build; one that fails counts as a failed test, and what can be tested without it still is. */
function attempt(name, work) {
  try {
    work();
    return true;
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error);
    add(name, { passed: 0, failed: 1, skipped: 0 }, 1);
    return false;
  }
}

function nativeTests(name, preset, env = {}) {
  if (!attempt(name, () => buildNative(preset))) return;
  const report = join(REPORTS, `native-${preset}.json`);
  const program = join(BUILD_FOLDERS[preset], 's4r_tests');
  runTests(name, program, ['--gtest_brief=1', `--gtest_output=json:${report}`], report, countGoogleTest, env);
}

function jestTests(args) {
  const report = join(REPORTS, 'jest.json');
  const options = [process.env.NODE_OPTIONS, '--experimental-vm-modules'].filter(Boolean).join(' ');
  const jest = ['node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`, ...args];
  runTests('jest', process.execPath, jest, report, countJest, { NODE_OPTIONS: options, ...openUsdEnvironment() });
}

function lint() {
  console.log('\n[lint]');
  const code = spawnSync('npm', ['run', '--silent', 'lint'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
  add('lint', { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }, code);
}

const args = process.argv.slice(2);
const sanitize = args.includes('--sanitize');
mkdirSync(REPORTS, { recursive: true });
if (attempt('setup', installDependencies)) {
  nativeTests('native', 'release');
  attempt('TypeScript build', buildTypeScript);
  jestTests(args.filter((arg) => arg !== '--sanitize'));
  lint();
  if (sanitize) nativeTests('native, sanitizers', 'asan', { UBSAN_OPTIONS: 'print_stacktrace=1' });
}
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
