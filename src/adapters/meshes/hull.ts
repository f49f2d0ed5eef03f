/** The convex hull of a mesh, as a mesh. */
import { hullTriangles } from '../../core/geometry/hull-triangles.js';
import type { Mesh } from '../../core/scene.js';
import { vec3At } from '../conventions.js';
import { MeshBuilder, signedVolume, surfaceArea } from './triangles.js';

/** A solid thinner than this share of its size is a sheet: its thickness is the rounding of its vertices. */
const FLAT = 1e-6;

/** Hull with triangles counter-clockwise from outside; undefined if the mesh is flat. @param size longest edge of its box [m] */
export function hullMesh({ vertices }: Mesh, size: number): Mesh | undefined {
  const triangles = hullTriangles(Array.from({ length: vertices.length / 3 }, (_, i) => vec3At(vertices, 3 * i)));
  if (triangles === undefined) return undefined;
  const builder = new MeshBuilder();
  const corner = (i: number) => builder.vertex(vec3At(vertices, 3 * (triangles[i] as number)));
  for (let i = 0; i < triangles.length; i += 3) builder.triangle(corner(i), corner(i + 1), corner(i + 2));
  const hull = builder.build();
  return (2 * signedVolume(hull)) / surfaceArea(hull) > FLAT * size ? hull : undefined;
}
