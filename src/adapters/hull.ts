/** Convex hulls of points as meshes. */
import { convexHull } from '../core/geometry/hull.js';
import { cross, scaled, subtract, unitVector } from '../core/pose-math.js';
import type { Mesh, Vec3 } from '../core/scene.js';

/** Triangulated convex hull, counter-clockwise from outside; undefined if the points lie in a plane or are fewer than four. */
export function hullMesh(points: readonly Vec3[]): Mesh | undefined {
  const hull = convexHull(points);
  if (hull === undefined) return undefined;
  const index = new Map<Vec3, number>();
  const triangles: number[] = [];
  for (const { corners } of hull.faces) {
    const ids = corners.map((corner) => {
      const id = index.get(corner) ?? index.size;
      index.set(corner, id);
      return id;
    });
    for (let k = 2; k < ids.length; k++) triangles.push(ids[0] as number, ids[k - 1] as number, ids[k] as number);
  }
  return { vertices: Float64Array.from([...index.keys()].flat()), triangles: Int32Array.from(triangles) };
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
