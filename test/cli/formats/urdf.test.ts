/** The command line's form of URDF scenes. */
import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { FORMATS } from '../../../src/cli/formats/index.js';
import { URDF } from '../../../src/cli/formats/urdf.js';
import { resultOf, withFixtures } from '../../adapters/urdf/workspace.js';

/** Values of the options, as commander reads them. */
function flags(...args: string[]): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of URDF.options) command.addOption(option);
  return command.parse(args, { from: 'user' }).opts();
}

describe('URDF on the command line', () => {
  it('is one of the formats, told from others by what is in the file', () => {
    expect(FORMATS).toContain(URDF);
    const recognised = (text: string) => URDF.recognises(Buffer.from(text));
    expect(['<?xml version="1.0"?>\n<robot name="r">', 'models:\n  - urdf: a', '{"models": [{"urdf": "a"}]}'].map(recognised)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['<mujoco/>', '<robotics/>', 'models: []', '{"urdf": 1}', ''].map(recognised)).toEqual([false, false, false, false, false]);
  });

  it('places models by flags', async () => {
    const workspace = withFixtures();
    const cup = workspace.path('cup.urdf');
    const given = flags(
      ...[
        '--ground',
        '--joint',
        'shoulder=0.5',
        '--joint',
        'grip=-1e-2',
        '--base',
        'free',
        '--base-position',
        '-1,0,2',
        '--base-rpy',
        '0,0,1',
      ],
      ...['--with', `${cup}@0.5,0,0.8`, '--with', `${cup}@1,1,1,0,0,0.5`, '--srdf', workspace.path('arm.srdf'), '--mesh', 'exact'],
      ...['--package', `a=${workspace.root}`, '--package', 'b=x=y'],
    );
    const { scene, inputs, write } = await URDF.open(workspace.path('arm.urdf'), given);
    expect(scene.bodies.filter(({ mobility }) => mobility === 'free')).toHaveLength(7);
    expect(scene.bodies[0]!.X_WB.position).toEqual([-1, 0, 2]);
    expect(scene.joints!.slice(0, 2).map(({ position }) => position)).toEqual([0.5, -0.01]);
    expect(scene.bodies.slice(5).map(({ name, X_WB }) => [name, X_WB.position])).toEqual([
      ['cup/cup', [0.5, 0, 0.8]],
      ['cup_2/cup', [1, 1, 1]],
      ['ground', [0, 0, 0]],
    ]);
    expect(scene.filter.excludedBodies).toEqual([[0, 2]]);
    expect(inputs).toEqual([workspace.path('arm.urdf'), workspace.path('arm.srdf'), cup]);
    const { files } = await write(resultOf(scene, { 'cup/cup': { shift: [0, 0, 1] } }), { path: workspace.path('out.yaml') });
    expect(files.map(({ path }) => path)).toEqual([workspace.path('out.yaml')]);
    expect(workspace.text('out.yaml')).toContain('position: [0.5, 0, 1.8]');
  });

  it('edits origins if asked', async () => {
    const workspace = withFixtures();
    const { scene, write } = await URDF.open(workspace.path('table.urdf'), flags('--write-origins'));
    await write(resultOf(scene, { box: { shift: [0, 0, 0.02] } }), { path: workspace.path('table.urdf'), inPlace: true });
    expect(workspace.text('table.urdf')).toContain('xyz="0.1  0.2 0.1"');
  });

  it.each([
    [['--base-position', '1,2'], 'Expected three numbers with commas between them.'],
    [['--base-rpy', '1,2,x'], 'Expected a number.'],
    [['--joint', 'elbow'], 'Expected name=number.'],
    [['--with', 'cup.urdf@1,2'], 'Expected file@x,y,z or file@x,y,z,roll,pitch,yaw.'],
    [['--package', 'name'], 'Expected name=directory.'],
    [['--mesh', 'vhacd'], 'Allowed choices are hull, exact.'],
  ])('refuses %j', (args, message) => {
    expect(() => flags(...args)).toThrow(message);
  });
});
