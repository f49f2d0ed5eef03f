/** Signed distance fields by plugin: read with the mesh they have, written as they were. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { expectPoses, repair } from './repair.js';
import { Workspace } from './workspace.js';

const scene = (mesh: string) => `<mujoco>
  <extension>
    <plugin plugin="mujoco.sdf.sdflib">
      <instance name="field">
        <config key="aabb" value="0"/>
      </instance>
    </plugin>
  </extension>
  <asset><mesh name="ell" ${mesh}><plugin instance="field"/></mesh></asset>
  <worldbody>
    <body name="nut" pos="0 0 1"><freejoint/><geom type="sdf" mesh="ell"><plugin
      instance="field"></plugin></geom></body>
  </worldbody>
</mujoco>
`;

describe('an SDF plugin', () => {
  it('with a mesh gives way to the distance field of the mesh', async () => {
    const workspace = Workspace.withFixtures();
    const before = scene('file="assets/l-shape.obj"');
    workspace.put('scene.xml', before);
    const read = await mjcf.read(workspace.path('scene.xml'));
    expect(read.scene.geoms.map(({ shape }) => shape.type)).toEqual(['mesh']);
    expect(read.notes).toEqual([
      "mesh 'ell': MuJoCo's WebAssembly build has no SDF plugins; the distance field of the mesh itself is used",
    ]);
    const written = await repair(workspace, { input: 'scene.xml', changes: { nut: { shift: [0, 0, 1] } } });
    expect(workspace.text('scene.xml')).toBe(before.replace('pos="0 0 1"', 'pos="0 0 2"'));
    await expectPoses(workspace, 'scene.xml', written);
  });

  it('leaves line numbers as they are', async () => {
    const workspace = Workspace.withFixtures();
    const path = workspace.put('scene.xml', scene('file="assets/l-shape.obj"').replace('</worldbody>', '<body foo="1"/></worldbody>'));
    await expect(mjcf.read(path)).rejects.toMatchObject({ place: { line: 13, element: '<body>' } });
  });

  it('without a mesh is refused, with the way out', async () => {
    const path = new Workspace().put('scene.xml', scene(''));
    await expect(mjcf.read(path)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      place: { line: 9, element: '<mesh name="ell">' },
      message: expect.stringMatching(/computed by the plugin mujoco\.sdf\.sdflib, which .* give the mesh a file/),
    });
  });
});
