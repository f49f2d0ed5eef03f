/** Volumes and centroids of shapes at uniform density. */
import { addScaled, cross, dot, subtract } from '../pose-math.js';
import type { Mesh, Shape, Vec3 } from '../scene.js';
import { convexHull, verticesOf } from './hull.js';
import type { Box } from './units.js';

/** A closed connected surface of a mesh, or a whole primitive; in the geom's frame. */
export interface Part {
  /** [m^3]; negative for the wall of a cavity */
  readonly volume: number;
  readonly centroid: Vec3;
  readonly box: Box;
}

/** The closed surfaces of a mesh; open ones enclose nothing. Remembered for every mesh. */
export function partsOf(mesh: Mesh): readonly Part[] {
  let parts = known.get(mesh);
  if (parts === undefined) {
    parts = componentsOf(mesh).filter(isClosed).map(measure);
    known.set(mesh, parts);
  }
  return parts;
}

const known = new WeakMap<Mesh, readonly Part[]>();

/** Volume [m^3] and centroid [m] in the geom's frame; of a mesh without closed surfaces those of its hull. Zero if it is flat. */
export function massOf(shape: Shape): { readonly volume: number; readonly centroid: Vec3 } {
  if (shape.type !== 'convex' && shape.type !== 'mesh') return { volume: primitiveVolume(shape), centroid: primitiveCentroid(shape) };
  const parts = partsOf(shape.mesh);
  const volume = parts.reduce((sum, part) => sum + part.volume, 0);
  if (!(volume > 0)) return convexHull(verticesOf(shape.mesh)) ?? { volume: 0, centroid: [0, 0, 0] };
  return { volume, centroid: parts.reduce<Vec3>((sum, part) => addScaled(sum, part.centroid, part.volume / volume), [0, 0, 0]) };
}

/** [m^3]; Infinity for a half-space. */
export function primitiveVolume(shape: Exclude<Shape, { type: 'convex' | 'mesh' }>): number {
  const ball = (4 / 3) * Math.PI;
  switch (shape.type) {
    case 'sphere':
      return ball * shape.radius ** 3;
    case 'box':
      return 8 * shape.halfExtents[0] * shape.halfExtents[1] * shape.halfExtents[2];
    case 'capsule':
      return Math.PI * shape.radius ** 2 * 2 * shape.halfLength + ball * shape.radius ** 3;
    case 'cylinder':
      return Math.PI * shape.radius ** 2 * 2 * shape.halfLength;
    case 'cone':
      return (Math.PI * shape.radius ** 2 * 2 * shape.halfLength) / 3;
    case 'ellipsoid':
      return ball * shape.radii[0] * shape.radii[1] * shape.radii[2];
    case 'halfspace':
      return Infinity;
    case 'heightfield':
      return fieldVolume(shape);
  }
}

/** Each cell is cut in two triangles along the diagonal from (row, col + 1) to (row + 1, col). */
function fieldVolume({ rows, cols, heights, halfExtents, baseDepth }: Extract<Shape, { type: 'heightfield' }>): number {
  const at = (row: number, col: number) => heights[row * cols + col] as number;
  let sum = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let col = 0; col + 1 < cols; col++) {
      sum += baseDepth + (at(row, col) + 2 * at(row, col + 1) + 2 * at(row + 1, col) + at(row + 1, col + 1)) / 6;
    }
  }
  return (sum * 4 * halfExtents[0] * halfExtents[1]) / ((rows - 1) * (cols - 1));
}

function primitiveCentroid(shape: Shape): Vec3 {
  return shape.type === 'cone' ? [0, 0, -shape.halfLength / 2] : [0, 0, 0];
}

type Triangle = readonly [number, number, number];

interface Component {
  readonly points: readonly Vec3[];
  readonly triangles: readonly Triangle[];
}

/** Triangles connected through vertices at the very same place, which exporters like to repeat. */
function componentsOf(mesh: Mesh): Component[] {
  const places = new Map<string, number>();
  const points: Vec3[] = [];
  const placeOf = verticesOf(mesh).map((vertex) => {
    const key = vertex.map((value) => value + 0).join(' ');
    const place = places.get(key) ?? points.push(vertex) - 1;
    places.set(key, place);
    return place;
  });
  const parent = points.map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root] as number;
    while (parent[i] !== root) [parent[i], i] = [root, parent[i] as number];
    return root;
  };
  const triangles: Triangle[] = [];
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => placeOf[mesh.triangles[i + k] as number] as number) as [number, number, number];
    if (a === b || b === c || c === a) continue;
    triangles.push([a, b, c]);
    parent[rootOf(a)] = rootOf(b);
    parent[rootOf(b)] = rootOf(c);
  }
  const groups = new Map<number, Triangle[]>();
  for (const triangle of triangles) {
    const root = rootOf(triangle[0]);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [triangle]);
    else group.push(triangle);
  }
  return [...groups.values()].map((group) => ({ points, triangles: group }));
}

/** Every edge is met as often in one direction as in the other. */
function isClosed({ points, triangles }: Component): boolean {
  const balance = new Map<number, number>();
  for (const triangle of triangles) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangle[k] as number, triangle[(k + 1) % 3] as number];
      const key = Math.min(a, b) * points.length + Math.max(a, b);
      balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  return [...balance.values()].every((value) => value === 0);
}

/** Divergence theorem, from tetrahedra with their apex at the first corner. */
function measure({ points, triangles }: Component): Part {
  const apex = points[triangles[0]?.[0] as number] as Vec3;
  let volume = 0;
  let moment: Vec3 = [0, 0, 0];
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const triangle of triangles) {
    const [a, b, c] = triangle.map((i) => subtract(points[i] as Vec3, apex)) as [Vec3, Vec3, Vec3];
    const part = dot(a, cross(b, c)) / 6;
    volume += part;
    moment = addScaled(moment, [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]], part / 4);
    for (const i of triangle) {
      for (const k of [0, 1, 2] as const) {
        low[k] = Math.min(low[k], (points[i] as Vec3)[k]);
        high[k] = Math.max(high[k], (points[i] as Vec3)[k]);
      }
    }
  }
  return { volume, centroid: volume === 0 ? apex : addScaled(apex, moment, 1 / volume), box: { low, high } };
}
