/** Whether a point is inside a shape of a `Scene`, from the words of `scene.ts`. */
import { invert, transform } from '../../../src/core/pose-math.js';
import type { Geom, Scene, Shape, Vec3 } from '../../../src/core/scene.js';

export function insideGeom(scene: Scene, geom: Geom, point: Vec3): boolean {
  const X_WB = scene.bodies[geom.bodyId]!.X_WB;
  return insideShape(geom.shape, transform(invert(geom.X_BG), transform(invert(X_WB), point)));
}

export function insideShape(shape: Shape, [x, y, z]: Vec3): boolean {
  const rho = Math.hypot(x, y);
  switch (shape.type) {
    case 'sphere':
      return Math.hypot(x, y, z) <= shape.radius;
    case 'box':
      return [x, y, z].every((value, k) => Math.abs(value) <= (shape.halfExtents[k] as number));
    case 'capsule':
      return Math.hypot(rho, Math.max(0, Math.abs(z) - shape.halfLength)) <= shape.radius;
    case 'cylinder':
      return rho <= shape.radius && Math.abs(z) <= shape.halfLength;
    case 'cone':
      return Math.abs(z) <= shape.halfLength && rho <= (shape.radius * (shape.halfLength - z)) / (2 * shape.halfLength);
    case 'halfspace':
      return z <= 0;
    case 'convex': {
      const { vertices, triangles } = shape.mesh;
      const at = (i: number): Vec3 => [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [at(triangles[t]!), at(triangles[t + 1]!), at(triangles[t + 2]!)];
        const [u, v] = [b.map((value, k) => value - a[k]!), c.map((value, k) => value - a[k]!)] as [number[], number[]];
        const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
        if (n[0]! * (x - a[0]) + n[1]! * (y - a[1]) + n[2]! * (z - a[2]) > 1e-12) return false;
      }
      return true;
    }
    case 'heightfield': {
      const { rows, cols, heights, halfExtents, baseDepth } = shape;
      const u = ((x + halfExtents[0]) / (2 * halfExtents[0])) * (cols - 1);
      const v = ((y + halfExtents[1]) / (2 * halfExtents[1])) * (rows - 1);
      if (u < 0 || v < 0 || u > cols - 1 || v > rows - 1 || z < -baseDepth) return false;
      const [col, row] = [Math.min(Math.floor(u), cols - 2), Math.min(Math.floor(v), rows - 2)];
      const h = (r: number, c: number) => heights[(row + r) * cols + col + c]!;
      const [s, t] = [u - col, v - row];
      const lower = h(0, 0) + s * (h(0, 1) - h(0, 0)) + t * (h(1, 0) - h(0, 0));
      const upper = h(1, 1) + (1 - s) * (h(1, 0) - h(1, 1)) + (1 - t) * (h(0, 1) - h(1, 1));
      return z <= (s + t <= 1 ? lower : upper);
    }
    default:
      throw new Error(`no inside of a ${shape.type}`);
  }
}
