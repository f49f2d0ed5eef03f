/** What a stage becomes: shapes, filters, joints, notes. No OpenUSD needed. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bodyPlaces, type IsaacSource, isaac } from '../../../src/adapters/isaac/index.js';
import { collisionRule } from '../../../src/core/filters.js';
import type { Geom, Scene } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { resultOf, Workspace } from '../mjcf/workspace.js';

const PHYSICS = fileURLToPath(new URL('../../fixtures/usd/physics.usda', import.meta.url));

const geomOf = (scene: Scene, name: string): Geom => scene.geoms.find((geom) => geom.name === name)!;
const collides = (scene: Scene, a: string, b: string) => collisionRule(scene)(geomOf(scene, a).id, geomOf(scene, b).id);

/** A stage of these prims, read. */
async function readText(text: string) {
  const workspace = new Workspace();
  const path = workspace.put('stage.usda', `#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n${text}`);
  const found = await isaac.read(path);
  assertScene(found.scene);
  return found;
}

describe('a stage with all kinds of physics', () => {
  let scene: Scene;
  let source: IsaacSource;
  let notes: readonly string[];
  beforeAll(async () => {
    ({ scene, source, notes } = await isaac.read(PHYSICS));
  });

  it('is in metres, with up against gravity', () => {
    assertScene(scene);
    expect(scene.up).toEqual([0, 1, 0]);
    const shapes = scene.bodies.find(({ name }) => name === '/World/shapes')!;
    expect(shapes.X_WB.position).toEqual([1, 0, 0]);
    expect(shapes.X_WB.quaternion[3]).toBeCloseTo(Math.sin(Math.PI / 12), 12);
  });

  it('has the shapes that PhysX makes', () => {
    expect(geomOf(scene, '/World/shapes/sphere').shape).toEqual({ type: 'sphere', radius: expect.closeTo(0.09, 12) });
    expect(geomOf(scene, '/World/shapes/sphere').margin).toBeCloseTo(0.005, 12);
    expect(geomOf(scene, '/World/shapes/capsule').shape).toEqual({
      type: 'capsule',
      radius: expect.closeTo(0.01, 12),
      halfLength: expect.closeTo(0.12, 12),
    });
    expect(geomOf(scene, '/World/meshes/ball').shape).toEqual({ type: 'sphere', radius: expect.closeTo(0.01 * Math.hypot(2, 1, 0.5), 12) });
    expect(geomOf(scene, '/World/meshes/box').shape).toEqual({
      type: 'box',
      halfExtents: [expect.closeTo(0.02, 12), expect.closeTo(0.01, 12), expect.closeTo(0.005, 12)],
    });
    expect(geomOf(scene, '/World/shapes/switchedOff')).toBeUndefined();
    expect(geomOf(scene, '/World/shapes/decoration')).toBeUndefined();
  });

  it('keeps the surface that a hull stands for, wound outwards, also mirrored', () => {
    for (const name of ['/World/meshes/hull', '/World/meshes/moving/none']) {
      const { shape, surface } = geomOf(scene, name);
      expect(shape.type).toBe('convex');
      expect(surface!.triangles).toHaveLength(24);
    }
    const exact = geomOf(scene, '/World/meshes/exact');
    expect(exact.shape).toMatchObject({ type: 'mesh' });
    // The same points and no scale: one object.
    expect(exact.shape).toMatchObject({ mesh: (geomOf(scene, '/World/meshes/moving/sdf').shape as { mesh: unknown }).mesh });
  });

  it('filters what PhysX filters', () => {
    const of = (a: string, b: string) => collides(scene, `/World/${a}`, `/World/${b}`);
    expect(of('filtered/a', 'filtered/b')).toBe(false);
    expect(of('filtered/a', 'ground')).toBe(false);
    expect(of('filtered/a', 'filtered/c')).toBe(true);
    expect(of('filtered/b', 'filtered/c')).toBe(false);
    expect(of('filtered/b', 'ground')).toBe(true);
    expect(of('filtered/c', 'ground')).toBe(true);
    expect(of('kinematic/it', 'ground')).toBe(false);
    expect(of('disabled/it', 'kinematic/it')).toBe(false);
    expect(of('arm/upper', 'arm/slider')).toBe(false);
    expect(of('arm/upper', 'ground')).toBe(true);
    expect(of('hinged/door', 'hinged/frame')).toBe(false);
    expect(of('hinged/door', 'ground')).toBe(true);
  });

  it('moves a floating tree as one, and holds one that hangs on the world', () => {
    const body = (name: string) => scene.bodies.find((candidate) => candidate.name === name)!;
    const base = body('/World/arm/base');
    expect(base.mobility).toBe('free');
    expect(body('/World/arm/upper')).toMatchObject({ mobility: 'free', movesWith: base.id });
    expect(body('/World/arm/slider')).toMatchObject({ mobility: 'free', movesWith: base.id });
    expect(body('/World/hinged/door').mobility).toBe('fixed');
    expect(body('/World/kinematic').mobility).toBe('fixed');
    expect(body('/World/disabled/it').mobility).toBe('fixed');
  });

  it('offers its hinges and slides to be freed', () => {
    const id = (name: string) => scene.bodies.find((candidate) => candidate.name === name)!.id;
    const [elbow, rail, hinge] = ['/World/arm/elbow', '/World/arm/rail', '/World/hinged/hinge'].map(
      (name) => scene.joints!.find((joint) => joint.name === name)!,
    );
    expect(elbow).toMatchObject({ type: 'hinge', moves: [id('/World/arm/upper')], limits: [-Math.PI / 2, Math.PI / 4] });
    expect(elbow!.position).toBeCloseTo((20 * Math.PI) / 180, 9);
    expect(elbow!.axis[1]).toBeCloseTo(1, 12);
    expect(elbow!.anchor[2]).toBeCloseTo(2.02, 12);
    // Body 1 is the base, which stays: the slider moves the other way.
    expect(rail).toMatchObject({ type: 'slide', moves: [id('/World/arm/slider')], limits: [-0.2, 0.05] });
    expect(rail!.axis[2]).toBeCloseTo(-1, 12);
    expect(rail!.position).toBeCloseTo(-0.09, 12);
    expect(hinge).toMatchObject({ type: 'hinge', moves: [id('/World/hinged/door')] });
    expect(hinge!.limits).toBeUndefined();
    expect(scene.joints).toHaveLength(3);
  });

  it('knows where its bodies stand', () => {
    const place = bodyPlaces(source)(scene.bodies.find(({ name }) => name === '/World/arm/upper')!.id);
    expect(place).toMatchObject({ file: PHYSICS, element: 'prim </World/arm/upper>' });
    expect(readFileSync(PHYSICS, 'utf8').split('\n')[place!.line! - 1]).toContain('def Cube "upper"');
    expect(bodyPlaces(source)(scene.bodies.length)).toBeUndefined();
  });

  it('says what it assumed', () => {
    expect(notes).toEqual(
      [
        'maxDepenetrationVelocity is 0.01 m/s, so PhysX hides overlaps instead of solving them: /World/shapes',
        'has PhysicsCollisionAPI, but of a BasisCurves no shape is made; it takes no part: /World/shapes/rope',
        'has PhysicsCollisionAPI, but of a Xform no shape is made; it takes no part: /World/kinematic',
        'a sphere scaled unevenly; PhysX takes the largest scale: /World/shapes/sphere',
        'a capsule scaled unevenly across its axis; PhysX takes the larger scale: /World/shapes/capsule',
        "the approximation 'none' on a body that moves: PhysX falls back to the convex hull: /World/meshes/moving/none",
        'convexDecomposition: PhysX cuts the mesh into hulls, here the exact mesh stands for them: /World/meshes/moving/decomposition',
        'physics:filteredPairs between prims that are no bodies, colliders or articulations (</World/nothing>): /World/filtered/a',
      ].sort((a, b) => notes.indexOf(a) - notes.indexOf(b)),
    );
  });
});

describe('a stage', () => {
  it('without colliders says so', async () => {
    const { scene, notes } = await readText('def Cube "box" (apiSchemas = ["PhysicsRigidBodyAPI"])\n{\n}\n');
    expect(scene.geoms).toEqual([]);
    expect(notes.join()).toContain('no prim has PhysicsCollisionAPI, so there is nothing to check');
  });

  it('with a low depenetration speed is warned of (A71)', async () => {
    const { notes } = await readText(`def Cube "peg" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysxRigidBodyAPI", "PhysicsCollisionAPI"])
{
    float physxRigidBody:maxDepenetrationVelocity = 0.000001
}
`);
    expect(notes).toEqual([
      expect.stringMatching(/^maxDepenetrationVelocity is 0?.*m\/s, so PhysX hides overlaps instead of solving them: \/peg$/),
    ]);
  });

  it('has a body for every copy that an instancer makes, which only a table can move', async () => {
    const { scene, source } = await readText(`def PointInstancer "many"
{
    point3f[] positions = [(0, 0, 0), (3, 0, 0), (9, 9, 9)]
    quath[] orientations = [(1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0)]
    float3[] scales = [(1, 1, 1), (2, 2, 2), (1, 1, 1)]
    int64[] invisibleIds = [2]
    int[] protoIndices = [0, 0, 0]
    rel prototypes = </many/p>
    double3 xformOp:translate = (0, 0, 1)
    uniform token[] xformOpOrder = ["xformOp:translate"]

    def Xform "p" (apiSchemas = ["PhysicsRigidBodyAPI"])
    {
        def Cube "box" (apiSchemas = ["PhysicsCollisionAPI"])
        {
            double3 xformOp:translate = (1, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }
}
`);
    expect(scene.bodies.map(({ name, mobility }) => [name, mobility])).toEqual([
      ['/many[0]', 'free'],
      ['/many[1]', 'free'],
    ]);
    expect(scene.bodies[1]!.X_WB.position).toEqual([3, 0, 1]);
    expect(scene.bodies[1]!.X_WB.quaternion).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(geomOf(scene, '/many[1]/box').shape).toEqual({ type: 'box', halfExtents: [2, 2, 2].map((h) => expect.closeTo(h, 9)) });
    expect(geomOf(scene, '/many[1]/box').X_BG.position[0]).toBeCloseTo(2, 9);
    const moved = resultOf(scene, { '/many[1]': { shift: [1, 0, 0] } });
    const workspace = new Workspace();
    await expect(isaac.write(source, moved, workspace.path('x.usda'))).rejects.toThrow('</many[1]> is made by a PointInstancer');
    expect((await isaac.write(source, moved, workspace.path('x.npz'))).files).toHaveLength(1);
  });

  it('keeps the joints of a copy within the copy', async () => {
    const box = (name: string, x: number) => `def Cube "${name}" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
        {
            double3 xformOp:translate = (${x}, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
        `;
    const { scene, notes } = await readText(`def PointInstancer "many"
{
    point3f[] positions = [(0, 0, 0), (0, 9, 0)]
    int[] protoIndices = [0, 0]
    rel prototypes = </many/pair>

    def Xform "pair"
    {
        ${box('a', 0)}${box('b', 3)}def PhysicsFixedJoint "weld"
        {
            rel physics:body0 = </many/pair/a>
            rel physics:body1 = </many/pair/b>
        }
    }
}
`);
    expect(notes).toEqual([]);
    expect(scene.bodies.map(({ name, mobility, movesWith }) => [name, mobility, movesWith])).toEqual([
      ['/many[0]/a', 'free', 0],
      ['/many[0]/b', 'free', 0],
      ['/many[1]/a', 'free', 2],
      ['/many[1]/b', 'free', 2],
    ]);
    expect(scene.filter.neighbours).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('gives the disabled collider of a robot no part (A56), and names its arm over the pallet (A67, F9)', async () => {
    const link = (name: string, y: number, enabled: boolean) => `def Cube "${name}" (apiSchemas = ["PhysicsCollisionAPI"])
    {
        bool physics:collisionEnabled = ${enabled}
        double size = 0.1
        double3 xformOp:translate = (0, ${y}, 0.05)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
`;
    const { scene } = await readText(`def Xform "arm" (apiSchemas = ["PhysicsRigidBodyAPI"])
{
    ${link('link0', 0, true)}    ${link('ghost', 0.5, false)}}
def Cube "pallet" (apiSchemas = ["PhysicsCollisionAPI"])
{
}
def PhysicsFixedJoint "base"
{
    rel physics:body1 = </arm>
}
`);
    expect(scene.geoms.map(({ name }) => name)).toEqual(['/arm/link0', '/pallet']);
    expect(scene.bodies[0]).toMatchObject({ name: '/arm', mobility: 'fixed' });
    // Both are held, but the arm is dynamic in PhysX: the pair collides, and is constant.
    expect(collides(scene, '/arm/link0', '/pallet')).toBe(true);
  });
});
