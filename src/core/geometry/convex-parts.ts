/** Solids as convex parts in any frame: itself if convex, else its triangles, or the columns under those of a height field. */
import { compose, conjugate, dot, rotate, transform } from '../pose-math.js';
import type { Geom, Pose, Shape, Vec3 } from '../scene.js';
import type { Convex } from './fall.js';
import { supportPoint } from './support-point.js';
import { type Box, boxFrom, uniteBoxes } from './units.js';

/** The geom as one convex solid, its hull if it is not convex, in the frame A with its body at X_AB; no half-space. */
export function hullIn({ shape, X_BG }: Geom, X_AB: Pose): Convex {
  const X_AG = compose(X_AB, X_BG);
  const toGeom = conjugate(X_AG.quaternion);
  const farthest = (direction: Vec3) => transform(X_AG, supportPoint(shape, rotate(toGeom, direction)));
  return { farthest, box: boxFrom(farthest) };
}

/** Convex parts of the geom in A; their union is the solid or, of a mesh, its surface. */
export function partsIn(geom: Geom, X_AB: Pose): Convex[] {
  const { shape, X_BG } = geom;
  if (shape.type !== 'mesh' && shape.type !== 'heightfield') return [hullIn(geom, X_AB)];
  const X_AG = compose(X_AB, X_BG);
  return Array.from(shape.type === 'mesh' ? triangles(shape) : columns(shape), (corners) => {
    const points = corners.map((corner) => transform(X_AG, corner));
    return { farthest: (direction) => farthestOf(points, direction), box: boxAbout(points) };
  });
}

function* triangles({ mesh: { vertices, triangles } }: Extract<Shape, { type: 'mesh' }>): Generator<Vec3[]> {
  const at = (k: number): Vec3 => {
    const v = 3 * (triangles[k] as number);
    return [vertices[v] as number, vertices[v + 1] as number, vertices[v + 2] as number];
  };
  for (let t = 0; t < triangles.length; t += 3) yield [at(t), at(t + 1), at(t + 2)];
}

/** The triangles of the surface, cut as `Shape` says, each with what is below it. */
function* columns({ rows, cols, heights, halfExtents, baseDepth }: Extract<Shape, { type: 'heightfield' }>): Generator<Vec3[]> {
  const at = (row: number, col: number): [Vec3, Vec3] => {
    const x = halfExtents[0] * ((2 * col) / (cols - 1) - 1);
    const y = halfExtents[1] * ((2 * row) / (rows - 1) - 1);
    return [
      [x, y, heights[row * cols + col] as number],
      [x, y, -baseDepth],
    ];
  };
  for (let row = 0; row + 1 < rows; row++) {
    for (let col = 0; col + 1 < cols; col++) {
      const [right, up] = [at(row, col + 1), at(row + 1, col)];
      for (const corner of [at(row, col), at(row + 1, col + 1)]) yield [corner, right, up].flat();
    }
  }
}

function boxAbout(points: readonly Vec3[]): Box {
  return points.map((point) => ({ low: point, high: point })).reduce(uniteBoxes);
}

function farthestOf(points: readonly Vec3[], direction: Vec3): Vec3 {
  return points.reduce((best, point) => (dot(point, direction) > dot(best, direction) ? point : best));
}
