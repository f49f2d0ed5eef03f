/** Tables of root poses. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { decodeNpz, numbersOf } from '../../../src/adapters/files/npz.js';
import { isaac, type PoseTable } from '../../../src/adapters/isaac/index.js';
import { QUARTER_X, resultOf, Workspace } from '../mjcf/workspace.js';

const PHYSICS = fileURLToPath(new URL('../../fixtures/usd/physics.usda', import.meta.url));

describe('a table of poses', () => {
  it('has a row per floating unit, in both orders of quaternions', async () => {
    const workspace = new Workspace();
    const { scene, source } = await isaac.read(PHYSICS);
    const result = resultOf(scene, { '/World/arm/base': { shift: [0, 0, 1], turn: QUARTER_X } });
    const { files } = await isaac.write(source, result, workspace.path('poses.json'));
    expect(files[0]!.diff).toContain('+ "format": "s4r-root-poses",');
    const table = JSON.parse(workspace.text('poses.json')) as PoseTable;
    // Links move with their root, and what is fixed stays.
    expect(table.prim_paths).toEqual([
      '/World/shapes',
      '/World/meshes/moving',
      '/World/filtered/a',
      '/World/filtered/b',
      '/World/filtered/c',
      '/World/arm/base',
    ]);
    expect(table.moved).toEqual([false, false, false, false, false, true]);
    expect(table).toMatchObject({ source: 'physics.usda', meters_per_unit: 0.01, up_axis: 'Z', frame: 'world', env_origin: [0, 0, 0] });
    expect(table.source_sha256).toMatch(/^[0-9a-f]{64}$/);
    const [x, y, z, ...wxyz] = table.root_pose_w_quat_wxyz[5]!;
    expect([x, y, z]).toEqual([0, 0, 3]);
    expect(wxyz).toEqual([Math.SQRT1_2, Math.SQRT1_2, 0, 0]);
    expect(table.root_pose_w_quat_xyzw[5]).toEqual([0, 0, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  });

  it('is the same as npz, relative to an origin if asked', async () => {
    const workspace = new Workspace();
    const { scene, source } = await isaac.read(PHYSICS);
    const result = resultOf(scene, { '/World/shapes': { shift: [0, 0, 1] } });
    const origin = [0, 2.5, 0] as const;
    await isaac.write(source, result, workspace.path('poses.json'), { origin });
    const { files } = await isaac.write(source, result, workspace.path('poses.npz'), { origin });
    expect(files[0]).toMatchObject({ edits: [], diff: '' });
    const json = JSON.parse(workspace.text('poses.json')) as PoseTable;
    const npz = decodeNpz(workspace.bytes('poses.npz'));
    expect([...npz.keys()].sort()).toEqual(Object.keys(json).sort());
    const rows = npz.get('root_pose_w_quat_wxyz')!;
    expect(rows.shape).toEqual([6, 7]);
    expect(Array.from(numbersOf(rows)!)).toEqual(json.root_pose_w_quat_wxyz.flat());
    expect(npz.get('prim_paths')!.data).toEqual(json.prim_paths);
    expect(json).toMatchObject({ frame: 'env', env_origin: origin });
    expect(json.root_pose_w_quat_wxyz[0]!.slice(0, 3)).toEqual([1, -2.5, 1]);
  });

  it('is the same, bit for bit, for the same input', async () => {
    const workspace = new Workspace();
    const write = async (name: string) => {
      const { scene, source } = await isaac.read(PHYSICS);
      await isaac.write(source, resultOf(scene, {}), workspace.path(name));
      return workspace.bytes(name);
    };
    expect(await write('a.npz')).toEqual(await write('b.npz'));
  });

  it('refuses what is not finite', async () => {
    const workspace = new Workspace();
    const { scene, source } = await isaac.read(PHYSICS);
    const bad = resultOf(scene, { '/World/shapes': { shift: [Number.NaN, 0, 0] } });
    await expect(isaac.write(source, bad, workspace.path('a.npz'))).rejects.toThrow('at a pose that is not finite');
    const origin = [Number.NaN, 0, 0] as const;
    await expect(isaac.write(source, resultOf(scene, {}), workspace.path('a.npz'), { origin })).rejects.toThrow(
      'the origin must be finite',
    );
    expect(workspace.snapshot()).toEqual({});
  });
});
