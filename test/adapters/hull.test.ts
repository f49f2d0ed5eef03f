import { expect, test } from '@jest/globals';
import { circumscribedCorners, faceNormals, hullMesh } from '../../src/adapters/hull.js';
import type { Vec3 } from '../../src/core/scene.js';
import { assertScene } from '../../src/core/validate.js';
import { buildScene } from '../scenes/build.js';

const corners: Vec3[] = [-1, 1].flatMap((x) => [-2, 2].flatMap((y) => [-3, 3].map((z): Vec3 => [x, y, z])));

test('hullMesh: the corners, closed and outwards, without what lies inside', () => {
  const mesh = hullMesh([...corners, [0, 0, 0], [0.5, 1, 2]])!;
  expect(mesh.vertices).toHaveLength(24);
  expect(mesh.triangles).toHaveLength(36);
  expect(() => assertScene(buildScene([{ geoms: [{ type: 'convex', mesh }] }]))).not.toThrow();
  expect(hullMesh(corners.map(([x, y]): Vec3 => [x, y, 0]))).toBeUndefined();
});

test('circumscribedCorners: a cube about the unit ball from its six directions', () => {
  const found = circumscribedCorners([
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ]);
  expect(found).toHaveLength(8);
  for (const corner of found) for (const value of corner) expect(Math.abs(value)).toBeCloseTo(1, 12);
});

test('faceNormals: of a box, and both of a plane', () => {
  expect(faceNormals(corners)).toHaveLength(6);
  const flat = faceNormals([
    [0, 0, 1],
    [2, 0, 1],
    [0, 2, 1],
  ]);
  expect(flat.map(([, , z]) => z)).toEqual([1, -1]);
});
