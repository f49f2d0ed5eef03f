/** `s4r check`. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLEAN, CONSTANT, OVERLAPPING, row, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let overlapping: string;
let clean: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  overlapping = await folder.write('overlapping.xml', OVERLAPPING);
  clean = await folder.write('clean.xml', CLEAN);
});

afterAll(async () => await folder.remove());

describe('verdict', () => {
  test('overlaps: exit code 1 and a table in mm', async () => {
    const { code, stdout, stderr } = await s4r(['check', overlapping]);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toBe(
      `${overlapping}: 1 overlap between 1 body pair, deepest 20 mm

  depth mm  class  body A  body B  geom A     geom B      what to do
     20.00  real   left    right   left_geom  right_geom  move
`,
    );
  });

  test('no overlaps: exit code 0', async () => {
    expect(await s4r(['check', clean])).toEqual({ code: 0, stdout: `${clean}: no overlaps\n`, stderr: '' });
  });

  test('what is no deeper than the tolerance is touching', async () => {
    expect((await s4r(['check', overlapping, '--tolerance', '0.0201'])).code).toBe(0);
    expect((await s4r(['check', overlapping, '--tolerance', '1.99e-2'])).code).toBe(1);
  });

  test('an allowed pair does not count', async () => {
    const args = ['check', overlapping, '--allow', 'far:left', '--allow'];
    expect((await s4r([...args, 'left:ri*'])).stdout).toBe(`${overlapping}: no overlaps\n\nharmless: 1 filtered (--all lists them)\n`);
    expect((await s4r([...args, 'right:far'])).code).toBe(1);
  });

  test('pairs nobody can repair fail all the same', async () => {
    const file = await folder.write('constant.xml', CONSTANT);
    const { code, stdout } = await s4r(['check', file]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +100\.0 +constant +arm_a +arm_b .* fix by hand$/m);
    expect(stdout).not.toContain('joints');
    expect((await s4r(['check', file, '--allow', 'arm_a:arm_b'])).code).toBe(0);
  });

  test.each(['', '<freejoint/>'])('parts of one robot are listed with the joints between them %s', async (free) => {
    const finger = (name: string, y: number) =>
      `<body name="${name}" pos="0.3 ${y} 0"><joint name="${name}_joint" type="slide"/><geom type="box" size="0.02 0.02 0.02"/></body>`;
    const hand = `<body name="hand" pos="0.2 0 0"><joint name="wrist"/><geom size="0.01"/>${finger('thumb', 0.01)}${finger('index', -0.01)}</body>`;
    const robot = `<body name="base" pos="0 0 1">${free}<geom size="0.01"/>${hand}</body>`;
    const file = await folder.write('robot.xml', `<mujoco><worldbody>${robot}</worldbody></mujoco>`);
    const { code, stdout } = await s4r(['check', file]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +20\.00 +constant +thumb +index .* exclude$/m);
    expect(stdout).toContain('\njoints between them\n  thumb - index: thumb_joint, index_joint\n');
    const freed = await s4r(['check', file, '--free-joints', '*_joint']);
    expect(freed.code).toBe(1);
    expect(freed.stdout).toMatch(/ real +thumb +index .* move$/m);
  });

  // F17: nothing that a solve could do about it.
  test('a fixed robot in the ground is constant', async () => {
    const arm = '<body name="link"><joint name="j"/><geom name="tube" type="capsule" size="0.05" fromto="0 0 -0.01 0.3 0 -0.01"/></body>';
    const ground = '<geom name="ground" type="plane" size="2 2 0.1"/>';
    const file = await folder.write('f17.xml', `<mujoco><worldbody>${ground}<body name="base">${arm}</body></worldbody></mujoco>`);
    for (const args of [
      ['check', file],
      ['fix', file, '--dry-run'],
    ]) {
      const { code, stdout } = await s4r(args);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^ +60\.00 +constant +world +link +ground +tube +fix by hand$/m);
    }
  });

  test('a scene without colliders is not clean', async () => {
    const file = await folder.write('empty.xml', OVERLAPPING.replaceAll('type="box"', 'contype="0" conaffinity="0" type="box"'));
    expect(await s4r(['check', file])).toEqual({ code: 2, stdout: `${file}: no colliders: nothing to check\n`, stderr: '' });
    const out = folder.at('empty-fixed.xml');
    expect(await s4r(['fix', file, '-o', out])).toEqual({ code: 2, stdout: `${file}: no colliders: nothing to check\n`, stderr: '' });
    expect(JSON.parse((await s4r(['check', file, '--json'])).stdout)).toMatchObject({ verdict: 'no colliders', colliders: 0 });
    expect(existsSync(out)).toBe(false);
    // Colliders, but nothing they could collide with.
    const alone = await folder.write('alone.xml', '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>');
    const note = 's4r: note: no two geoms collide by the filters, so there is nothing to check\n';
    expect(await s4r(['check', alone])).toEqual({ code: 0, stdout: `${alone}: no overlaps\n`, stderr: note });
    expect((await s4r(['check', alone, '--strict'])).code).toBe(1);
  });

  test('what no engine pushes apart is counted, and listed only when asked for', async () => {
    const exclude = '<contact><exclude body1="left" body2="right"/></contact>';
    const file = await folder.write('excluded.xml', OVERLAPPING.replace('</worldbody>', `</worldbody>${exclude}`));
    expect(await s4r(['check', file])).toEqual({
      code: 0,
      stdout: `${file}: no overlaps\n\nharmless: 1 filtered (--all lists them)\n`,
      stderr: '',
    });
    const { code, stdout } = await s4r(['check', file, '--all']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +20\.00 +filtered +left +right .*right_geom$/m);
  });

  test('what hovers is a warning when asked for, and fails with --strict', async () => {
    const floor = '<worldbody><geom name="floor" type="plane" size="5 5 1" pos="0 0 0.9"/>';
    const file = await folder.write('hovering.xml', CLEAN.replace('<worldbody>', floor));
    expect((await s4r(['check', file, '--strict'])).stdout).toBe(`${file}: no overlaps\n`);
    const { code, stdout } = await s4r(['check', file, '--hover', '0.01']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +50\.00 +left +world$/m);
    expect((await s4r(['check', file, '--hover', '0.06'])).stdout).toBe(`${file}: no overlaps\n`);
    expect((await s4r(['check', file, '--hover', '0.01', '--strict'])).code).toBe(1);
    const { hovering } = JSON.parse((await s4r(['check', overlapping, '--hover', '0.01', '--json'])).stdout);
    // Nothing is below: JSON has no infinity.
    expect(hovering).toEqual([expect.objectContaining({ name: 'far', gap: null })]);
  });

  test('a keyframe is another state', async () => {
    const key = '<keyframe><key name="apart" qpos="0 0 1 1 0 0 0 5 0 1 1 0 0 0 1 0 1 1 0 0 0"/></keyframe></mujoco>';
    const file = await folder.write('key.xml', OVERLAPPING.replace('</mujoco>', key));
    expect((await s4r(['check', file])).code).toBe(1);
    expect((await s4r(['check', file, '--key', 'apart'])).code).toBe(0);
    const { code, stderr } = await s4r(['check', file, '--key', 'apar']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^s4r: .*'apar'.*'apart'.*\n$/);
  });
});

describe('table', () => {
  test('long lists are cut, and --all does not', async () => {
    const file = await folder.write('row.xml', row(41));
    const lines = (await s4r(['check', file])).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 1 + 1 + 20 + 1);
    expect(lines.at(-1)).toBe('  ... and 20 more (--all)');
    expect((await s4r(['check', file, '--all'])).stdout.trimEnd().split('\n')).toHaveLength(1 + 1 + 1 + 40);
  });
});

describe('json', () => {
  test('is all there is on stdout', async () => {
    const { code, stdout, stderr } = await s4r(['check', overlapping, '--json']);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      tool: expect.stringMatching(/^s4r \d+\.\d+\.\d+/),
      command: 'check',
      file: overlapping,
      units: { length: 'm', angle: 'rad', time: 's' },
      repairable: 1,
      constant: 0,
    });
    expect(report.maxDepth).toBeCloseTo(0.02, 9);
    expect(report.overlaps).toHaveLength(1);
  });

  test('--report writes the same to a file, and nothing half', async () => {
    const target = folder.at('report.json');
    const { stdout } = await s4r(['check', overlapping, '--json', '--report', target]);
    expect(await readFile(target, 'utf8')).toBe(stdout);
    expect((await readdir(folder.path)).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

test('an aborted check ends with 130', async () => {
  const { code, stdout, stderr } = await s4r(['check', overlapping], { signal: AbortSignal.abort() });
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: 's4r: interrupted\n' });
});
