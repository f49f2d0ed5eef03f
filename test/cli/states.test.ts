/** `--key all`: every state of a file in turn. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { KEYS, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  scene = await folder.write('scene.xml', KEYS);
});

afterEach(async () => await folder.remove());

const verdicts = (stdout: string) =>
  JSON.parse(stdout).files.map(({ state, verdict }: { state: string; verdict: string }) => [state, verdict]);

test('check reports one by one', async () => {
  const { code, stdout } = await s4r(['check', scene, '--key', 'all']);
  expect(code).toBe(1);
  expect(stdout).toContain(`${scene} (apart): no overlaps\n`);
  expect(stdout).toContain(`${scene} (nearer): 1 overlap between 1 body pair, deepest 20 mm\n`);
  expect(stdout.endsWith('\n3 scenes: 1 clean, 2 overlapping\n')).toBe(true);
  expect(verdicts((await s4r(['check', scene, '--key', 'all', '--json'])).stdout)).toEqual([
    ['apart', 'clean'],
    ['near', 'overlapping'],
    ['nearer', 'overlapping'],
  ]);
});

const CLEAN_STATES = ['apart', 'near', 'nearer'].map((state) => [state, 'clean']);

test('fix repairs each in what the one before wrote', async () => {
  const out = folder.at('fixed.xml');
  const { code, stdout } = await s4r(['fix', scene, '--key', 'all', '-o', out, '--json']);
  expect(code).toBe(0);
  expect(verdicts(stdout)).toEqual([
    ['apart', 'clean'],
    ['near', 'solved'],
    ['nearer', 'solved'],
  ]);
  expect(verdicts((await s4r(['check', out, '--key', 'all', '--json'])).stdout)).toEqual(CLEAN_STATES);
  expect(await readFile(scene, 'utf8')).toBe(KEYS);
  expect((await s4r(['fix', scene, '--key', 'all', '--in-place'])).code).toBe(0);
  expect(await readFile(scene, 'utf8')).toBe(await readFile(out, 'utf8'));
});

test('a diff of all of them is one that patch applies', async () => {
  const { stdout } = await s4r(['fix', scene, '--key', 'all', '--diff']);
  expect(stdout.match(/^--- /gm)).toHaveLength(1);
  expect(stdout.match(/(?<=^-.*<key name=")\w+/gm)).toEqual(['near', 'nearer']);
  expect(await readFile(scene, 'utf8')).toBe(KEYS);
  const patched = execFileSync('patch', ['-o', '-', '--silent', scene], { input: stdout, encoding: 'utf8' });
  expect((await s4r(['fix', scene, '--key', 'all', '--in-place'])).code).toBe(0);
  expect(patched).toBe(await readFile(scene, 'utf8'));
});

test('states on one line have no common diff', async () => {
  const line = await folder.write('line.xml', KEYS.replace(/>\s+<key/g, '><key'));
  const { code, stderr } = await s4r(['fix', line, '--key', 'all', '--diff']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/two states change line \d+ of .*line\.xml/) });
});

test('files that hold one state go by the state', async () => {
  const { code } = await s4r(['fix', scene, '--key', 'all', '--write', 'npz', '-o', `${folder.at('states')}/`]);
  expect(code).toBe(0);
  expect((await readdir(folder.at('states'))).sort()).toEqual(['scene.apart.npz', 'scene.near.npz', 'scene.nearer.npz']);
  expect((await s4r(['fix', scene, '--key', 'near', '--write', 'npz', '-o', folder.at('one.npz')])).code).toBe(0);
  const { stdout, stderr } = await s4r(['fix', scene, '--key', 'near', '--write', 'npz', '-o', folder.at('two.npz'), '--diff']);
  expect(stdout).toBe('');
  expect((await s4r(['fix', scene, '--key', 'near', '--write', 'npz', '--dry-run'])).stdout).toContain(
    `would write ${folder.at('scene.npz')}\n`,
  );
  const inPlace = await s4r(['fix', scene, '--key', 'near', '--write', 'npz', '--in-place']);
  expect(inPlace).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/cannot take the place of the scene/) });
  expect(stderr).toContain('two.npz would be written; it is no text, so there is no diff of it');
});

test('one keyframe does not hold several states, and a scene is no npz file', async () => {
  const keyframe = await s4r(['fix', scene, '--key', 'all', '--write', 'keyframe', '-o', folder.at('out.xml')]);
  expect(keyframe).toMatchObject({ code: 2, stderr: expect.stringMatching(/--write keyframe keeps one state/) });
  const npz = await s4r(['fix', scene, '--key', 'near', '--write', 'npz', '-o', folder.at('out.xml')]);
  expect(npz).toMatchObject({ code: 2, stderr: expect.stringMatching(/choose a name that ends in \.npz/) });
  expect(await readdir(folder.path)).toEqual(['scene.xml']);
});

test('a shared included file is not edited for a copy', async () => {
  const keys = /<keyframe>[\s\S]*<\/keyframe>/.exec(KEYS)?.[0] ?? '';
  await folder.write('keys.xml', `<mujocoinclude>\n${keys}\n</mujocoinclude>`);
  const including = await folder.write('including.xml', KEYS.replace(keys, '<include file="keys.xml"/>'));
  const before = await readFile(folder.at('keys.xml'), 'utf8');
  const { code } = await s4r(['fix', including, '--key', 'all', '-o', folder.at('out.xml')]);
  expect(code).toBe(0);
  expect(await readFile(folder.at('keys.xml'), 'utf8')).toBe(before);
  expect(verdicts((await s4r(['check', folder.at('out.xml'), '--key', 'all', '--json'])).stdout)).toEqual(CLEAN_STATES);
});

test('a file without keyframes is refused', async () => {
  const { code, stderr } = await s4r(['check', await folder.write('none.xml', OVERLAPPING), '--key', 'all']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/no keyframe/) });
});
