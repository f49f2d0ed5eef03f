/** Geometry of single shapes against what can be counted or sampled. */
import { describe, expect, test } from '@jest/globals';
import { convexHull, vectorArea } from '../../src/core/geometry/hull.js';
import { massOf, partsOf } from '../../src/core/geometry/mass.js';
import { supportPoint } from '../../src/core/geometry/support-point.js';
import { tessellate } from '../../src/core/geometry/tessellate.js';
import { boxOf, centreOf, geomsOfUnits, lowestPoint } from '../../src/core/geometry/units.js';
import { dot, unitVector } from '../../src/core/pose-math.js';
import type { Mesh, Pose, Shape, Vec3 } from '../../src/core/scene.js';
import { box, buildScene, sphere } from '../scenes/build.js';
import { boxMesh, icosphereMesh, lShapeMesh, tetrahedronMesh, torusMesh } from '../scenes/meshes.js';
import { randomPoint, randomSource } from '../scenes/random.js';
import { assortedShapes } from '../scenes/scenes.js';

const random = randomSource(7);
const directions = Array.from({ length: 40 }, () => unitVector(randomPoint(random, 1)) as Vec3);
const shapes = assortedShapes().map((shape): [string, Shape] => [shape.type, shape]);
const flipped = ({ vertices, triangles }: Mesh): Mesh => ({ vertices, triangles: triangles.slice().reverse() });
const joined = (...meshes: readonly Mesh[]): Mesh => {
  const starts = meshes.map((_, i) => meshes.slice(0, i).reduce((sum, mesh) => sum + mesh.vertices.length / 3, 0));
  return {
    vertices: Float64Array.from(meshes.flatMap((mesh) => [...mesh.vertices])),
    triangles: Int32Array.from(meshes.flatMap((mesh, i) => [...mesh.triangles].map((k) => k + (starts[i] as number)))),
  };
};

describe('supportPoint', () => {
  test.each(shapes)('%s: as far as the points that stand for the surface', (_, shape) => {
    for (const direction of directions) {
      const reach = dot(direction, supportPoint(shape, direction));
      const sampled = Math.max(...tessellate(shape, direction).map((point) => dot(direction, point)));
      expect(sampled).toBeLessThan(reach + (['cylinder', 'cone', 'capsule'].includes(shape.type) ? 2e-4 : 1e-12));
      expect(sampled).toBeGreaterThan(reach - 1e-3);
    }
  });

  test('has its length right, whatever that of the direction', () => {
    expect(supportPoint(sphere(2), [0, 0, 10])).toEqual([0, 0, 2]);
    expect(supportPoint({ type: 'ellipsoid', radii: [1, 2, 3] }, [0, -0.1, 0])[1]).toBeCloseTo(-2, 12);
    expect(supportPoint({ type: 'cone', radius: 1, halfLength: 2 }, [0, 0, 1])).toEqual([0, 0, 2]);
    expect(supportPoint({ type: 'cone', radius: 1, halfLength: 2 }, [1, 0, 0])).toEqual([1, 0, -2]);
    expect(supportPoint({ type: 'halfspace' }, [0, 0, 1])).toEqual([0, 0, 0]);
    expect(Math.abs(supportPoint({ type: 'halfspace' }, [1, 0, 1])[0])).toBe(Infinity);
  });

  test('of a height field is its highest sample in that direction', () => {
    const heights = Float64Array.of(0, 0, 0, 0, 0.5, 0);
    const field: Shape = { type: 'heightfield', rows: 2, cols: 3, heights, halfExtents: [1, 2], baseDepth: 0.25 };
    expect(supportPoint(field, [0, 0, 1])).toEqual([0, 2, 0.5]);
    expect(supportPoint(field, [0, 0, -1])[2]).toBe(-0.25);
  });
});

describe('convexHull', () => {
  test('of a cube with points on its faces and inside has six faces', () => {
    const grid = [0, 1, 2, 3].flatMap((x) => [0, 1, 2, 3].flatMap((y) => [0, 1, 2, 3].map((z): Vec3 => [0.1 * x + 100, 0.1 * y, 0.1 * z])));
    const hull = convexHull(grid);
    expect(hull?.faces.map((face) => face.normal.map(Math.round).join(' ')).sort()).toEqual(
      ['-1 0 0', '0 -1 0', '0 0 -1', '0 0 1', '0 1 0', '1 0 0'].sort(),
    );
    expect(hull?.vertices).toHaveLength(8);
    expect(hull?.volume).toBeCloseTo(0.027, 12);
    expect(hull?.centroid[0]).toBeCloseTo(100.15, 9);
    for (const { area } of hull?.faces ?? []) expect(area).toBeCloseTo(0.09, 9);
  });

  test('contains every point', () => {
    const points = Array.from({ length: 300 }, () => randomPoint(random, 1));
    for (const { normal, offset } of convexHull(points)?.faces ?? []) {
      for (const point of points) expect(dot(normal, point)).toBeLessThanOrEqual(offset + 1e-9);
    }
  });

  test('there is none of a plane, a line, or three points', () => {
    const flat = Array.from({ length: 20 }, (_, i): Vec3 => [Math.cos(i), Math.sin(i), 5]);
    expect(convexHull(flat)).toBeUndefined();
    expect(convexHull(flat.map(([x]): Vec3 => [x, 2 * x, 0]))).toBeUndefined();
    expect(convexHull(flat.slice(0, 3))).toBeUndefined();
    expect(convexHull(Array(9).fill([1, 2, 3]))).toBeUndefined();
  });
});

test('vectorArea of a square far from the origin', () => {
  const at = 1e6;
  expect(
    vectorArea([
      [at, at, 3],
      [at + 2, at, 3],
      [at + 2, at + 2, 3],
      [at, at + 2, 3],
    ]),
  ).toEqual([0, 0, 4]);
});

describe('massOf', () => {
  test.each(shapes.filter(([, shape]) => shape.type !== 'mesh'))('%s: all but the volume and the centroid of its hull', (_, shape) => {
    const hull = convexHull(tessellate(shape, [0, 0, 1]));
    const { volume, centroid } = massOf(shape);
    expect((hull?.volume as number) / volume).toBeGreaterThan(0.94);
    expect((hull?.volume as number) / volume).toBeLessThan(1.005);
    centroid.forEach((value, k) => {
      expect(value).toBeCloseTo(hull?.centroid[k] as number, 3);
    });
  });

  test('of meshes by the divergence theorem', () => {
    expect(massOf({ type: 'mesh', mesh: lShapeMesh(1) }).volume).toBeCloseTo(3, 12);
    expect(massOf({ type: 'mesh', mesh: lShapeMesh(1) }).centroid[0]).toBeCloseTo(-1 / 6, 12);
    expect(massOf({ type: 'mesh', mesh: torusMesh(1, 0.3, 200, 100) }).volume).toBeCloseTo(2 * Math.PI ** 2 * 0.09, 2);
    const shell = joined(icosphereMesh(1, 2), flipped(icosphereMesh(0.5, 2)));
    expect(massOf({ type: 'mesh', mesh: shell }).volume).toBeCloseTo(
      (7 / 8) * massOf({ type: 'mesh', mesh: icosphereMesh(1, 2) }).volume,
      9,
    );
  });

  test('of a height field', () => {
    const field: Shape = { type: 'heightfield', rows: 2, cols: 2, heights: Float64Array.of(1, 0, 0, 1), halfExtents: [1, 1], baseDepth: 1 };
    // Two pyramids of height 1 on half the square each, over a slab.
    expect(massOf(field).volume).toBeCloseTo(4 * (1 + 1 / 3), 12);
  });

  test('of an open mesh is that of its hull', () => {
    const { vertices, triangles } = boxMesh([1, 1, 1]);
    const open = { vertices, triangles: triangles.slice(3) };
    expect(partsOf(open)).toEqual([]);
    expect(massOf({ type: 'mesh', mesh: open }).volume).toBeCloseTo(8, 9);
  });

  test('parts: repeated vertices join, separate solids do not', () => {
    const { vertices, triangles } = tetrahedronMesh(1);
    const soup: Mesh = {
      vertices: Float64Array.from([...triangles].flatMap((i) => [...vertices.slice(3 * i, 3 * i + 3)])),
      triangles: Int32Array.from(triangles, (_, i) => i),
    };
    expect(partsOf(soup)).toHaveLength(1);
    const two = partsOf(joined(boxMesh([1, 1, 1]), soup));
    expect(two.map(({ volume }) => volume)).toEqual([expect.closeTo(8, 9), partsOf(soup)[0]?.volume]);
    expect(two[0]?.box).toEqual({ low: [-1, -1, -1], high: [1, 1, 1] });
  });
});

describe('units', () => {
  const q = [Math.SQRT1_2, 0, Math.SQRT1_2, 0] as const; // z to x
  const scene = buildScene([
    { fixed: true, geoms: [sphere()] },
    { at: [5, 0, 1], quaternion: q, geoms: [{ shape: box(1, 2, 3), X_BG: { position: [0, 0, 1], quaternion: [1, 0, 0, 0] } }] },
    { at: [9, 0, 1], movesWith: 1, geoms: [sphere(0.5)] },
  ]);
  const geoms = geomsOfUnits(scene).get(1) ?? [];
  const poseOf = (id: number) => scene.bodies[id]?.X_WB as Pose;

  test('have geoms, a box in their own axes, a centre and a lowest point', () => {
    expect([...geomsOfUnits(scene).keys()]).toEqual([1]);
    expect(geoms.map(({ id }) => id)).toEqual([1, 2]);
    expect(boxOf(geoms[0] as never, poseOf(1)).high[0]).toBeCloseTo(9, 12);
    // In the root's frame the box reaches from z = -2 to 4.5, that is x = 3 to 9.5 in the world.
    expect(centreOf(scene, 1, geoms)[0]).toBeCloseTo((3 + 9.5) / 2, 12);
    expect(lowestPoint(geoms, poseOf, [0, 0, 1])).toBeCloseTo(0, 12);
    expect(lowestPoint(geoms, poseOf, [1, 0, 0])).toBeCloseTo(3, 12);
  });
});
