/** Triangle meshes of colliders. */
import { cross, dot } from '../../core/pose-math.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { vec3At } from '../conventions.js';

export function pointsOf(vertices: ArrayLike<number>): Vec3[] {
  return Array.from({ length: vertices.length / 3 }, (_, i) => vec3At(vertices, 3 * i));
}

/** Volume [m^3] inside outward triangles; negative for inward ones. By the divergence theorem, from the first vertex. */
export function signedVolume({ vertices, triangles }: Mesh): number {
  const points = pointsOf(vertices.map((value, i) => value - (vertices[i % 3] as number)));
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points[triangles[t + k] as number]) as [Vec3, Vec3, Vec3];
    volume += dot(a, cross(b, c)) / 6;
  }
  return volume;
}

/**
 * The same surface, with nothing inside: a mesh is solid where it is closed, and a second triangle that lies in the first one
 * leaves its edges unmatched.
 */
export function asSurface({ vertices, triangles }: Mesh): Mesh {
  const [a, b, c] = [...triangles.subarray(0, 3)] as [number, number, number];
  const middle = [0, 1, 2].map(
    (k) => ((vertices[3 * a + k] as number) + (vertices[3 * b + k] as number) + (vertices[3 * c + k] as number)) / 3,
  );
  return {
    vertices: Float64Array.from([...vertices, ...middle]),
    triangles: Int32Array.from([...triangles, a, b, vertices.length / 3]),
  };
}
