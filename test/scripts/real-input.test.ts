/** A small sample of what `npm run real-input` shows, and what it says of bad calls. */
import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { describeShared } from '../shared-data.js';

interface Row {
  readonly file: string;
  readonly format: string;
  readonly check: string;
  readonly fix: string;
  readonly pairsBefore: number | null;
  readonly pairsAfter: number | null;
  readonly maxMove: number | null;
  readonly seconds: number;
  readonly message: string | null;
}

function realInput(...args: string[]) {
  return spawnSync(process.execPath, ['scripts/real-input.mjs', ...args], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
}

/** Of every format some that are read, and some that are refused. */
const SAMPLE = [
  'mjcf/libero/articulated_objects/microwave.xml',
  'mjcf/mujoco_test/engine/testdata/vis_interact/boxes.xml',
  'urdf/bullet3_pybullet_data/sphere2.urdf',
  'urdf/ravens/ravens/environments/assets/kitting/object-template.urdf',
  'usd/newton/box_on_plane.usda',
];

describeShared('real input', () => {
  it('of a sample ends as before', () => {
    const { status, stdout, stderr } = realInput('--json', ...SAMPLE.flatMap((file) => ['--only', file]));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const rows = JSON.parse(stdout) as Row[];
    expect(rows.map(({ file, format, check, fix }) => [file, format, check, fix])).toEqual([
      [SAMPLE[0], 'MJCF', 'refused', 'refused'],
      [SAMPLE[1], 'MJCF', 'overlapping', 'solved'],
      [SAMPLE[2], 'URDF', 'clean', 'clean'],
      [SAMPLE[3], 'URDF', 'refused', 'refused'],
      [SAMPLE[4], 'USD', 'overlapping', 'solved'],
    ]);
    const [microwave, boxes] = rows as [Row, Row];
    expect(microwave.message).toMatch(/^mjcf\/libero\/articulated_objects\/microwave\.xml:44: 'microdoorroot': MuJoCo: mass and inertia/);
    expect(boxes).toMatchObject({ pairsBefore: 1, pairsAfter: 0, message: null });
    expect(boxes.maxMove).toBeGreaterThan(0);
    expect(boxes.maxMove).toBeLessThan(0.05);
  });

  it('shows a table, a hang as such, and fails for it', () => {
    const { status, stdout } = realInput('--only', SAMPLE[1] as string, '--seconds', '0.001');
    expect(stdout).toMatch(/boxes\.xml +MJCF +hang +hang .*no end within 0\.001 s\n/);
    expect(stdout).toContain('all: 1; check: 1 hang; fix: 1 hang');
    expect(status).toBe(1);
  });

  it('says what is wrong with a call', () => {
    expect(realInput('--only', 'no such file')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/matches no such file\n$/),
    });
    expect(realInput('--jobs', '0')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^--jobs: .*got 0\nusage: npm run real-input/),
    });
    expect(realInput('--what')).toMatchObject({ status: 2, stderr: expect.stringMatching(/'--what'.*\n.*usage: npm run real-input/s) });
  });
});
