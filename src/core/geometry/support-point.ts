/** Farthest points of solids: exact for every shape, the basis of lowest points and boxes. */

import { addScaled, compose, conjugate, rotate, transform } from '../pose-math.js';
import type { Geom, Mesh, Pose, Shape, Vec3 } from '../scene.js';

/**
 * A point of the shape that lies farthest along `direction`, which need not be unit, in the geom's frame [m].
 * A half-space has one along +z only; elsewhere it is infinite.
 */
export function supportPoint(shape: Shape, direction: Vec3): Vec3 {
  const [x, y, z] = direction;
  const length = Math.hypot(x, y, z);
  const across = Math.hypot(x, y);
  switch (shape.type) {
    case 'sphere':
      return length === 0 ? [0, 0, 0] : addScaled([0, 0, 0], direction, shape.radius / length);
    case 'box':
      return [Math.sign(x) * shape.halfExtents[0], Math.sign(y) * shape.halfExtents[1], Math.sign(z) * shape.halfExtents[2]];
    case 'capsule': {
      const end: Vec3 = [0, 0, Math.sign(z) * shape.halfLength];
      return length === 0 ? end : addScaled(end, direction, shape.radius / length);
    }
    case 'cylinder':
      return [...onCircle(x, y, across, shape.radius), Math.sign(z) * shape.halfLength];
    case 'cone': {
      const base = shape.radius * across - shape.halfLength * z;
      return base < shape.halfLength * z ? [0, 0, shape.halfLength] : [...onCircle(x, y, across, shape.radius), -shape.halfLength];
    }
    case 'ellipsoid': {
      const [a, b, c] = shape.radii;
      const scale = Math.hypot(a * x, b * y, c * z);
      return scale === 0 ? [0, 0, 0] : [(a * a * x) / scale, (b * b * y) / scale, (c * c * z) / scale];
    }
    case 'halfspace':
      return z > 0 && across <= 1e-9 * z ? [0, 0, 0] : ([x, y, z].map((value) => (value === 0 ? 0 : value * Infinity)) as unknown as Vec3);
    case 'heightfield':
      return farthestSample(shape, direction);
    case 'convex':
    case 'mesh':
      return farthestVertex(shape.mesh, direction);
  }
}

function onCircle(x: number, y: number, across: number, radius: number): [number, number] {
  return across === 0 ? [0, 0] : [(radius * x) / across, (radius * y) / across];
}

function farthestVertex({ vertices }: Mesh, [x, y, z]: Vec3): Vec3 {
  let best = 0;
  let farthest = -Infinity;
  for (let i = 0; i < vertices.length; i += 3) {
    const reach = x * (vertices[i] as number) + y * (vertices[i + 1] as number) + z * (vertices[i + 2] as number);
    if (reach > farthest) [best, farthest] = [i, reach];
  }
  return [vertices[best] as number, vertices[best + 1] as number, vertices[best + 2] as number];
}

function farthestSample(shape: Extract<Shape, { type: 'heightfield' }>, [x, y, z]: Vec3): Vec3 {
  const { rows, cols, heights, halfExtents, baseDepth } = shape;
  let best: Vec3 = [0, 0, 0];
  let farthest = -Infinity;
  for (let i = 0; i < heights.length; i++) {
    const point: Vec3 = [
      halfExtents[0] * ((2 * (i % cols)) / (cols - 1) - 1),
      halfExtents[1] * ((2 * Math.floor(i / cols)) / (rows - 1) - 1),
      z < 0 ? -baseDepth : (heights[i] as number),
    ];
    const reach = x * point[0] + y * point[1] + z * point[2];
    if (reach > farthest) [best, farthest] = [point, reach];
  }
  return best;
}

/** The point of a geom that lies farthest along `direction` in the frame A, with its body at X_AB [m]. */
export function farthestPoint({ shape, X_BG }: Geom, X_AB: Pose, direction: Vec3): Vec3 {
  const X_AG = compose(X_AB, X_BG);
  return transform(X_AG, supportPoint(shape, rotate(conjugate(X_AG.quaternion), direction)));
}
