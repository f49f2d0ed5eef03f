/** From a stage to a repaired one, with the native core. */
import { describe, expect, it } from '@jest/globals';
import { isaac } from '../../../src/adapters/isaac/index.js';
import { Solver } from '../../../src/index.js';
import { Workspace } from '../mjcf/workspace.js';

/** Link 0 reaches 45 mm and link 1 90 mm into a pallet (whose edge is at y = -0.05), as in a report of a robot that never arrived (A67). */
const ARM = (pallet: string) => `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "arm" (apiSchemas = ["PhysicsArticulationRootAPI"])
{
    def Xform "link0" (apiSchemas = ["PhysicsRigidBodyAPI"])
    {
        def Cube "box" (apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 0.19
            double3 xformOp:translate = (0, 0, 0.1)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }
    def Xform "link1" (apiSchemas = ["PhysicsRigidBodyAPI"])
    {
        double3 xformOp:translate = (0, 0, 0.35)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Cube "box" (apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 0.28
        }
    }
    def PhysicsFixedJoint "base"
    {
        rel physics:body1 = </arm/link0>
    }
    def PhysicsRevoluteJoint "shoulder"
    {
        uniform token physics:axis = "Z"
        rel physics:body0 = </arm/link0>
        rel physics:body1 = </arm/link1>
        point3f physics:localPos0 = (0, 0, 0.2)
        point3f physics:localPos1 = (0, 0, -0.15)
    }
}
def Cube "pallet" (apiSchemas = [${pallet}])
{
    double size = 1
    double3 xformOp:translate = (0, -0.55, 0.5)
    quatf xformOp:orient = (1, 0, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
}
`;

describe('an arm in a pallet (F9)', () => {
  it('is named with both links, and the pallet moves', async () => {
    const workspace = new Workspace();
    const { scene, source } = await isaac.read(workspace.put('arm.usda', ARM('"PhysicsRigidBodyAPI", "PhysicsCollisionAPI"')));
    const solver = await Solver.create();
    const { overlaps } = await solver.check(scene);
    expect(overlaps.map(({ names, depth }) => [[names.bodyA, names.bodyB].sort(), Math.round(1000 * depth)])).toEqual([
      [['/arm/link1', '/pallet'], 90],
      [['/arm/link0', '/pallet'], 45],
    ]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    expect(result.moves.map(({ name }) => name)).toEqual(['/pallet']);
    const { verified } = await isaac.write(source, result, workspace.path('fixed.usda'));
    expect(verified).toBeLessThan(1e-9);
    const fixed = await isaac.read(workspace.path('fixed.usda'));
    expect((await solver.check(fixed.scene)).overlaps).toEqual([]);
  });

  it('is constant if the pallet is fixed too', async () => {
    const workspace = new Workspace();
    const { scene } = await isaac.read(workspace.put('arm.usda', ARM('"PhysicsCollisionAPI"')));
    const { overlaps, repairable, constant } = await (await Solver.create()).check(scene);
    expect([overlaps.length, repairable, constant]).toEqual([2, 0, 2]);
  });
});

it('a body with a turned parent is repaired where it is', async () => {
  const workspace = new Workspace();
  const path = workspace.put(
    'stage.usda',
    `#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Y"
)
def Xform "room"
{
    double3 xformOp:translate = (100, 50, 3)
    float3 xformOp:rotateXYZ = (0, 30, 0)
    float3 xformOp:scale = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
    def Cube "a" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {
    }
    def Cube "b" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {
        double3 xformOp:translate = (1.9, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
}
`,
  );
  const solver = await Solver.create();
  const { scene, source } = await isaac.read(path);
  const result = await solver.solve(scene);
  expect(result.status).toBe('solved');
  await isaac.write(source, result, workspace.path('fixed.usda'));
  const again = await isaac.read(workspace.path('fixed.usda'));
  const after = await solver.check(again.scene);
  expect(after.repairable).toBe(0);
  // 2 mm apart at the start, along the edges of both: no more than a little further.
  expect(result.moves[0]!.distance).toBeLessThan(0.0025);
});
