/** The command line's form of URDF scenes. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { FORMATS } from '../../../src/cli/formats/index.js';
import { URDF } from '../../../src/cli/formats/urdf.js';
import { resultOf, withFixtures } from '../../adapters/urdf/workspace.js';
import { s4r } from '../terminal.js';

/** Values of the options, as commander reads them. */
function flags(...args: string[]): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of [...URDF.options, ...URDF.writeOptions!]) command.addOption(option);
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

describe('a URDF through s4r', () => {
  const link = (name: string, size: string) =>
    `<link name="${name}"><collision><geometry><box size="${size}"/></geometry></collision></link>`;
  const joint = (name: string, parent: string, child: string) =>
    `<joint name="${name}" type="continuous"><parent link="${parent}"/><child link="${child}"/><axis xyz="0 1 0"/></joint>`;
  const robot = `<robot name="r">${link('base', '1 1 1')}${link('mid', '.1 .1 .1')}${link('tip', '.9 .9 .9')}
    ${joint('j1', 'base', 'mid')}${joint('j2', 'mid', 'tip')}</robot>`;

  it.each(['fixed', 'free'])('parts that overlap are listed with the joints between them, on a %s base', async (base) => {
    const workspace = withFixtures();
    workspace.put('r.urdf', robot);
    const { code, stdout } = await s4r(['check', workspace.path('r.urdf'), '--base', base]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/constant +base +tip .* exclude$/m);
    expect(stdout).toContain('\njoints between them\n  base - tip: j1, j2\n');
  });

  it('a fixed robot in a fixed table has no joints between them', async () => {
    const workspace = withFixtures();
    workspace.put('r.urdf', `<robot name="r">${link('base', '.1 .1 .1')}${link('mid', '.2 .2 .2')}${joint('j1', 'base', 'mid')}</robot>`);
    workspace.put('table.urdf', `<robot name="t">${link('world', '1 1 1')}</robot>`);
    const { stdout } = await s4r(['check', workspace.path('r.urdf'), '--with', workspace.path('table.urdf')]);
    expect(stdout).toMatch(/constant +r\/mid +t\/world .* fix by hand$/m);
    expect(stdout).not.toContain('joints between');
  });

  it('is not a xacro file, which is named with how to expand it, and passed over in a folder', async () => {
    const workspace = withFixtures();
    mkdirSync(workspace.path('include'));
    workspace.put(
      'include/r.urdf.xacro',
      robot.replace('<robot', '<robot xmlns:xacro="http://ros.org/wiki/xacro"').replace('<link', '<xacro:arm/><link'),
    );
    workspace.put('include/r.urdf', robot);
    const { code, stderr } = await s4r(['check', workspace.path('include/r.urdf.xacro')]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/<xacro:arm>: this is a xacro file, .* expand it first/) });
    expect((await s4r(['check', workspace.path('include')])).stdout).toMatch(/\n1 scene: 1 constant\n$/);
  });

  it('from standard input has no name that a scene file could lead to', async () => {
    const workspace = withFixtures();
    const { code, stderr } = await s4r(['fix', '-', '-o', workspace.path('out.yaml')], { stdin: robot });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/standard input has none; give the file itself\n$/) });
    expect((await s4r(['fix', '-', '--dry-run'], { stdin: robot })).code).toBe(1);
  });

  it.each([
    [['--joint', 'nope=1'], /^s4r: --joint: .*has no joint 'nope'/],
    [['--joint', 'j1=1e999'], /^s4r: --joint j1: expected/],
    [['--base-position', '0,0,1e11'], /^s4r: --base-position: expected/],
    [['--base-rpy', '0,0,1e11'], /^s4r: --base-rpy: expected/],
  ])('names options as they are typed: %j', async (args, message) => {
    const workspace = withFixtures();
    workspace.put('r.urdf', robot);
    const { code, stderr } = await s4r(['check', workspace.path('r.urdf'), ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });
});
