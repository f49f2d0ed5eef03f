/** Convex hulls of points as meshes. */
import { convexHull } from '../core/geometry/hull.js';
import { hullTriangles } from '../core/geometry/hull-triangles.js';
import { cross, scaled, subtract, unitVector } from '../core/pose-math.js';
import type { Mesh, Vec3 } from '../core/scene.js';
import { extent, MeshBuilder, signedVolume, surfaceArea } from './meshes/triangles.js';

/** A solid thinner than this share of its size is a sheet: its thickness is the rounding of its vertices. */
const FLAT = 1e-6;

/** Triangulated convex hull, counter-clockwise from outside; undefined if the points lie in a plane or are fewer than four. */
export function hullMesh(points: readonly Vec3[]): Mesh | undefined {
  const triangles = hullTriangles(points);
  if (triangles === undefined) return undefined;
  const builder = new MeshBuilder();
  const corner = (i: number) => builder.vertex(points[triangles[i] as number] as Vec3);
  for (let i = 0; i < triangles.length; i += 3) builder.triangle(corner(i), corner(i + 1), corner(i + 2));
  const hull = builder.build();
  return (2 * signedVolume(hull)) / surfaceArea(hull) > FLAT * extent(hull) ? hull : undefined;
}

/** Corners of the polytope { x : n . x <= 1 for all `normals` }, which must enclose the origin: one for each face of their hull. */
export function circumscribedCorners(normals: readonly Vec3[]): Vec3[] {
  return (convexHull(normals)?.faces ?? []).map(({ normal, offset }) => scaled(normal, 1 / offset));
}

/** Unit outward normals of the faces of the points' hull; of flat points the two of their plane. */
export function faceNormals(points: readonly Vec3[]): Vec3[] {
  const hull = convexHull(points);
  if (hull !== undefined) return hull.faces.map(({ normal }) => normal);
  const normal = unitVector(cross(subtract(points[1] as Vec3, points[0] as Vec3), subtract(points[2] as Vec3, points[0] as Vec3)));
  return normal === undefined ? [] : [normal, scaled(normal, -1)];
}
