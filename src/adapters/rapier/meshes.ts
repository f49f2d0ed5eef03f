/** Triangle meshes of colliders. */
import type { Mesh, Vec3 } from '../../core/scene.js';
import { vec3At } from '../conventions.js';

export function pointsOf(vertices: ArrayLike<number>): Vec3[] {
  return Array.from({ length: vertices.length / 3 }, (_, i) => vec3At(vertices, 3 * i));
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
