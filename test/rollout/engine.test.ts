/** One MuJoCo module for all, fed with exactly the files it is given. */
import { describe, expect, test } from '@jest/globals';
import { loadMjcf } from '../../src/adapters/mjcf/index.js';
import { mujocoContacts, type SceneFiles } from '../../src/rollout/mujoco.js';
import { Simulation } from '../../src/rollout/mujoco-simulation.js';
import { cube, filesOf, scene } from './scenes.js';

test('the adapter and the rollout share one module', async () => {
  const { mujoco, model } = await loadMjcf('test/fixtures/mjcf/replicate.xml');
  model.delete();
  const simulation = await Simulation.create(scene(cube('a', '0 0 1')));
  simulation.free();
  expect(simulation.mujoco).toBe(mujoco);
});

describe('files', () => {
  /** A box with an edge of 2 h as OBJ. */
  const box = (h: number) => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1 ? h : -h} ${i & 2 ? h : -h} ${i & 4 ? h : -h}`);
    const faces = ['1 3 4', '1 4 2', '5 6 8', '5 8 7', '1 2 6', '1 6 5', '3 7 8', '3 8 4', '1 5 7', '1 7 3', '2 4 8', '2 8 6'];
    return [...corners, ...faces.map((face) => `f ${face}`)].join('\n');
  };
  const withMesh = (file: string) =>
    `<mujoco><asset><mesh name="m" file="${file}"/></asset><worldbody><geom type="plane" size="1 1 1"/>
     <body name="mesh" pos="0 0 0.1"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
  const depth = async (files: SceneFiles) => (await mujocoContacts(files))[0]?.dist;

  test.each(['scene.xml', 'sub/scene.xml', '/absolute/scene.xml', './scene.xml', '../scene.xml'])(
    'the scene may be at %s',
    async (main) => {
      const folder = main.slice(0, main.lastIndexOf('/') + 1);
      const files = filesOf({ [main]: withMesh('meshes/box.obj'), [`${folder}meshes/box.obj`]: box(0.2) });
      expect(await depth(files)).toBeCloseTo(-0.1, 6);
    },
  );

  test('with equal base names are told apart', async () => {
    const both = { 'a/box.obj': box(0.2), 'b/box.obj': box(0.3) };
    expect(await depth(filesOf({ 'scene.xml': withMesh('a/box.obj'), ...both }))).toBeCloseTo(-0.1, 6);
    expect(await depth(filesOf({ 'scene.xml': withMesh('b/box.obj'), ...both }))).toBeCloseTo(-0.2, 6);
    await expect(depth(filesOf({ 'scene.xml': withMesh('c/box.obj'), ...both }))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('are those of this call, not of the last with the same path', async () => {
    for (const h of [0.2, 0.3, 0.25]) {
      expect(await depth(filesOf({ 'scene.xml': withMesh('box.obj'), 'box.obj': box(h) }))).toBeCloseTo(0.1 - h, 6);
    }
    await expect(depth(filesOf({ 'scene.xml': withMesh('box.obj') }))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

test('running out of memory is said, and the next scene gets a module that works', async () => {
  const texture = '<asset><texture name="t" type="2d" builtin="flat" width="30000" height="30000"/></asset>';
  await expect(mujocoContacts(scene('', texture))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/^scene\.xml: MuJoCo: .*\(MuJoCo in WebAssembly has 2 GiB\)$/),
  });
  await expect(mujocoContacts(scene(cube('a', '0 0 1')))).resolves.toEqual([]);
});

test('an arena too large to have is replaced by one that fits', async () => {
  await expect(mujocoContacts(scene('', '<size memory="3G"/>'))).resolves.toEqual([]);
});
