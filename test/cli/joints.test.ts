/** Free joints on the command line: the table of those that moved, and what is refused. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { showJoints } from '../../src/cli/show-joints.js';
import type { Joint } from '../../src/core/scene.js';
import { armInPallet, gripper } from '../scenes/joints.js';
import { OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

describe('the table of joints', () => {
  test('shows degrees and millimetres, and what drives what', () => {
    const scene = gripper();
    const moves = [
      { jointId: 0, name: 'left_jaw', before: 0.01, after: 0.0151 },
      { jointId: 1, name: 'right_jaw', before: -0.01, after: -0.0151 },
    ];
    expect(showJoints(scene.joints ?? [], moves, false)).toBe(
      [
        '',
        '  moved        from      to  joint',
        '   5.10  mm   10.00   15.10  left_jaw',
        '  -5.10  mm  -10.00  -15.10  right_jaw  with left_jaw',
        '',
      ].join('\n'),
    );
    const arm = showJoints(armInPallet().joints ?? [], [{ jointId: 1, name: 'elbow', before: 0, after: Math.PI / 6 }], false);
    expect(arm).toContain('  30.00  deg  0.00  30.00  elbow\n');
  });

  test('says who is at a limit, or outside of them', () => {
    const scene = armInPallet();
    const [shoulder, elbow] = scene.joints as [Joint, Joint];
    const text = showJoints(
      [
        { ...shoulder, limits: [0, 0.5] },
        { ...elbow, position: -1, limits: [0, 0.5] },
      ],
      [
        { jointId: 0, name: 'shoulder', before: 0, after: 0.5 },
        { jointId: 1, name: 'elbow', before: -1, after: -0.5 },
      ],
      false,
    );
    expect(text).toMatch(/shoulder {2}at its limit\n/);
    expect(text).toMatch(/elbow {5}outside of its limits\n/);
  });

  test('is left out if none moved', () => {
    expect(showJoints(armInPallet().joints ?? [], [], true)).toBe('');
  });
});

describe('--free-joints', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => await folder.remove());

  test.each(['check', 'fix'])('%s refuses a scene without joints', async (command) => {
    const scene = await folder.write('scene.xml', OVERLAPPING);
    const flags = command === 'fix' ? ['--dry-run'] : [];
    const { code, stderr } = await s4r([command, scene, '--free-joints', 'finger*,elbow', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain("--free-joints: the scene has no hinge or slide to free, got 'finger*', 'elbow'");
  });
});
