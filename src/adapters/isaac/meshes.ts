/** Triangles of UsdGeomMesh prims, and their hulls and bounds. */
import { S4rError } from '../../core/errors.js';
import { subtract } from '../../core/pose-math.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { vec3At } from '../conventions.js';
import { hullMesh } from '../hull.js';
import { reversed, surfaceArea } from '../meshes/triangles.js';
import { type Affine, apply, determinant } from './affine.js';
import type { Prim } from './usd/prim.js';
import { placeOfPrim } from './usd/xform.js';

/** Reads the meshes of one stage; prims that share their points, such as instances, share the object. */
export class MeshReader {
  private readonly bySource = new Map<readonly number[], { faces: readonly number[]; mesh: Mesh | undefined }[]>();
  private readonly byStretch = new Map<Mesh, Map<string, Mesh>>();

  /** Triangles in the prim's frame [stage units], outward; undefined if it has no faces. @throws S4rError INVALID_INPUT */
  read(prim: Prim): Mesh | undefined {
    const points = prim.numbers('points') ?? [];
    const faces = prim.numbers('faceVertexIndices') ?? [];
    const known = this.bySource.get(points) ?? [];
    const found = known.find((entry) => entry.faces === faces);
    if (found !== undefined) return found.mesh;
    const mesh = triangulated(prim, points, faces, prim.numbers('faceVertexCounts') ?? []);
    this.bySource.set(points, [...known, { faces, mesh }]);
    return mesh;
  }

  /** The mesh with a linear map done to its vertices, wound outwards still; the same object for the same map. */
  stretched(mesh: Mesh, map: Affine): Mesh {
    const largest = Math.max(...map.map(Math.abs));
    const key = `${map.map((value) => Math.round((value / largest) * 1e12)).join()} ${largest.toPrecision(12)}`;
    const known = this.byStretch.get(mesh) ?? new Map<string, Mesh>();
    this.byStretch.set(mesh, known);
    let made = known.get(key);
    if (made === undefined) {
      const vertices = new Float64Array(mesh.vertices.length);
      for (let i = 0; i < vertices.length; i += 3) vertices.set(apply(map, vec3At(mesh.vertices, i)), i);
      made = { vertices, triangles: determinant(map) < 0 ? reversed(mesh.triangles) : mesh.triangles };
      known.set(key, made);
    }
    return made;
  }
}

/** Polygons cut into fans, as PhysX cuts them. */
function triangulated(prim: Prim, points: readonly number[], indices: readonly number[], counts: readonly number[]): Mesh | undefined {
  const refuse = (message: string) => new S4rError('INVALID_INPUT', message, placeOfPrim(prim));
  if (points.length % 3 !== 0 || !points.every(Number.isFinite)) throw refuse('points must be finite triples');
  const corners = counts.reduce((sum, n) => sum + n, 0);
  if (corners !== indices.length || !counts.every((n) => Number.isInteger(n) && n >= 0)) {
    throw refuse(`faceVertexCounts add up to ${corners}, but there are ${indices.length} faceVertexIndices`);
  }
  const bad = indices.find((index) => !Number.isInteger(index) || index < 0 || index >= points.length / 3);
  if (bad !== undefined) throw refuse(`faceVertexIndices: ${bad} is no index of one of ${points.length / 3} points`);
  const triangles: number[] = [];
  let first = 0;
  for (const n of counts) {
    for (let k = 2; k < n; k++) triangles.push(indices[first] as number, indices[first + k - 1] as number, indices[first + k] as number);
    first += n;
  }
  if (triangles.length === 0) return undefined;
  const mesh = { vertices: Float64Array.from(points), triangles: Int32Array.from(triangles) };
  if (!(surfaceArea(mesh) > 0)) throw refuse('the faces have no area: their points lie at one place, or in a row');
  return prim.text('orientation') === 'leftHanded' ? { ...mesh, triangles: reversed(mesh.triangles) } : mesh;
}

const hulls = new WeakMap<Mesh, Mesh | 'flat'>();

/** Convex hull in triangles, counter-clockwise from outside; the same object for the same mesh, undefined if it is flat. */
export function convexHullOf(mesh: Mesh): Mesh | undefined {
  let hull = hulls.get(mesh);
  if (hull === undefined) {
    hull = makeHull(mesh) ?? 'flat';
    hulls.set(mesh, hull);
  }
  return hull === 'flat' ? undefined : hull;
}

function makeHull({ vertices, triangles }: Mesh): Mesh | undefined {
  const used = [...new Set(triangles)].sort((a, b) => a - b).map((index) => vec3At(vertices, 3 * index));
  return hullMesh([...new Map(used.map((point) => [point.join(), point])).values()]);
}

/** Middle and half sides of the box about a mesh, and the radius about the middle that holds every vertex. */
export function boundsOf({ vertices }: Mesh): { centre: Vec3; half: Vec3; radius: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  vertices.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3] as number, value);
    high[i % 3] = Math.max(high[i % 3] as number, value);
  });
  const centre = low.map((value, k) => (value + (high[k] as number)) / 2) as unknown as Vec3;
  const half = low.map((value, k) => ((high[k] as number) - value) / 2) as unknown as Vec3;
  let radius = 0;
  for (let i = 0; i < vertices.length; i += 3) radius = Math.max(radius, Math.hypot(...subtract(vec3At(vertices, i), centre)));
  return { centre, half, radius };
}
