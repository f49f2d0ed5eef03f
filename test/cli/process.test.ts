/** The program as a real process: what only a process can get wrong. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OVERLAPPING, pile, row, temporaryFolder } from './terminal.js';

const MAIN = 'dist/cli/main.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;

beforeAll(async () => {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run 'npm run setup' first`);
  folder = await temporaryFolder();
  scene = await folder.write('scene.xml', OVERLAPPING);
});

afterAll(async () => await folder.remove());

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  // Jest's own flags are no business of the program's.
  return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, NODE_OPTIONS: '', ...env } });
}

async function finish(child: ChildProcess) {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...output };
}

test('exit codes, stdout and stderr arrive', async () => {
  const { code, stdout, stderr } = await finish(start(['check', scene]));
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toContain('1 overlap between 1 body pair');
  expect(await finish(start(['check', 'missing.xml']))).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^s4r: .*missing\.xml: no such file\n$/),
  });
});

test('a large report arrives whole through a pipe', async () => {
  const file = await folder.write('row.xml', row(400));
  const { code, stdout } = await finish(start(['check', file, '--json']));
  expect(code).toBe(1);
  // Far beyond the 64 kB a pipe holds.
  expect(stdout.length).toBeGreaterThan(150_000);
  expect(JSON.parse(stdout).overlaps).toHaveLength(399);
});

test('a reader that goes away does not stop the work', async () => {
  const out = folder.at('fixed.xml');
  const child = start(['fix', scene, '-o', out, '--json']);
  child.stdout?.destroy();
  const { code, stderr } = await finish(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(existsSync(out)).toBe(true);
});

test('without anybody to tell, a bad call still ends with 2', async () => {
  const child = start(['check', 'missing.xml']);
  child.stderr?.destroy();
  expect((await finish(child)).code).toBe(2);
});

(existsSync('/dev/full') ? test : test.skip)('output that cannot be written is an error of one line', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [MAIN, 'check', scene, '--json'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', full, 'pipe'],
  });
  expect(await finish(child)).toEqual({ code: 2, stdout: '', stderr: 's4r: cannot write to standard output (ENOSPC)\n' });
  closeSync(full);
});

test('a report may go into a pipe', async () => {
  const pipe = folder.at('pipe');
  execFileSync('mkfifo', [pipe]);
  const [reader] = await Promise.all([finish(spawn('cat', [pipe])), finish(start(['check', scene, '--report', pipe]))]);
  expect(JSON.parse(reader.stdout).command).toBe('check');
  expect(statSync(pipe).isFIFO()).toBe(true);
});

describe('Ctrl-C', () => {
  // 0.5 s is while reading on most machines, where it kills, and 6 s while solving, where it cancels.
  test.each([500, 6000])('after %d ms ends a repair and leaves the scene as it was', async (delay) => {
    const content = pile(2000);
    const file = await folder.write('pile.xml', content);
    const child = start(['fix', file, '--in-place']);
    const closed = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
    setTimeout(() => child.kill('SIGINT'), delay);
    const { stderr } = await finish(child);
    expect(['SIGINT', 130]).toContain(await closed);
    expect(stderr).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(folder.path).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('ends a rollout with 130', async () => {
    const child = start(['rollout', scene, '--seconds', '1e6']);
    const finished = finish(child);
    // Long enough to be past loading MuJoCo on a busy machine; earlier would end the same way.
    setTimeout(() => child.kill('SIGINT'), 3000);
    expect(await finished).toEqual({ code: 130, stdout: '', stderr: 's4r: interrupted\n' });
  });
});

test('importing the library loads neither the native core nor an engine', async () => {
  const script = `
    await import('./dist/index.js');
    const heavy = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'));
    const packages = Object.keys((await import('node:module')).createRequire(import.meta.url).cache);
    console.log(JSON.stringify([heavy, packages]));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env: { ...process.env, NODE_OPTIONS: '' } });
  const { code, stdout } = await finish(child);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([[], []]);
});
