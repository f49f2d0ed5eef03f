/** Writing models of several files: each edit goes to the file its body stands in. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { simulate } from './engine.js';
import { expectPoses, repair, replaced } from './repair.js';
import { resultOf, Workspace } from './workspace.js';

describe('included files', () => {
  const changes = { nested: { shift: [0, 0, 0.5] }, own: { shift: [0.1, 0, 0] } } as const;

  it('are edited where they stand when in place', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const written = await repair(workspace, { input: 'include/scene.xml', changes });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'include/scene.xml': replaced(before['include/scene.xml']!, [['pos="0 0 1"', 'pos="0.1 0 1"']]),
      'include/parts/nested.xml': replaced(before['include/parts/nested.xml']!, [['pos="0 1 0"', 'pos="0 1 0.5"']]),
    });
    const nested = workspace.path('include/parts/nested.xml');
    expect(written.output.notes).toEqual([`${nested} is an included file; it changes for every scene that includes it`]);
    await expectPoses(workspace, 'include/scene.xml', written);
  });

  it('that must change are copied beside the output, with those that include them', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const written = await repair(workspace, { input: 'include/scene.xml', output: 'include/fixed.xml', changes });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'include/fixed.xml': replaced(before['include/scene.xml']!, [
        ['pos="0 0 1"', 'pos="0.1 0 1"'],
        ['file="parts/objects.xml"', 'file="fixed.objects.xml"'],
      ]),
      'include/fixed.objects.xml': replaced(before['include/parts/objects.xml']!, [
        // Found beside the included file, which is elsewhere now.
        ['file="wedge.obj"', 'file="../include/parts/wedge.obj"'],
        ['file="nested.xml"', 'file="fixed.nested.xml"'],
      ]),
      'include/fixed.nested.xml': replaced(before['include/parts/nested.xml']!, [['pos="0 1 0"', 'pos="0 1 0.5"']]),
    });
    expect(written.output.files.map((file) => file.path.slice(workspace.root.length))).toEqual([
      '/include/fixed.nested.xml',
      '/include/fixed.objects.xml',
      '/include/fixed.xml',
    ]);
    await expectPoses(workspace, 'include/fixed.xml', written);
    await expectSameGeoms(workspace, 'include/scene.xml', 'include/fixed.xml');
  });

  it('and assets are still found from another folder', async () => {
    const workspace = Workspace.withFixtures();
    mkdirSync(workspace.path('elsewhere/deep'), { recursive: true });
    const before = workspace.snapshot();
    const written = await repair(workspace, {
      input: 'include/scene.xml',
      output: 'elsewhere/deep/fixed.xml',
      changes: { own: { shift: [0, 0, 0.5] } },
    });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'elsewhere/deep/fixed.xml': replaced(before['include/scene.xml']!, [
        ['meshdir="../assets"', 'meshdir="../../assets"'],
        ['file="parts/defaults.xml"', 'file="../../include/parts/defaults.xml"'],
        ['file="parts/objects.xml"', 'file="../../include/parts/objects.xml"'],
        ['pos="0 0 1"', 'pos="0 0 1.5"'],
      ]),
    });
    await expectPoses(workspace, 'elsewhere/deep/fixed.xml', written);
    await expectSameGeoms(workspace, 'include/scene.xml', 'elsewhere/deep/fixed.xml');
  });

  it('of every kind are found from another folder', async () => {
    const workspace = Workspace.withFixtures();
    mkdirSync(workspace.path('out'));
    for (const [input, key] of [
      ['shapes.xml', undefined],
      ['attach/scene.xml', undefined],
    ] as const) {
      const { scene, source } = await mjcf.read(workspace.path(input), { key });
      const name = scene.bodies.find((body) => body.mobility === 'free')!.name;
      const result = resultOf(scene, { [name]: { shift: [0, 0, 1] } });
      await mjcf.write(source, result, workspace.path('out/fixed.xml'));
      await expectPoses(workspace, 'out/fixed.xml', { scene, result, output: { files: [], notes: [], newKey: undefined, verified: 0 } });
    }
    expect(workspace.text('out/fixed.xml')).toContain('file="../attach/cup.xml"');
  });

  it('keep an asset folder that is set aside for meshes', async () => {
    const workspace = new Workspace();
    mkdirSync(workspace.path('out'));
    workspace.put('m.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
    const text = `<mujoco><compiler meshdir="" assetdir="t"/><asset><mesh name="m" file="m.obj"/></asset>
      <worldbody><body name="a"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
    workspace.put('scene.xml', text);
    const written = await repair(workspace, { input: 'scene.xml', output: 'out/fixed.xml', changes: { a: { shift: [0, 0, 1] } } });
    await expectPoses(workspace, 'out/fixed.xml', written);
    expect(workspace.text('out/fixed.xml')).toBe(
      replaced(text, [
        ['assetdir="t"', 'assetdir="../t"'],
        ['file="m.obj"', 'file="../m.obj"'],
        ['name="a"', 'name="a" pos="0 0 1"'],
      ]),
    );
  });

  it('keep the asset folder they had by default', async () => {
    const workspace = Workspace.withFixtures();
    mkdirSync(workspace.path('out'));
    const mesh = '<asset><mesh name="ell" file="assets/l-shape.obj"/></asset>';
    const body = '<worldbody><body name="a"><freejoint/><geom type="mesh" mesh="ell"/></body></worldbody>';
    for (const [compiler, wanted] of [
      ['', '<mujoco><compiler assetdir=".."/>'],
      ['<compiler angle="radian"/>', '<compiler assetdir=".." angle="radian"/>'],
      ['<compiler texturedir="x"/>', '<compiler assetdir=".." texturedir="../x"/>'],
    ] as const) {
      workspace.put('scene.xml', `<mujoco>${compiler}${mesh}${body}</mujoco>`);
      const written = await repair(workspace, { input: 'scene.xml', output: 'out/fixed.xml', changes: { a: { shift: [1, 0, 0] } } });
      expect(workspace.text('out/fixed.xml')).toContain(wanted);
      await expectPoses(workspace, 'out/fixed.xml', written);
    }
  });

  async function expectSameGeoms(workspace: Workspace, a: string, b: string): Promise<void> {
    const [before, after] = [await mjcf.read(workspace.path(a)), await mjcf.read(workspace.path(b))];
    expect(after.scene.geoms).toEqual(before.scene.geoms);
    // As MuJoCo itself finds it, without our help.
    expect(await simulate(workspace.path(b), -1, ({ model }) => model.nmeshvert)).toBe(
      await simulate(workspace.path(a), -1, ({ model }) => model.nmeshvert),
    );
  }
});

describe('a file included twice', () => {
  const parts = (workspace: Workspace) => {
    const text = '<mujoco><include file="b.xml"/><include file="c.xml"/></mujoco>';
    workspace.put('scene.xml', text);
    workspace.put('a.xml', '<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>');
    for (const name of ['b.xml', 'c.xml']) workspace.put(name, '<mujoco><include file="a.xml"/></mujoco>');
    return text;
  };

  it('stands for two bodies, which a new keyframe places', async () => {
    const workspace = new Workspace();
    parts(workspace);
    const changes = { body_1: { shift: [1, 0, 0] }, body_2: { shift: [2, 0, 0] } } as const;
    const written = await repair(workspace, { input: 'scene.xml', output: 'fixed.xml', changes });
    expect(written.output.newKey).toBe('s4r');
    await expectPoses(workspace, 'fixed.xml', written, 's4r');
  });

  it('cannot be reached from another folder, as MuJoCo says', async () => {
    const workspace = new Workspace();
    parts(workspace);
    mkdirSync(workspace.path('out'));
    const attempt = repair(workspace, { input: 'scene.xml', output: 'out/fixed.xml', changes: { body_1: { shift: [1, 0, 0] } } });
    await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringContaining('included twice; write into') });
  });
});
