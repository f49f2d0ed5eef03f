/** Our own URDFs, with MuJoCo's compiler as the judge. */
import { describe, expect, it } from '@jest/globals';
import { urdf } from '../../../src/adapters/urdf/index.js';
import { geomDifferences, pairDifferences } from './compare.js';
import { mujocoScene } from './mujoco.js';
import { fixture, withFixtures } from './workspace.js';

describe('MuJoCo agrees', () => {
  it.each(['arm.urdf', 'cup.urdf', 'table.urdf'])('on shapes, places and pairs of %s', async (name) => {
    // It takes a floating joint for one that moves, where we hold it, and lets a constraint see to the offset of a mimic joint.
    const workspace = withFixtures();
    const path = workspace.put(name, workspace.text(name).replace('type="floating"', 'type="fixed"').replace('offset="0.001"', ''));
    const { scene, source } = await urdf.read(path);
    const theirs = await mujocoScene(source);
    expect(geomDifferences(scene, theirs)).toEqual([]);
    expect(pairDifferences(scene, theirs)).toEqual([]);
  });

  it('on meshes, scaled and mirrored', async () => {
    const workspace = withFixtures();
    // It reads neither ASCII STL nor DAE.
    const text = workspace.text('meshes.urdf').replace(/.*wedge\.(stl|dae).*\n/g, '');
    const { scene, source } = await urdf.read(workspace.put('meshes.urdf', text));
    expect(scene.geoms).toHaveLength(4);
    expect(geomDifferences(scene, await mujocoScene(source))).toEqual([]);
  });

  it('and would notice a difference', async () => {
    const { scene, source } = await urdf.read(fixture('arm.urdf'));
    const theirs = await mujocoScene(source);
    const moved = { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: { ...body.X_WB, position: [0, 0, 0] as const } })) };
    expect(geomDifferences(moved, theirs)).not.toEqual([]);
    expect(pairDifferences({ ...scene, filter: { ...scene.filter, neighbours: [] } }, theirs)).not.toEqual([]);
  });
});
