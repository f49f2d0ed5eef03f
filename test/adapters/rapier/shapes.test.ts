/** Every shape of Rapier against the engine's own point tests and ray casts. */
import { expect, test } from '@jest/globals';
import { rapier } from '../../../src/adapters/rapier/index.js';
import { REVOLUTION_ERROR, ROUNDING_ERROR } from '../../../src/adapters/rapier/rounded.js';
import type { Scene, Vec3 } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { insideGeom } from './inside.js';
import { boxMesh, emptyWorld, plane, RAPIER, randomNumbers, randomRotation } from './worlds.js';

const { ColliderDesc, RigidBodyDesc, World } = RAPIER;

const points = (count: number, seed: number): Float32Array => {
  const random = randomNumbers(seed);
  return Float32Array.from({ length: 3 * count }, () => random(-1, 1));
};

/** Float32 numbers of a world of a few metres. */
const BAND = 2e-5;

interface Placed {
  readonly world: RAPIER.World;
  readonly collider: RAPIER.Collider;
  readonly scene: Scene;
}

/** A collider with a pose of its own on a turned body; also as it comes from a snapshot. */
async function place(
  desc: RAPIER.ColliderDesc,
  restored: boolean,
  type: RAPIER.RigidBodyType = RAPIER.RigidBodyType.Dynamic,
): Promise<Placed> {
  const random = randomNumbers(7);
  const world = emptyWorld();
  const body = world.createRigidBody(new RigidBodyDesc(type).setTranslation(1, -2, 0.5).setRotation(randomRotation(random)));
  world.createCollider(desc.setTranslation(0.3, 0.2, -0.1).setRotation(randomRotation(random)), body);
  const used = restored ? World.restoreSnapshot(world.takeSnapshot()) : world;
  used.propagateModifiedBodyPositionsToColliders();
  const { scene } = await rapier.read(used);
  assertScene(scene);
  return { world: used, collider: used.getCollider(0), scene };
}

/**
 * Fraction of random points about the collider whose verdict differs beyond `band` of the surface; `slack` is how much larger ours
 * may be.
 */
function mismatches({ collider, scene }: Placed, slack = 0): { wrong: number; inside: number; outside: number } {
  const random = randomNumbers(11);
  const centre = collider.translation();
  const counts = { wrong: 0, inside: 0, outside: 0 };
  for (let i = 0; i < 3000; i++) {
    const point = { x: centre.x + random(-2.2, 2.2), y: centre.y + random(-2.2, 2.2), z: centre.z + random(-2.2, 2.2) };
    const projection = collider.projectPoint(point, false)!;
    const distance = Math.hypot(point.x - projection.point.x, point.y - projection.point.y, point.z - projection.point.z);
    // Not `isInside`: of several parts, the projection asks only the one whose surface is nearest.
    const theirs = collider.containsPoint(point);
    if (distance < BAND || (!theirs && distance < slack)) continue;
    const ours = scene.geoms.some((geom) => insideGeom(scene, geom, [point.x, point.y, point.z] as Vec3));
    if (ours !== theirs) counts.wrong++;
    counts[theirs ? 'inside' : 'outside']++;
  }
  return counts;
}

const identity = { x: 0, y: 0, z: 0, w: 1 };
const solids: readonly (readonly [string, { make: () => RAPIER.ColliderDesc; slack?: number }])[] = [
  ['ball', { make: () => ColliderDesc.ball(1.2) }],
  ['cuboid', { make: () => ColliderDesc.cuboid(0.5, 1, 1.5) }],
  ['capsule', { make: () => ColliderDesc.capsule(0.8, 0.6) }],
  ['capsule without length', { make: () => ColliderDesc.capsule(0, 1) }],
  ['cylinder', { make: () => ColliderDesc.cylinder(1.1, 0.7) }],
  ['cone', { make: () => ColliderDesc.cone(1.1, 0.9) }],
  ['convex polyhedron', { make: () => ColliderDesc.convexHull(points(30, 3))! }],
  ['convex mesh', { make: () => ColliderDesc.convexMesh(boxMesh(0.5, 1, 1.5).vertices, boxMesh(0.5, 1, 1.5).triangles)! }],
  ['round cuboid', { make: () => ColliderDesc.roundCuboid(0.4, 0.8, 1.2, 0.4), slack: ROUNDING_ERROR * 0.4 }],
  ['round cylinder', { make: () => ColliderDesc.roundCylinder(0.8, 0.6, 0.3), slack: ROUNDING_ERROR * 0.3 + REVOLUTION_ERROR * 0.9 }],
  ['round cone', { make: () => ColliderDesc.roundCone(0.8, 0.9, 0.3), slack: ROUNDING_ERROR * 0.3 + REVOLUTION_ERROR * 1.2 }],
  ['round convex polyhedron', { make: () => ColliderDesc.roundConvexHull(points(20, 5), 0.4)!, slack: ROUNDING_ERROR * 0.4 }],
  [
    'round triangle',
    {
      make: () => ColliderDesc.roundTriangle({ x: -1, y: 0, z: 0 }, { x: 1, y: 0.2, z: 0 }, { x: 0, y: 1, z: 0.4 }, 0.5),
      slack: ROUNDING_ERROR * 0.5,
    },
  ],
  [
    'voxels',
    { make: () => ColliderDesc.voxels(Int32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, -2, -1, 1, 1, 1, 1), { x: 0.5, y: 0.7, z: 0.9 }) },
  ],
  ['voxels of points', { make: () => ColliderDesc.voxels(points(12, 9), { x: 0.5, y: 0.7, z: 0.9 }) }],
  [
    'compound',
    {
      make: () =>
        ColliderDesc.compound(
          [new RAPIER.Cuboid(0.3, 1, 0.2), new RAPIER.Ball(0.6), new RAPIER.Cone(0.5, 0.4), new RAPIER.ConvexPolyhedron(points(12, 13))],
          [
            { x: 1, y: 0, z: 0 },
            { x: 0, y: -1, z: 0.3 },
            { x: -1, y: 0.2, z: 0 },
            { x: 0, y: 0, z: -1 },
          ],
          [identity, identity, { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }, identity],
        ),
    },
  ],
];

test.each(solids)('%s: the same points are inside', async (_, { make, slack }) => {
  for (const restored of [false, true]) {
    const placed = await place(make(), restored);
    const { wrong, inside, outside } = mismatches(placed, slack);
    expect(wrong).toBe(0);
    expect(inside).toBeGreaterThan(20);
    expect(outside).toBeGreaterThan(500);
    placed.world.free();
  }
});

test('round shapes: what is in them is in ours, and flat faces are where they are', async () => {
  const { scene } = await place(ColliderDesc.roundCuboid(0.4, 0.8, 1.2, 0.4), false);
  const shape = scene.geoms[0]!.shape;
  if (shape.type !== 'convex') throw new Error(`a ${shape.type}`);
  const reach = [0, 1, 2].map((k) => Math.max(...shape.mesh.vertices.filter((_, i) => i % 3 === k)));
  expect(reach[0]).toBeCloseTo(0.8, 6);
  expect(reach[1]).toBeCloseTo(1.2, 6);
  expect(reach[2]).toBeCloseTo(1.6, 6);
});

test('a half-space keeps its direction', async () => {
  const world = emptyWorld();
  const desc = new ColliderDesc(new RAPIER.HalfSpace({ x: 0, y: 0.6, z: 0.8 }));
  world.createCollider(desc.setTranslation(0.3, 0.2, -0.1).setRotation(randomRotation(randomNumbers(5))));
  const { scene } = await rapier.read(world);
  assertScene(scene);
  expect(scene.bodies[0]).toMatchObject({ name: 'collider_0', mobility: 'fixed' });
  const { wrong, inside } = mismatches({ world, collider: world.getCollider(0), scene });
  expect(wrong).toBe(0);
  expect(inside).toBeGreaterThan(500);
});

const FIELD = { rows: 3, cols: 4, scale: { x: 3, y: 1.5, z: 4 } };
const heights = () => {
  const random = randomNumbers(21);
  return Float32Array.from({ length: (FIELD.rows + 1) * (FIELD.cols + 1) }, () => random(-0.5, 1));
};

test('a height field on a fixed body has the surface that rays hit', async () => {
  for (const restored of [false, true]) {
    const desc = ColliderDesc.heightfield(FIELD.rows, FIELD.cols, heights(), FIELD.scale);
    const { scene, collider, world } = await place(desc, restored, RAPIER.RigidBodyType.Fixed);
    const [geom] = scene.geoms;
    expect(geom!.shape.type).toBe('heightfield');
    // Rays along the field's own y, from above.
    const random = randomNumbers(3);
    const { quaternion } = scene.bodies[0]!.X_WB;
    expect(quaternion).toBeDefined();
    let hits = 0;
    for (let i = 0; i < 400; i++) {
      const [x, z] = [random(-1.49, 1.49), random(-1.99, 1.99)];
      const up = turned(collider.rotation(), { x: 0, y: 1, z: 0 });
      const from = turned(collider.rotation(), { x, y: 10, z });
      const at = collider.translation();
      const origin = { x: at.x + from.x, y: at.y + from.y, z: at.z + from.z };
      const distance = collider.castRay(new RAPIER.Ray(origin, { x: -up.x, y: -up.y, z: -up.z }), 100, false);
      if (distance < 0) continue;
      hits++;
      const along = (d: number): Vec3 => [origin.x - d * up.x, origin.y - d * up.y, origin.z - d * up.z];
      expect(insideGeom(scene, geom!, along(distance - 1e-4))).toBe(false);
      expect(insideGeom(scene, geom!, along(distance + 1e-4))).toBe(true);
    }
    expect(hits).toBeGreaterThan(390);
    world.free();
  }
});

test('a height field on a body that moves is its surface', async () => {
  const fixed = await place(ColliderDesc.heightfield(FIELD.rows, FIELD.cols, heights(), FIELD.scale), false, RAPIER.RigidBodyType.Fixed);
  const { scene } = await place(ColliderDesc.heightfield(FIELD.rows, FIELD.cols, heights(), FIELD.scale), false);
  const { shape } = scene.geoms[0]!;
  if (shape.type !== 'mesh') throw new Error(`a ${shape.type}`);
  expect(scene.bodies[0]!.mobility).toBe('free');
  expect(shape.mesh.triangles).toHaveLength(3 * 2 * FIELD.rows * FIELD.cols);
  // Middles of triangles lie on the surface of the solid.
  const { vertices, triangles } = shape.mesh;
  const fixedGeom = fixed.scene.geoms[0]!;
  const lowest = fixedGeom.X_BG;
  expect(lowest).toBeDefined();
  for (let t = 0; t < triangles.length; t += 3) {
    const middle = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, c) => sum + vertices[3 * triangles[t + c]! + k]! / 3, 0));
    const world = pointOf(scene, middle as unknown as Vec3);
    const [above, below] = [1e-5, -1e-5].map((d) => pointOf(scene, [middle[0]!, middle[1]!, middle[2]! + d]));
    expect(world).toBeDefined();
    expect(insideGeom(fixed.scene, fixedGeom, above!)).toBe(false);
    expect(insideGeom(fixed.scene, fixedGeom, below!)).toBe(true);
  }
});

test('triangle meshes: solid where they are closed and face outwards, else surfaces', async () => {
  const { vertices, triangles } = boxMesh(0.5, 1, 1.5);
  const inward = triangles.map((_, i) => triangles[i - (i % 3) + [0, 2, 1][i % 3]!]!);
  const meshOf = async (indices: Uint32Array, meshes?: 'solid' | 'surface') => {
    const world = emptyWorld();
    world.createCollider(ColliderDesc.trimesh(vertices, indices));
    const { scene } = await rapier.read(world, meshes === undefined ? {} : { meshes });
    assertScene(scene);
    const { shape } = scene.geoms[0]!;
    if (shape.type !== 'mesh') throw new Error(`a ${shape.type}`);
    return shape.mesh;
  };
  const solid = await meshOf(triangles);
  expect([...solid.vertices]).toEqual([...vertices]);
  expect([...solid.triangles]).toEqual([...triangles]);
  for (const surface of [await meshOf(inward), await meshOf(triangles, 'surface')]) {
    expect(surface.triangles).toHaveLength(triangles.length + 3);
    expect([...surface.vertices.slice(0, vertices.length)]).toEqual([...vertices]);
  }
});

test('lines are thin capsules, a triangle is a surface', async () => {
  const world = emptyWorld();
  world.createCollider(ColliderDesc.segment({ x: 0, y: 1, z: 0 }, { x: 0, y: 1, z: 4 }));
  world.createCollider(ColliderDesc.polyline(Float32Array.of(0, 0, 0, 2, 0, 0, 2, 2, 0)));
  world.createCollider(ColliderDesc.triangle({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }));
  const { scene } = await rapier.read(world);
  assertScene(scene);
  const shapes = scene.geoms.map(({ shape }) => shape);
  expect(shapes.map(({ type }) => type)).toEqual(['capsule', 'capsule', 'capsule', 'mesh']);
  expect(shapes[0]).toMatchObject({ radius: 4e-4, halfLength: 2 });
  expect(scene.geoms[0]!.X_BG.position).toEqual([0, 1, 2]);
  expect(scene.geoms.map(({ name }) => name)).toEqual(['collider_0', 'collider_1/part_0', 'collider_1/part_1', 'collider_2']);
  // Rapier does not give out the points of a polyline that comes from a snapshot.
  await expect(rapier.read(world.takeSnapshot())).rejects.toThrow(/collider 'collider_1': expected a polyline made by this program/);
});

test('equal shapes become one object', async () => {
  const world = emptyWorld();
  for (let i = 0; i < 3; i++) world.createCollider(ColliderDesc.convexHull(points(30, 3))!);
  const { scene } = await rapier.read(world);
  expect(new Set(scene.geoms.map(({ shape }) => shape)).size).toBe(1);
});

test('a size that was changed after the collider was made counts', async () => {
  const world = emptyWorld();
  const collider = world.createCollider(ColliderDesc.ball(1));
  expect(collider.shape.type).toBe(0);
  collider.setRadius(2);
  const { scene } = await rapier.read(world);
  expect(scene.geoms[0]!.shape).toEqual({ type: 'sphere', radius: 2 });
});

test.each([
  ['a negative radius', () => ColliderDesc.ball(-1), /body 'body_0', collider 'body_0\/collider_0': expected a radius > 0, got -1/],
  ['NaN', () => ColliderDesc.cuboid(1, Number.NaN, 1), /expected finite numbers, got 1 NaN 1/],
  ['a box without size', () => ColliderDesc.cuboid(0, 0, 0), /expected a half extent > 0, got 0/],
  ['a border without radius', () => ColliderDesc.roundCuboid(1, 1, 1, -0.1), /expected a border radius > 0/],
  [
    'a height field without height',
    () => ColliderDesc.heightfield(1, 1, Float32Array.of(0, 1, Number.NaN, 0), { x: 1, y: 1, z: 1 }),
    /finite heights/,
  ],
])('%s is refused', async (_, make, message) => {
  const world = emptyWorld();
  world.createCollider(make(), world.createRigidBody(RigidBodyDesc.dynamic()));
  await expect(rapier.read(world)).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
});

test('a plate without thickness gets a little', async () => {
  const world = emptyWorld();
  world.createCollider(ColliderDesc.cuboid(1, 0, 2));
  world.createCollider(plane());
  const { scene } = await rapier.read(world);
  assertScene(scene);
  expect(scene.geoms[0]!.shape).toEqual({ type: 'box', halfExtents: [1, 2e-6, 2] });
});

function turned({ x, y, z, w }: RAPIER.Rotation, v: RAPIER.Vector): RAPIER.Vector {
  const [tx, ty, tz] = [2 * (y * v.z - z * v.y), 2 * (z * v.x - x * v.z), 2 * (x * v.y - y * v.x)] as const;
  return { x: v.x + w * tx + y * tz - z * ty, y: v.y + w * ty + z * tx - x * tz, z: v.z + w * tz + x * ty - y * tx };
}

/** A point of the first geom's frame in W. */
function pointOf(scene: Scene, [x, y, z]: Vec3): Vec3 {
  const { X_BG } = scene.geoms[0]!;
  const { X_WB } = scene.bodies[0]!;
  const place = ({ position, quaternion: [w, qx, qy, qz] }: typeof X_BG, v: RAPIER.Vector) => {
    const r = turned({ x: qx, y: qy, z: qz, w }, v);
    return { x: r.x + position[0], y: r.y + position[1], z: r.z + position[2] };
  };
  const p = place(X_WB, place(X_BG, { x, y, z }));
  return [p.x, p.y, p.z];
}
