/** --baseline and --write-baseline. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CONSTANT, KEYS, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;
let baseline: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  scene = await folder.write('scenes/scene.xml', OVERLAPPING);
  baseline = folder.at('accepted.json');
});

afterEach(async () => await folder.remove());

const entries = async (): Promise<Record<string, unknown>[]> => JSON.parse(await readFile(baseline, 'utf8'));

describe('check', () => {
  test('what is accepted does not fail; what is deeper does', async () => {
    expect((await s4r(['check', folder.at('scenes'), '--write-baseline', baseline])).code).toBe(0);
    const [entry] = await entries();
    expect(entry).toEqual({
      file: 'scenes/scene.xml',
      bodyA: 'left',
      bodyB: 'right',
      geomA: 'left_geom',
      geomB: 'right_geom',
      depth: expect.closeTo(0.02, 12),
    });
    expect(await s4r(['check', scene, '--baseline', baseline])).toEqual({
      code: 0,
      stdout: `${scene}: no overlaps, 1 accepted\n`,
      stderr: '',
    });
    await folder.write('scenes/scene.xml', OVERLAPPING.replace('0.08 0 1', '0.0795 0 1'));
    expect((await s4r(['check', scene, '--baseline', baseline])).code).toBe(1);
    expect((await readdir(folder.path)).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('names count in either order; without a file an entry is for all', async () => {
    const pair = { bodyA: 'right', bodyB: 'left', geomA: 'right_geom', geomB: 'left_geom', depth: 0.02 };
    await writeFile(baseline, JSON.stringify([pair]));
    expect((await s4r(['check', scene, '--baseline', baseline])).code).toBe(0);
    await writeFile(baseline, JSON.stringify([{ ...pair, bodyA: 'left', bodyB: 'right' }]));
    expect((await s4r(['check', scene, '--baseline', baseline])).code).toBe(1);
    await writeFile(baseline, JSON.stringify([{ ...pair, file: 'other.xml' }]));
    expect((await s4r(['check', scene, '--baseline', baseline])).code).toBe(1);
  });

  test('an entry that nothing needs any more is mentioned', async () => {
    await s4r(['check', scene, '--write-baseline', baseline]);
    await folder.write('scenes/scene.xml', OVERLAPPING.replace('0.08 0 1', '0.3 0 1'));
    const { code, stderr } = await s4r(['check', scene, '--baseline', baseline]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `s4r: note: ${baseline}: 'left_geom' and 'right_geom' of scenes/scene.xml do not overlap any more; remove the entry\n`,
    });
  });

  test('is not written where a file failed', async () => {
    await folder.write('scenes/bad.xml', '<mujoco>');
    await writeFile(baseline, '[]');
    const { code, stderr } = await s4r(['check', folder.at('scenes'), '--write-baseline', baseline]);
    expect(code).toBe(2);
    expect(stderr).toContain(`s4r: ${baseline}: not written, as not all files could be checked\n`);
    expect(await readFile(baseline, 'utf8')).toBe('[]');
  });

  test('states are told apart', async () => {
    await folder.write('scenes/scene.xml', KEYS);
    await s4r(['check', scene, '--key', 'all', '--write-baseline', baseline]);
    expect((await entries()).map(({ state }) => state)).toEqual(['near', 'nearer']);
    expect((await s4r(['check', scene, '--key', 'all', '--baseline', baseline])).code).toBe(0);
    await writeFile(baseline, JSON.stringify((await entries()).slice(1)));
    const { stdout } = await s4r(['check', scene, '--key', 'all', '--baseline', baseline, '--json']);
    expect(JSON.parse(stdout).files.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['clean', 'overlapping', 'clean']);
  });
});

describe('fix', () => {
  test('leaves what is accepted where it is', async () => {
    await s4r(['check', scene, '--write-baseline', baseline]);
    const { code, stdout } = await s4r(['fix', scene, '--dry-run', '--baseline', baseline]);
    expect(code).toBe(0);
    expect(stdout).toContain('clean: nothing to do\n');
    const { stdout: json, stderr } = await s4r(['fix', scene, '--dry-run', '--baseline', baseline, '--json']);
    expect(stderr).toBe('');
    expect(JSON.parse(json).left).toEqual([expect.objectContaining({ class: 'real', accepted: true })]);
  });

  test('is no success if that gets deeper', async () => {
    // What is accepted is pushed by a third cube, as nothing keeps the two apart.
    const third = '<body name="wall" pos="-0.09 0 1"><geom name="wall" type="box" size="0.05 0.05 0.05"/></body>';
    await s4r(['check', scene, '--write-baseline', baseline]);
    await folder.write('scenes/scene.xml', OVERLAPPING.replace('<worldbody>', `<worldbody>${third}`));
    const { code, stdout } = await s4r(['fix', scene, '--dry-run', '--baseline', baseline, '--axes', '*=x']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +30\.\d+ +real +left +right/m);
  });

  test('overlaps that nothing can cure fail unless they are accepted', async () => {
    const file = await folder.write('constant.xml', CONSTANT);
    expect((await s4r(['fix', file, '--dry-run'])).code).toBe(1);
    await s4r(['check', file, '--write-baseline', baseline]);
    expect((await s4r(['fix', file, '--dry-run', '--baseline', baseline])).code).toBe(0);
  });
});
