/** Layers over a stage: what they hold, and that OpenUSD composes what was asked for. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { affineFromRowVectors, angleBetween, quatFromAxisAngle } from '../../../src/adapters/conventions.js';
import { rotationOf } from '../../../src/adapters/isaac/affine.js';
import { type FileWriteResult, type IsaacSource, isaac } from '../../../src/adapters/isaac/index.js';
import type { Result } from '../../../src/core/result.js';
import type { Quat, Scene, Vec3 } from '../../../src/core/scene.js';
import { type Change, resultOf, Workspace } from '../mjcf/workspace.js';
import { describePxr, runPxr } from './pxr/pxr.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/usd/', import.meta.url));
const OPS = `${FIXTURES}ops.usda`;

interface Facts {
  readonly defaultPrim: string;
  readonly metersPerUnit: number;
  readonly upAxis: string;
  readonly prims: Record<string, { world: number[]; types: Record<string, string> }>;
}

const BODY = 'apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]';
const TRANSLATE = 'uniform token[] xformOpOrder = ["xformOp:translate"]';

/** Bodies that are made of other bodies of the stage: with own operations, without, and through one another. */
const FAMILY = `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Cube "a" (${BODY})
{
}
def "bare" (references = </a>)
{
}
def "idle" (references = </a>)
{
    double3 xformOp:translate = (5, 0, 0)
}
def "own" (references = </a>)
{
    double3 xformOp:translate = (0, 5, 0)
    float3 xformOp:rotateXYZ = (10, 20, 30)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]
}
def Cube "b" (${BODY})
{
    double3 xformOp:translate = (0, 0, 5)
    ${TRANSLATE}
}
def "heir" (inherits = </b>)
{
}
def "late" (specializes = </heir>)
{
    quatf xformOp:orient = (0.6, 0.8, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
}
def Xform "kit"
{
    double3 xformOp:translate = (0, 0, 20)
    ${TRANSLATE}
    def "first" (references = </idle>)
    {
    }
    def "second" (references = </own>)
    {
        double3 xformOp:translate = (9, 9, 9)
    }
}
def "kits" (references = </kit>)
{
}
`;

/** Every free body but two gets a shift and a turn of its own. */
function changesOf(scene: Scene): Record<string, Change> {
  const free = scene.bodies.filter(({ mobility, name }) => mobility === 'free' && !/unmoved|still/.test(name));
  return Object.fromEntries(
    free.map(({ name }, i) => [
      name,
      { shift: [0.1 * i, -0.03, 0.2 / (i + 1)] as Vec3, turn: quatFromAxisAngle([1, i, -2], 0.01 + 0.3 * i) as Quat },
    ]),
  );
}

describe('a layer', () => {
  let scene: Scene;
  let source: IsaacSource;
  const workspace = new Workspace();
  const out = workspace.path('fixed.usda');
  beforeAll(async () => {
    ({ scene, source } = await isaac.read(OPS));
  });

  it('holds only what moved, in the types that the stage uses', async () => {
    const { files, verified } = await isaac.write(source, resultOf(scene, { '/World/double': { shift: [0.2, 0, 0] } }), out);
    expect(verified).toBeLessThan(1e-12);
    expect(files[0]!.path).toBe(out);
    const text = workspace.text('fixed.usda');
    expect(text).toContain('metersPerUnit = 0.01\n');
    expect(text).toContain('upAxis = "Y"\n');
    expect(text).toContain('defaultPrim = "World"\n');
    expect(text).toMatch(/subLayers = \[\n {8}@\.\.?\/.*ops\.usda@\n {4}\]/);
    expect(text.match(/over "/g)).toHaveLength(2);
    expect(text.match(/xformOp:/g)).toHaveLength(1);
    expect(text).toMatch(/ {8}double3 xformOp:translate = \([^)]*\)\n/);
  });

  it('is empty if nothing moved', async () => {
    const { files, verified } = await isaac.write(source, resultOf(scene, {}), out);
    expect(verified).toBeLessThan(1e-15);
    expect(files[0]!.edits).toEqual([]);
    expect(workspace.text('fixed.usda')).not.toContain('over "');
  });

  it('puts every kind of body where it belongs', async () => {
    const result = resultOf(scene, changesOf(scene));
    const { verified, notes } = await isaac.write(source, result, out);
    expect(verified).toBeLessThan(2e-6);
    const text = workspace.text('fixed.usda');
    expect(text).not.toContain('unmoved');
    // It lies below a body that moved, and is held where it was.
    expect(text).toContain('over "still"');
    expect(text).toContain('float3 xformOp:rotateZYX:tilt = (');
    expect(text).toContain('matrix4d xformOp:transform = ( (');
    expect(text).toContain('uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]');
    expect(notes).toEqual([
      'own operations cannot express the pose, so xformOpOrder has new ones: ' +
        '/World/half, /World/bare, /World/pivot, /World/animated, /World/outer, /World/outer/still, /World/cup',
    ]);
  });

  it('names the file, the line and the prim of every edit', async () => {
    const { files } = await isaac.write(source, resultOf(scene, { '/World/single': { shift: [0.2, 0, 0] } }), out, { dryRun: true });
    const [file] = files;
    expect(file!.edits).toEqual([
      {
        line: expect.any(Number),
        element: '/World/single',
        attribute: 'xformOp:translate',
        before: '(20, 0.1, 0.2)',
        after: expect.stringMatching(/^\(/),
      },
    ]);
    expect(readFileSync(OPS, 'utf8').split('\n')[file!.edits[0]!.line - 1]).toContain('def Cube "single"');
    expect(file!.diff).toContain('+++ ');
    expect(file!.text).toContain('over "single"');
  });

  it('is not written in a dry run, where in place means beside the stage', async () => {
    const fresh = new Workspace();
    const { files } = await isaac.write(source, resultOf(scene, { '/World/double': { shift: [1, 0, 0] } }), {
      path: OPS,
      inPlace: true,
      dryRun: true,
    });
    expect(files[0]!.path).toBe(`${FIXTURES}ops.fixed.usda`);
    expect(existsSync(files[0]!.path)).toBe(false);
    await isaac.write(source, resultOf(scene, {}), fresh.path('x.usda'), { dryRun: true });
    expect(fresh.snapshot()).toEqual({});
  });

  it.each<[string, string, (path: string) => Promise<unknown>]>([
    ['in place', 'a stage is not edited', () => isaac.write(source, resultOf(scene, {}), { path: OPS, inPlace: true })],
    ['over the stage', 'a file of the stage that was read', () => isaac.write(source, resultOf(scene, {}), OPS)],
    ['over a part of it', 'a file of the stage that was read', () => isaac.write(source, resultOf(scene, {}), `${FIXTURES}parts/cup.usda`)],
    ['as a crate', 'ends in .usda', (folder) => isaac.write(source, resultOf(scene, {}), `${folder}/x.usdc`)],
    ['into a folder that is not there', 'no such directory', (folder) => isaac.write(source, resultOf(scene, {}), `${folder}/a/x.usda`)],
    [
      'with NaN',
      "puts body '/World/double' at a pose that is not finite",
      (folder) => isaac.write(source, resultOf(scene, { '/World/double': { shift: [Number.NaN, 0, 0] } }), `${folder}/x.usda`),
    ],
    [
      'with another result',
      'do not belong together',
      (folder) => isaac.write(source, { poses: [] } as unknown as Result, `${folder}/x.usda`),
    ],
  ])('refuses to be written %s', async (_, message, act) => {
    const fresh = new Workspace();
    await expect(act(fresh.root)).rejects.toThrow(message);
    expect(fresh.snapshot()).toEqual({});
  });

  it('cannot move what is inside an instance, and says so', async () => {
    const fresh = new Workspace();
    const path = fresh.put(
      'stage.usda',
      `#usda 1.0
def Xform "kit"
{
    def Xform "set"
    {
        def Cube "box" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
        {
        }
    }
}
def "copy" (instanceable = true references = </kit/set>)
{
}
`,
    );
    const read = await isaac.read(path);
    const moved = resultOf(read.scene, { '/copy/box': { shift: [1, 0, 0] } });
    await expect(isaac.write(read.source, moved, fresh.path('x.usda'))).rejects.toThrow('</copy/box> lies inside the instance </copy>');
    const table = await isaac.write(read.source, moved, fresh.path('x.json'));
    expect(table.files).toHaveLength(1);
  });
});

describe('bodies that are made of one that moves', () => {
  it('stay where they are, whichever moves', async () => {
    const workspace = new Workspace();
    const { scene, source } = await isaac.read(workspace.put('stage.usda', FAMILY));
    expect(scene.bodies).toHaveLength(11);
    for (const { name } of scene.bodies) {
      for (const turn of [undefined, quatFromAxisAngle([1, 2, 3], 0.5) as Quat]) {
        const result = resultOf(scene, { [name]: { shift: [0.1, 0, 0], ...(turn && { turn }) } });
        const { verified } = await isaac.write(source, result, workspace.path('fixed.usda'));
        expect([name, verified < 2e-6]).toEqual([name, true]);
      }
    }
  });

  it('are left out of the layer where it makes no difference to them', async () => {
    const workspace = new Workspace();
    const { scene, source } = await isaac.read(workspace.put('stage.usda', FAMILY));
    await isaac.write(source, resultOf(scene, { '/b': { shift: [0.1, 0, 0] } }), workspace.path('fixed.usda'));
    const text = workspace.text('fixed.usda');
    const moved = (name: string, x: number) => `over "${name}"\n{\n    double3 xformOp:translate = (${x}, 0, 5)\n}\n`;
    expect(text.slice(text.indexOf('\nover'))).toBe(`\n${moved('b', 0.1)}\n${moved('heir', 0)}\n${moved('late', 0)}`);
  });

  it('are named where no layer can keep them', async () => {
    const workspace = new Workspace();
    const body = `def Cube "box" (${BODY})\n{\n}`;
    const path = workspace.put(
      'stage.usda',
      `#usda 1.0\ndef Xform "kit"\n{\n${body}\n}\ndef "copy" (instanceable = true references = </kit>)\n{\n}\n`,
    );
    const { scene, source } = await isaac.read(path);
    const moved = resultOf(scene, { '/kit/box': { shift: [1, 0, 0] } });
    await expect(isaac.write(source, moved, workspace.path('x.usda'))).rejects.toMatchObject({
      code: 'OUTPUT',
      message: expect.stringContaining('</copy/box> is made of </kit/box> and would move with it, and no layer can keep it'),
    });
  });
});

describePxr('OpenUSD composes the layer', () => {
  it('to the poses that were asked for, with unchanged types', async () => {
    const workspace = new Workspace();
    const out = workspace.path('fixed.usda');
    const { scene, source } = await isaac.read(OPS);
    const result = resultOf(scene, changesOf(scene));
    const written: FileWriteResult = await isaac.write(source, result, out);
    const [before, after] = runPxr<[Facts, Facts]>('dump_layer.py', OPS, out);
    const head = ({ defaultPrim, metersPerUnit, upAxis }: Facts) => ({ defaultPrim, metersPerUnit, upAxis });
    expect(head(after)).toEqual(head(before));
    expect(Object.keys(after.prims)).toEqual(Object.keys(before.prims));
    for (const { id, name } of scene.bodies) {
      const world = affineFromRowVectors(after.prims[name]!.world);
      const { position, quaternion } = result.poses[id]!;
      const distance = Math.hypot(...[3, 7, 11].map((at, k) => world[at]! * 0.01 - position[k]!));
      const angle = angleBetween(rotationOf(world), quaternion);
      expect([name, distance < 2e-6, angle < 2e-6]).toEqual([name, true, true]);
      if (/double|matrix|bare|still|unmoved/.test(name)) expect([name, distance < 1e-12, angle < 1e-9]).toEqual([name, true, true]);
      expect(after.prims[name]!.types).toMatchObject(before.prims[name]!.types);
    }
    expect(after.prims['/World/unmoved']).toEqual(before.prims['/World/unmoved']);
    expect(written.verified).toBeLessThan(2e-6);
  });

  it('to bodies that stay although what they are made of moves', async () => {
    const workspace = new Workspace();
    const path = workspace.put('stage.usda', FAMILY);
    const { scene, source } = await isaac.read(path);
    const turn = quatFromAxisAngle([1, 2, 3], 0.5) as Quat;
    for (const moving of [['/a'], ['/b'], ['/heir', '/own'], scene.bodies.map(({ name }) => name)]) {
      const result = resultOf(scene, Object.fromEntries(moving.map((name) => [name, { shift: [0.1, 0.2, 0.3], turn }])));
      await isaac.write(source, result, workspace.path('fixed.usda'));
      const [, after] = runPxr<[Facts, Facts]>('dump_layer.py', path, workspace.path('fixed.usda'));
      for (const { id, name } of scene.bodies) {
        const world = affineFromRowVectors(after.prims[name]!.world);
        const { position, quaternion } = result.poses[id]!;
        const distance = Math.hypot(...[3, 7, 11].map((at, k) => world[at]! - position[k]!));
        expect([name, distance < 2e-6, angleBetween(rotationOf(world), quaternion) < 2e-6]).toEqual([name, true, true]);
      }
    }
  });
});
