/** What may be fed to other programs: `fix --diff`, `check --suggest-excludes`. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CLEAN, CONSTANT, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  scene = await folder.write('scene.xml', OVERLAPPING);
});

afterEach(async () => await folder.remove());

describe('--diff', () => {
  test('prints what would be written and nothing else; patch applies it', async () => {
    const { code, stdout, stderr } = await s4r(['fix', scene, '--diff']);
    expect(code).toBe(0);
    expect(stdout.startsWith(`--- ${scene}\n+++ ${scene}\n@@ `)).toBe(true);
    expect(stderr).toMatch(/^s4r: .*scene\.xml: solved: 1 -> 0 overlaps; .*\n$/);
    expect(await readFile(scene, 'utf8')).toBe(OVERLAPPING);
    const patched = execFileSync('patch', ['-o', '-', '--silent', scene], { input: stdout, encoding: 'utf8' });
    const out = folder.at('fixed.xml');
    expect((await s4r(['fix', scene, '-o', out])).code).toBe(0);
    expect(patched).toBe(await readFile(out, 'utf8'));
  });

  test('of what lies below the current directory patch -p0 finds the file by itself', async () => {
    const below = await mkdtemp('.s4r-test-');
    try {
      const here = join(below, 'scene.xml');
      await writeFile(here, OVERLAPPING);
      const { stdout } = await s4r(['fix', here, '--diff']);
      expect(stdout.startsWith(`--- ${here}\n+++ ${here}\n@@ `)).toBe(true);
      execFileSync('patch', ['-p0', '--silent'], { input: stdout });
      expect((await s4r(['check', here])).code).toBe(0);
    } finally {
      await rm(below, { recursive: true });
    }
  });

  test('with -o it is against the output, which is not written', async () => {
    const { stdout } = await s4r(['fix', scene, '--diff', '-o', folder.at('fixed.xml')]);
    expect(stdout.startsWith(`--- ${scene}\n+++ ${folder.at('fixed.xml')}\n`)).toBe(true);
    expect(await readdir(folder.path)).toEqual(['scene.xml']);
  });

  test('of several files is one diff', async () => {
    await folder.write('clean.xml', CLEAN);
    await folder.write('twin.xml', OVERLAPPING);
    const { stdout } = await s4r(['fix', folder.path, '--diff']);
    expect(stdout.match(/^--- .*/gm)).toEqual([`--- ${scene}`, `--- ${folder.at('twin.xml')}`]);
  });

  test('of a clean scene is empty', async () => {
    const clean = await folder.write('clean.xml', CLEAN);
    expect(await s4r(['fix', clean, '--diff'])).toEqual({ code: 0, stdout: '', stderr: `s4r: ${clean}: clean: nothing to do\n` });
  });
});

describe('--suggest-excludes', () => {
  test.each([
    ['mjcf', '<exclude body1="arm_a" body2="arm_b"/>\n'],
    ['srdf', '<disable_collisions link1="arm_a" link2="arm_b" reason="Default"/>\n'],
  ])('%s', async (style, line) => {
    const file = await folder.write('constant.xml', CONSTANT);
    const { code, stdout } = await s4r(['check', file, '--suggest-excludes', style]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: line });
  });

  test('of a robot in itself, once per pair of bodies; in the file they cure it', async () => {
    const link = '<joint/><geom size="0.06"/><geom size="0.05"/>';
    const tip = `<body name="tip" pos="0.05 0 0">${link}</body>`;
    const robot = `<body name="base"><freejoint/><geom size="0.06"/><body name="mid" pos="0.05 0 0">${link}${tip}</body></body>`;
    const xml = `<mujoco><worldbody>${robot}</worldbody></mujoco>`;
    const file = await folder.write('robot.xml', xml);
    expect((await s4r(['check', file])).stdout).toMatch(/^ +[\d.]+ +constant +base +tip .* exclude$/m);
    const { stdout } = await s4r(['check', file, '--suggest-excludes', 'mjcf']);
    expect(stdout).toBe('<exclude body1="base" body2="tip"/>\n');
    const cured = xml.replace('</mujoco>', `<contact>${stdout}</contact></mujoco>`);
    expect((await s4r(['check', await folder.write('cured.xml', cured)])).code).toBe(0);
  });

  test('repairable overlaps are none of its business', async () => {
    expect(await s4r(['check', scene, '--suggest-excludes', 'mjcf'])).toMatchObject({ code: 1, stdout: '' });
  });
});
