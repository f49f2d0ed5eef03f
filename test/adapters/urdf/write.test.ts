/** Poses written back into scene files and URDFs. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { bodyPlaces, urdf } from '../../../src/adapters/urdf/index.js';
import type { Result } from '../../../src/core/result.js';
import { replaced } from '../mjcf/repair.js';
import { expectPoses, QUARTER_X, repair, resultOf, Workspace, withFixtures } from './workspace.js';

describe('a scene file', () => {
  it('read and written without a move stays as it is', async () => {
    for (const name of ['kitchen.yaml', 'kitchen.json']) {
      const workspace = withFixtures();
      const before = workspace.snapshot();
      const { output } = await repair(workspace, name, {});
      expect(output).toEqual({ files: [], notes: [], verified: 0 });
      expect(workspace.snapshot()).toEqual(before);
      const copied = await repair(workspace, name, {}, { output: `copy${name.slice(name.lastIndexOf('.'))}` });
      expect(copied.output.files[0]).toMatchObject({ path: workspace.path(`copy${name.slice(7)}`), edits: [], diff: '' });
      expect(workspace.bytes(`copy${name.slice(7)}`)).toEqual(workspace.bytes(name));
    }
  });

  it('gets new numbers where there were some, and new lines where there were none', async () => {
    const workspace = withFixtures();
    const before = workspace.text('kitchen.yaml');
    const done = await repair(workspace, 'kitchen.yaml', {
      'first/cup': { shift: [0.25, 0, 0.5] },
      'cup/cup': { shift: [0, 0, 0.125], turn: QUARTER_X },
    });
    await expectPoses(workspace.path('kitchen.yaml'), done);
    const [w, x, y, z] = done.result.poses[6]!.quaternion;
    expect(workspace.text('kitchen.yaml')).toBe(
      replaced(before, [
        ['    name: first\n', '    name: first\n    position: [0.25, 0, 0.5]\n'],
        ['position: [0.5, 0, 0.1], rpy: [0, 0, 1.5]', `position: [0.5, 0, 0.225], quaternion_wxyz: [${w}, ${x}, ${y}, ${z}]`],
      ]),
    );
    expect(done.output.verified).toBeLessThan(1e-12);
    expect(done.output.files[0]!.edits.map(({ line, element, attribute }) => [line, element, attribute])).toEqual([
      [11, 'first', 'position'],
      [12, 'cup', 'position'],
      [12, 'cup', 'quaternion_wxyz'],
    ]);
    expect(done.output.files[0]!.diff).toContain('+    position: [0.25, 0, 0.5]\n');
  });

  it('edits the items of block lists one by one, and keeps line breaks and comments', async () => {
    const workspace = withFixtures();
    const path = workspace.put('s.yaml', workspace.text('kitchen.yaml').replace('    base: fixed\n', '').replaceAll('\n', '\r\n'));
    const before = workspace.text('s.yaml');
    const done = await repair(workspace, 's.yaml', {
      'cup_2/cup': { shift: [0, 0.5, 0], turn: [0, 1, 0, 0] },
      'first/cup': { shift: [0, 0, 1], turn: QUARTER_X },
    });
    await expectPoses(path, done);
    const quaternion = (id: number) => done.result.poses[id]!.quaternion.join(', ');
    expect(workspace.text('s.yaml')).toBe(
      replaced(before, [
        ['      - 1e-1   # y\r\n', '      - 0.6   # y\r\n'],
        ['[0.7071067811865476, 0, 0, 0.7071067811865476]', `[${quaternion(7).replaceAll('-0,', '0,')}]`],
        ['    name: first\r\n', `    name: first\r\n    position: [0, 0, 1]\r\n    quaternion_wxyz: [${quaternion(5)}]\r\n`],
      ]),
    );
  });

  it('as JSON stays JSON', async () => {
    const workspace = withFixtures();
    const before = workspace.text('kitchen.json');
    const done = await repair(workspace, 'kitchen.json', { 'first/cup': { shift: [1, 2, 3], turn: QUARTER_X } });
    await expectPoses(workspace.path('kitchen.json'), done);
    const text = workspace.text('kitchen.json');
    expect(text).toBe(
      replaced(before, [
        ['"name": "first",\n', '"name": "first",\n\t\t\t"position": [1, 2, 3],\n'],
        ['"rpy": [0, 0, 0.5]', `"quaternion_wxyz": [${done.result.poses[5]!.quaternion.join(', ')}]`],
      ]),
    );
    expect(JSON.parse(text).models[1].position).toEqual([1, 2, 3]);
  });

  it('written into another folder keeps its models', async () => {
    const workspace = withFixtures();
    mkdirSync(workspace.path('out/deep'), { recursive: true });
    const done = await repair(workspace, 'kitchen.yaml', { 'first/cup': { shift: [0, 0, 1] } }, { output: 'out/deep/k.yaml' });
    await expectPoses(workspace.path('out/deep/k.yaml'), done);
    const text = workspace.text('out/deep/k.yaml');
    expect(text).toContain('urdf: ../../arm.urdf\n');
    expect(text).toContain('{urdf: ../../cup.urdf, position: [0.5, 0, 0.1], rpy: [0, 0, 1.5]}');
    expect(text).toContain('parts: ../../parts\n');
  });

  it('gets the positions of joints that were freed', async () => {
    const workspace = withFixtures();
    const before = workspace.text('kitchen.yaml');
    const { scene, source } = await urdf.read(workspace.path('kitchen.yaml'));
    // What the positions give, read from a file that has them.
    workspace.put('after.yaml', replaced(before, [['shoulder: 0.5, grip: 0.02', 'shoulder: 0.25, grip: 0.03']]));
    const after = (await urdf.read(workspace.path('after.yaml'))).scene;
    const joints = [
      { jointId: 0, name: 'robot/shoulder', before: 0.5, after: 0.25 },
      { jointId: 1, name: 'robot/grip', before: 0.02, after: 0.03 },
      { jointId: 2, name: 'robot/grip_mirror', before: -0.019, after: -0.029 },
    ];
    const result = { poses: after.bodies.map(({ X_WB }) => X_WB), joints } as unknown as Result;
    await urdf.write(source, result, { path: workspace.path('kitchen.yaml'), inPlace: true });
    expect(workspace.text('kitchen.yaml')).toBe(workspace.text('after.yaml'));

    const shifted = { ...result, poses: result.poses.map((pose, i) => (i === 3 ? scene.bodies[3]!.X_WB : pose)) };
    await expect(urdf.write(source, shifted as Result, workspace.path('x.yaml'))).rejects.toThrow(
      "the result moves body 'robot/left' on its own, but it is fixed, and no joint of the result takes it there",
    );
    expect(workspace.text('kitchen.yaml')).toBe(workspace.text('after.yaml'));
  });

  it('gets joints where there were none', async () => {
    const workspace = withFixtures();
    for (const [name, wanted] of [
      ['a.yaml', `models:\n  - urdf: arm.urdf\n    joints: {"grip": 0.04}\n`],
      ['b.yaml', `models:\n  - urdf: arm.urdf\n    joints: {"grip": 0.04}\n`],
      ['c.json', `{"models": [{"urdf": "arm.urdf", "joints": {"shoulder": 0, "grip": 0.04}}]}`],
    ] as const) {
      const input = { 'a.yaml': 'models:\n  - urdf: arm.urdf\n', 'b.yaml': 'models:\n  - urdf: arm.urdf\n    joints: {}\n' }[
        name as 'a.yaml'
      ];
      workspace.put(name, input ?? '{"models": [{"urdf": "arm.urdf", "joints": {"shoulder": 0}}]}');
      const { source } = await urdf.read(workspace.path(name));
      workspace.put('after.yaml', 'models: [{urdf: arm.urdf, joints: {grip: 0.04}}]');
      const after = (await urdf.read(workspace.path('after.yaml'))).scene;
      const joints = [{ jointId: 1, name: 'grip', before: 0, after: 0.04 }];
      const result = { poses: after.bodies.map(({ X_WB }) => X_WB), joints } as unknown as Result;
      await urdf.write(source, result, { path: workspace.path(name), inPlace: true });
      expect(workspace.text(name)).toBe(wanted);
    }
  });
});

describe('a URDF on its own', () => {
  it.each(['scene.yaml', 'scene.json'])('is placed by a new scene file: %s', async (name) => {
    const workspace = withFixtures();
    mkdirSync(workspace.path('out'));
    const options = { base: 'free', joints: { shoulder: 0.25 }, srdf: workspace.path('arm.srdf'), ground: true, mesh: 'exact' } as const;
    const done = await repair(
      workspace,
      'arm.urdf',
      { base: { shift: [0.1, 0, 1 / 3], turn: QUARTER_X } },
      { ...options, output: `out/${name}` },
    );
    expect(done.output.files).toHaveLength(1);
    expect(done.output.files[0]!.original).toBeUndefined();
    expect(done.output.files[0]!.diff).toMatch(/^--- \/dev\/null\n\+\+\+ .*\n@@ -0,0 \+1,\d+ @@\n\+/);
    const again = await urdf.read(workspace.path(`out/${name}`));
    await expectPoses(workspace.path(`out/${name}`), done);
    expect(again.scene.filter).toEqual(done.scene.filter);
    expect(again.scene.joints).toHaveLength(3);
    expect(workspace.text(`out/${name}`)).toContain('../arm.urdf');
  });

  it('with others is too', async () => {
    const workspace = withFixtures();
    const options = {
      with: [{ urdf: workspace.path('cup.urdf'), position: [0.5, 0, 0.8] }],
      packages: { parts: workspace.path('parts') },
    } as const;
    const done = await repair(workspace, 'meshes.urdf', { 'cup/cup': { shift: [0, 0, 0.1] } }, { ...options, output: 'all.yaml' });
    await expectPoses(workspace.path('all.yaml'), done);
    expect(workspace.text('all.yaml')).toBe(
      [
        '# s4r scene made from meshes.urdf',
        'mesh: "hull"',
        'ground: false',
        'packages: {"parts": "parts"}',
        'models:',
        '  - urdf: "meshes.urdf"',
        '    name: "meshes"',
        '    position: [0, 0, 0]',
        '    quaternion_wxyz: [1, 0, 0, 0]',
        '    base: "free"',
        '  - urdf: "cup.urdf"',
        '    name: "cup"',
        '    position: [0.5, 0, 0.9]',
        '    quaternion_wxyz: [1, 0, 0, 0]',
        '    base: "free"',
        '',
      ].join('\n'),
    );
  });

  it('that moved cannot be written as a URDF, nor in place; a dry run shows the scene file', async () => {
    const workspace = withFixtures();
    const before = workspace.snapshot();
    const move = { cup: { shift: [0, 0, 1] as const } };
    await expect(repair(workspace, 'cup.urdf', move, { output: 'new.urdf' })).rejects.toThrow(
      `${workspace.path('new.urdf')}: the output must be a scene file (.yaml or .json): a URDF holds no pose of its own`,
    );
    await expect(repair(workspace, 'cup.urdf', move)).rejects.toThrow('write a scene file beside it, such as cup.scene.yaml');
    const { scene, source } = await urdf.read(workspace.path('cup.urdf'));
    const target = { path: workspace.path('cup.urdf'), inPlace: true, dryRun: true };
    const dry = await urdf.write(source, resultOf(scene, move), target);
    expect(dry.files[0]).toMatchObject({ path: workspace.path('cup.scene.yaml'), edits: [] });
    expect(dry.files[0]!.text).toContain('position: [0, 0, 1]');
    expect(dry.notes).toHaveLength(1);
    expect(workspace.snapshot()).toEqual(before);
  });

  it('that did not move is copied, and finds its meshes from there', async () => {
    const workspace = withFixtures();
    mkdirSync(workspace.path('out'));
    const same = await repair(workspace, 'cup.urdf', {}, { output: 'out/cup.urdf' });
    expect(same.output.files[0]!.edits).toEqual([]);
    expect(workspace.bytes('out/cup.urdf')).toEqual(workspace.bytes('cup.urdf'));
    await repair(workspace, 'meshes.urdf', {}, { output: 'out/meshes.urdf' });
    // The package is above the new folder too; the visual mesh is nobody's, and moves along.
    expect(workspace.text('out/meshes.urdf')).toBe(workspace.text('meshes.urdf').replaceAll(/"(.\/)?meshes\//g, '"../meshes/'));
    expect(workspace.text('out/meshes.urdf')).toContain('package://parts/wedge.obj');
  });

  it('of whose package nothing is above the new folder is given a path to it', async () => {
    const workspace = withFixtures();
    const other = new Workspace();
    const done = await repair(workspace, 'meshes.urdf', {});
    await urdf.write(done.source, done.result, other.path('meshes.urdf'));
    expect(other.text('meshes.urdf')).not.toContain('package://');
    await expectPoses(other.path('meshes.urdf'), done);
  });
});

describe('origins', () => {
  const ORIGINS = { write: 'origins' } as const;

  it('change where something moved, and nowhere else', async () => {
    const workspace = withFixtures();
    const before = workspace.text('table.urdf');
    const done = await repair(
      workspace,
      'table.urdf',
      { box: { shift: [0, 0, 0.02] }, ball: { shift: [0.5, 0, 0.25], turn: QUARTER_X }, top: { shift: [0, 0, -1] } },
      ORIGINS,
    );
    await expectPoses(workspace.path('table.urdf'), done, ORIGINS);
    const rpy = '1.570796326794897 0 0';
    const text = workspace.text('table.urdf');
    expect(text).toBe(
      replaced(before, [
        ['xyz="0.1  0.2 0.08"', 'xyz="0.1  0.2 0.1"'],
        ['<joint name="top_joint" type="fixed">', '<joint name="top_joint" type="fixed"><origin xyz="0 0 -1"/>'],
        [
          '<joint name="ball_joint" type="floating">',
          `<joint name="ball_joint" type="floating">\n    <origin xyz="0.5 0 0.25" rpy="${rpy}"/>`,
        ],
      ]),
    );
  });

  it('turn and move in the frame of the root, and near the singular pitch', async () => {
    for (const pitch of [0.3, Math.PI / 2, -Math.PI / 2, Math.PI / 2 - 1e-9, Math.PI / 2 - 1e-6]) {
      const workspace = withFixtures();
      const options = { ...ORIGINS, position: [1, 2, 3], rpy: [0.4, -0.2, 2] } as const;
      const turn = [Math.cos(pitch / 2), 0, Math.sin(pitch / 2), 0] as const;
      const done = await repair(workspace, 'table.urdf', { box: { shift: [0.1, 0.2, 0.3], turn }, top: { turn } }, options);
      await expectPoses(workspace.path('table.urdf'), done, options);
      expect(done.output.verified).toBeLessThan(1e-14);
    }
  });
});

describe('targets', () => {
  it('that are inputs, other files or of another kind are refused, and nothing is written', async () => {
    const workspace = withFixtures();
    const before = workspace.snapshot();
    const move = { 'first/cup': { shift: [0, 0, 1] as const } };
    const refused = (output: string) => repair(workspace, 'kitchen.yaml', move, { output });
    await expect(refused('arm.urdf')).rejects.toThrow('the output must be a scene file like kitchen.yaml');
    await expect(refused('out.json')).rejects.toThrow('the output must be a scene file like kitchen.yaml');
    await expect(refused('no/such/folder.yaml')).rejects.toThrow('no such directory');
    const { scene, source } = await urdf.read(workspace.path('kitchen.yaml'));
    const result = resultOf(scene, move);
    await expect(urdf.write(source, result, workspace.path('kitchen.yaml'))).rejects.toThrow('it is a file of the scene that was read');
    await expect(urdf.write(source, result, { path: workspace.path('kitchen.json'), inPlace: true })).rejects.toThrow('in place means');
    await expect(urdf.write(source, { poses: [] } as unknown as Result, workspace.path('x.yaml'))).rejects.toThrow(
      'they do not belong together',
    );
    expect(workspace.snapshot()).toEqual(before);
    workspace.put('kitchen.yaml', `${workspace.text('kitchen.yaml')}# changed\n`);
    await expect(urdf.write(source, result, { path: workspace.path('kitchen.yaml'), inPlace: true })).rejects.toThrow(
      'the file has changed since it was read',
    );
  });

  it('of a dry run stay as they are', async () => {
    const workspace = withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await urdf.read(workspace.path('kitchen.yaml'));
    const result = resultOf(scene, { 'first/cup': { shift: [0, 0, 1] } });
    const dry = await urdf.write(source, result, { path: workspace.path('kitchen.yaml'), inPlace: true, dryRun: true });
    expect(dry.files[0]!.text).toContain('position: [0, 0, 1]');
    expect(workspace.snapshot()).toEqual(before);
  });
});

it('bodies have places in the files', async () => {
  const workspace = withFixtures();
  const { scene, source } = await urdf.read(workspace.path('kitchen.yaml'));
  const places = bodyPlaces(source);
  expect(places(1)).toEqual({ file: workspace.path('arm.urdf'), line: 9, element: '<link name="upper">' });
  expect(places(scene.bodies.length - 1)).toBeUndefined();
});
