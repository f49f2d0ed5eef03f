/** From a scene file through the solver and back. */
import { describe, expect, it } from '@jest/globals';
import { urdf } from '../../../src/adapters/urdf/index.js';
import { Solver } from '../../../src/core/solver.js';
import { Workspace } from './workspace.js';

const box = (name: string, size: string) =>
  `<robot name="${name}"><link name="${name}"><collision><geometry><box size="${size}"/></geometry></collision></link></robot>`;

/** Two links of an arm bolted to the ground, and a pallet that was put into both of them. */
function armAndPallet(): Workspace {
  const workspace = new Workspace();
  const link = (name: string, size: string) =>
    `<link name="${name}"><collision><geometry><box size="${size}"/></geometry></collision></link>`;
  workspace.put(
    'arm.urdf',
    `<robot name="arm">${link('link0', '0.19 0.19 0.2')}${link('link1', '0.1 0.28 0.1')}
    <joint name="j" type="revolute"><origin xyz="0 0 0.155"/><parent link="link0"/><child link="link1"/><axis xyz="0 0 1"/></joint></robot>`,
  );
  workspace.put('pallet.urdf', box('pallet', '1 1 1'));
  workspace.put('s.yaml', 'models:\n- urdf: arm.urdf # bolted\n- urdf: pallet.urdf\n  position: [0, -0.55, 0]\n');
  return workspace;
}

describe('a pallet in an arm', () => {
  it('is named with the links it is in, moves, and the arm stays', async () => {
    const workspace = armAndPallet();
    const { scene, source } = await urdf.read(workspace.path('s.yaml'));
    const solver = await Solver.create();
    const before = await solver.check(scene);
    const found = before.overlaps.map(({ names, depth }) => [[names.bodyA, names.bodyB].sort().join(' '), Math.round(depth * 1e6) / 1e3]);
    expect(found).toEqual([
      ['arm/link1 pallet/pallet', 90],
      ['arm/link0 pallet/pallet', 45],
    ]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    expect(result.moves.map(({ name }) => name)).toEqual(['pallet/pallet']);
    await urdf.write(source, result, { path: workspace.path('s.yaml'), inPlace: true });
    expect(workspace.text('s.yaml')).toMatch(/^models:\n- urdf: arm\.urdf # bolted\n- urdf: pallet\.urdf\n {2}position: \[.*\]\n$/);
    const again = await urdf.read(workspace.path('s.yaml'));
    expect((await solver.check(again.scene)).overlaps).toEqual([]);
  });

  it('of which nothing may move is constant', async () => {
    const workspace = armAndPallet();
    workspace.put('s.yaml', `${workspace.text('s.yaml')}  base: fixed\n`);
    const { scene } = await urdf.read(workspace.path('s.yaml'));
    const evaluation = await (await Solver.create()).check(scene);
    // The pallet and the base are both pieces of the world, which no engine tests.
    expect([evaluation.repairable, evaluation.constant]).toEqual([0, 1]);
  });
});
