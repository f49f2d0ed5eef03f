/** `s4r check`. */
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

  depth mm  kind         body A  body B  geom A     geom B
     20.00  penetrating  left    right   left_geom  right_geom
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
    expect((await s4r([...args, 'left:ri*'])).stdout).toBe(`${overlapping}: no overlaps\n`);
    expect((await s4r([...args, 'right:far'])).code).toBe(1);
  });

  test('pairs nobody can repair are counted, listed only when asked for, and no reason for exit code 1', async () => {
    const file = await folder.write('constant.xml', CONSTANT);
    const short = await s4r(['check', file]);
    expect(short.code).toBe(0);
    expect(short.stdout).toBe(`${file}: no overlaps\n\n1 constant pair between parts that cannot move apart; --all lists it\n`);
    const long = await s4r(['check', file, '--all']);
    expect(long.code).toBe(0);
    expect(long.stdout).toMatch(/penetrating +arm_a +arm_b .* constant$/m);
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
    const { readFile, readdir } = await import('node:fs/promises');
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
