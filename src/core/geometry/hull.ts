/** Convex hulls of points, and hull points of shapes. */
import quickHull from 'quickhull3d/dist/quickhull3d.js';
import { addScaled, cross, dot, subtract, unitVector } from '../pose-math.js';
import type { Mesh, Vec3 } from '../scene.js';

export interface HullFace {
  /** Unit, outward. The face lies in normal . x = offset. */
  readonly normal: Vec3;
  readonly offset: number;
  readonly area: number;
  /** Corners in order, counter-clockwise seen from outside. */
  readonly corners: readonly Vec3[];
}

export interface Hull {
  readonly vertices: readonly Vec3[];
  readonly faces: readonly HullFace[];
  readonly volume: number;
  readonly centroid: Vec3;
  /** Diagonal of the box about it. */
  readonly size: number;
}

/** A hull thinner than this share of its size is flat. */
const FLAT = 1e-7;

/** Convex hull of the points, coplanar triangles merged; undefined if they lie in a plane or are fewer than four. */
export function convexHull(points: readonly Vec3[]): Hull | undefined {
  const size = diagonal(points);
  if (points.length < 4 || !isSolid(points, FLAT * size)) return undefined;
  const polygons = quickHull(points, { skipTriangulation: true });
  const faces: HullFace[] = [];
  const used = new Set<number>();
  for (const polygon of polygons) {
    const corners = polygon.map((i) => points[i] as Vec3);
    const vector = vectorArea(corners);
    const normal = unitVector(vector);
    for (const i of polygon) used.add(i);
    if (normal === undefined) continue;
    faces.push({ normal, offset: Math.max(...corners.map((corner) => dot(normal, corner))), area: Math.hypot(...vector), corners });
  }
  const vertices = [...used].sort((a, b) => a - b).map((i) => points[i] as Vec3);
  return { vertices, faces, size, ...bulk(faces, vertices[0] as Vec3) };
}

const hullVertices = new WeakMap<Mesh, readonly Vec3[]>();

/** The vertices of a mesh that can touch a plane; remembered for every mesh. All of them if it is flat. */
export function hullVerticesOf(mesh: Mesh): readonly Vec3[] {
  let vertices = hullVertices.get(mesh);
  if (vertices === undefined) {
    const all = verticesOf(mesh);
    vertices = convexHull(all)?.vertices ?? all;
    hullVertices.set(mesh, vertices);
  }
  return vertices;
}

export function verticesOf({ vertices }: Mesh): Vec3[] {
  return Array.from({ length: vertices.length / 3 }, (_, i): Vec3 => {
    return [vertices[3 * i] as number, vertices[3 * i + 1] as number, vertices[3 * i + 2] as number];
  });
}

/** Area of a planar polygon times its normal; from its first corner, so that far from the origin nothing is lost. */
export function vectorArea(corners: readonly Vec3[]): Vec3 {
  const [first, ...others] = corners as [Vec3, ...Vec3[]];
  let sum: Vec3 = [0, 0, 0];
  for (let i = 1; i < others.length; i++) {
    sum = addScaled(sum, cross(subtract(others[i - 1] as Vec3, first), subtract(others[i] as Vec3, first)), 0.5);
  }
  return sum;
}

/** Volume and centroid by the divergence theorem, from pyramids with their apex at `apex`. */
function bulk(faces: readonly HullFace[], apex: Vec3): { volume: number; centroid: Vec3 } {
  let volume = 0;
  let moment: Vec3 = [0, 0, 0];
  for (const { corners } of faces) {
    const [a, ...others] = corners.map((corner) => subtract(corner, apex)) as [Vec3, ...Vec3[]];
    for (let i = 1; i < others.length; i++) {
      const [b, c] = [others[i - 1] as Vec3, others[i] as Vec3];
      const part = dot(a, cross(b, c)) / 6;
      volume += part;
      moment = addScaled(moment, [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]], part / 4);
    }
  }
  return { volume, centroid: addScaled(apex, moment, 1 / volume) };
}

function isSolid(points: readonly Vec3[], thickness: number): boolean {
  const origin = points[0] as Vec3;
  const farthest = (distance: (v: Vec3) => number): Vec3 => {
    let best: Vec3 = [0, 0, 0];
    for (const point of points) {
      const v = subtract(point, origin);
      if (distance(v) > distance(best)) best = v;
    }
    return best;
  };
  const line = unitVector(farthest((v) => Math.hypot(...v)));
  if (line === undefined) return false;
  const side = farthest((v) => Math.hypot(...cross(line, v)));
  const normal = unitVector(cross(line, side));
  if (normal === undefined || Math.hypot(...cross(line, side)) <= thickness) return false;
  return (
    Math.abs(
      dot(
        normal,
        farthest((v) => Math.abs(dot(normal, v))),
      ),
    ) > thickness
  );
}

function diagonal(points: readonly Vec3[]): number {
  const extent = (k: number) => {
    let [low, high] = [Infinity, -Infinity];
    for (const point of points) [low, high] = [Math.min(low, point[k] as number), Math.max(high, point[k] as number)];
    return high - low;
  };
  return points.length === 0 ? 0 : Math.hypot(extent(0), extent(1), extent(2));
}
