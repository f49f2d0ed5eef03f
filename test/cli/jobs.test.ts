/** `--jobs`: worker processes, which do the same as one. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runFiles } from '../../src/cli/run-files.js';
import { KEYS, OVERLAPPING, pile, row, temporaryFolder } from './terminal.js';

const MAIN = 'dist/cli/main.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run 'npm run setup' first`);
});

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => await folder.remove());

function start(args: readonly string[], flags: readonly string[] = []) {
  // Jest's own flags are no business of the program's.
  const child = spawn(process.execPath, [...flags, MAIN, ...args], { env: { ...process.env, NODE_OPTIONS: '' } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const finished = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
  return { child, finished };
}

const s4r = async (...args: string[]) => await start(args).finished;

/** Without what no two runs share. */
const untimed = (text: string) => text.replace(/"milliseconds": \{[^}]*\}/g, '').replace(/"threads": \d+/g, '');

describe('the same as one process', () => {
  beforeEach(async () => {
    await folder.write('a.xml', row(5));
    await folder.write('b.xml', '<mujoco>\n<worldbody>\n');
    await folder.write('c.xml', OVERLAPPING);
    await folder.write('d.xml', KEYS);
    await folder.write('e.xml', OVERLAPPING.replace('0.08 0 1', '0.2 0 1'));
  });

  test.each([['--json'], ['--format=junit'], ['--all']])('check %s', async (flag) => {
    const [one, three] = [await s4r('check', folder.path, flag), await s4r('check', folder.path, flag, '--jobs', '3')];
    expect(one.code).toBe(2);
    expect(three).toEqual(one);
  });

  test('fix', async () => {
    const [one, three] = [
      await s4r('fix', folder.path, '--dry-run', '--json'),
      await s4r('fix', folder.path, '--dry-run', '--json', '-j', '3'),
    ];
    expect({ ...three, stdout: untimed(three.stdout) }).toEqual({ ...one, stdout: untimed(one.stdout) });
    expect(JSON.parse(one.stdout).summary).toEqual({ solved: 2, failed: 1, clean: 2 });
  });
});

test('files that share one which is edited in place are repaired one after the other', async () => {
  const bodies = /<worldbody>[\s\S]*<\/worldbody>/.exec(OVERLAPPING)?.[0] ?? '';
  const texts: string[] = [];
  for (const jobs of ['1', '3']) {
    await folder.write('shared.xml', `<mujocoinclude>\n${bodies}\n</mujocoinclude>`);
    for (const name of ['a', 'b', 'c', 'd']) await folder.write(`${name}.xml`, '<mujoco><include file="shared.xml"/></mujoco>');
    const { code, stdout } = await s4r('fix', folder.path, '--in-place', '--json', '--jobs', jobs);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).summary).toEqual({ solved: 1, clean: 3 });
    texts.push(readFileSync(folder.at('shared.xml'), 'utf8'));
  }
  expect(texts[1]).toBe(texts[0]);
});

/** Process ids of the children of a process. */
const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Nobody may be there to bury it. */
const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const ON_LINUX = existsSync('/proc/self/task') ? test : test.skip;

ON_LINUX('a worker that dies takes nothing with it but its file', async () => {
  const big = await folder.write('big.xml', pile(2000));
  const small = await folder.write('small.xml', OVERLAPPING);
  const last = await folder.write('last.xml', OVERLAPPING);
  const { child, finished } = start(['fix', big, small, last, '--dry-run', '--jobs', '2']);
  const pid = child.pid as number;
  // Long enough to be past starting on a busy machine; the pile takes longer.
  while (childrenOf(pid).length < 2) await setTimeout(20);
  process.kill(childrenOf(pid)[0] as number, 'SIGKILL');
  const { code, stdout, stderr } = await finished;
  expect(code).toBe(3);
  expect(stderr).toBe(`s4r: ${big}: the worker process died (SIGKILL); its memory may have run out\n`);
  expect(stdout.endsWith('\n3 scenes: 1 failed, 2 solved\n')).toBe(true);
});

test('workers that cannot be started fail their files', async () => {
  for (const name of ['a.xml', 'b.xml', 'c.xml']) await folder.write(name, OVERLAPPING);
  const { code, stderr } = await start(
    ['check', folder.path, '--jobs', '2'],
    ['--import', 'data:text/javascript,process.execPath = "/no such node"'],
  ).finished;
  const lines = ['a', 'b', 'c'].map((name) => `s4r: ${folder.at(name)}.xml: the worker process failed (spawn /no such node ENOENT)\n`);
  expect({ code, stderr }).toEqual({ code: 3, stderr: lines.join('') });
});

ON_LINUX('Ctrl-C ends all of them with 130, and leaves nothing half written', async () => {
  const content = pile(2000);
  for (const name of ['a.xml', 'b.xml', 'c.xml']) await folder.write(name, content);
  const { child, finished } = start(['fix', folder.path, '--in-place', '--jobs', '2']);
  await setTimeout(2500);
  const workers = childrenOf(child.pid as number);
  child.kill('SIGINT');
  const { code, stderr } = await finished;
  expect(code).toBe(130);
  expect(['', 's4r: interrupted\n']).toContain(stderr);
  for (const name of ['a.xml', 'b.xml', 'c.xml']) expect(readFileSync(folder.at(name), 'utf8')).toBe(content);
  for (const worker of workers) while (isRunning(worker)) await setTimeout(20);
});

test('after Ctrl-C no worker is started', async () => {
  const silent = { write: () => undefined };
  const io = { stdout: silent, stderr: silent, signal: AbortSignal.abort() };
  const inputs = ['a.xml', 'b.xml'].map((name) => ({ name, path: folder.at(name), below: name }));
  const outcomes = await runFiles(io, inputs, { flags: {}, reports: [] }, 2, () => undefined);
  expect(outcomes).toMatchObject([{ file: 'a.xml', verdict: 'interrupted' }]);
});
