/** Convex hulls on a grid: closed, convex, around all points. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hullTriangles } from '../../../src/core/geometry/hull-triangles.js';
import { cross, dot, subtract } from '../../../src/core/pose-math.js';
import type { Vec3 } from '../../../src/core/scene.js';

/** Every edge is passed once in each direction, and no point is farther than `tolerance` in front of a triangle. */
function expectHull(points: readonly Vec3[], triangles: Int32Array, tolerance: number): void {
  const edges = new Set<string>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) edges.add(`${triangles[t + k]},${triangles[t + ((k + 1) % 3)]}`);
  expect(edges.size).toBe(triangles.length);
  const open = [...edges].filter((edge) => !edges.has(edge.split(',').reverse().join()));
  let worst = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points[triangles[t + k]!]!) as [Vec3, Vec3, Vec3];
    const normal = cross(subtract(b, a), subtract(c, a));
    const length = Math.hypot(...normal);
    for (const point of points) worst = Math.max(worst, dot(normal, subtract(point, a)) / (length + tolerance));
  }
  expect(open).toEqual([]);
  expect(worst).toBeLessThanOrEqual(tolerance);
}

function volume(points: readonly Vec3[], triangles: Int32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points[triangles[t + k]!]!) as [Vec3, Vec3, Vec3];
    sum += dot(a, cross(b, c)) / 6;
  }
  return sum;
}

describe('the hull', () => {
  it('of a grid of points is the cube around it', () => {
    const steps = Array.from({ length: 9 }, (_, i) => i / 8);
    const points = steps.flatMap((x) => steps.flatMap((y) => steps.map((z): Vec3 => [x, y, z])));
    const triangles = hullTriangles(points)!;
    expectHull(points, triangles, 1e-10);
    expect(volume(points, triangles)).toBeCloseTo(1, 12);
  });

  it('of rings of points that are coplanar only to rounding is closed', () => {
    // Such as the threads of a bolt, on which quickhull3d leaves holes.
    const points = Array.from({ length: 3000 }, (_, i): Vec3 => {
      const angle = (2 * Math.PI * (i % 60)) / 60 + 0.1;
      return [Math.fround(0.01 * Math.cos(angle)), Math.fround(0.01 * Math.sin(angle)), Math.fround(0.04 * (Math.floor(i / 60) / 49))];
    });
    const triangles = hullTriangles(points)!;
    expectHull(points, triangles, 1e-9);
    expect(volume(points, triangles)).toBeCloseTo(30 * 0.01 ** 2 * Math.sin((2 * Math.PI) / 60) * 0.04, 9);
  });

  it('of points in a plane, on a line or in one place is none', () => {
    const plane = Array.from({ length: 50 }, (_, i): Vec3 => [i % 7, Math.floor(i / 7), 3]);
    expect(hullTriangles(plane)).toBeUndefined();
    expect(hullTriangles(plane.map(([x]) => [x, x, x]))).toBeUndefined();
    expect(
      hullTriangles([
        [1, 2, 3],
        [1, 2, 3],
      ]),
    ).toBeUndefined();
    expect(hullTriangles([])).toBeUndefined();
  });

  it('of any points is closed and around them', () => {
    const coarse = fc.integer({ min: -3, max: 3 }); // many coplanar and equal ones
    const fine = fc.double({ min: -5, max: 5, noNaN: true });
    for (const number of [coarse, fine]) {
      fc.assert(
        fc.property(fc.array(fc.tuple(number, number, number), { minLength: 4, maxLength: 40 }), (points) => {
          const triangles = hullTriangles(points);
          if (triangles !== undefined) expectHull(points, triangles, 1e-9);
        }),
        { numRuns: 150, seed: 7 },
      );
    }
  });
});
