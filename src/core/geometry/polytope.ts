/** Convex regions as planes. */
import { cross, dot, unitVector } from '../pose-math.js';
import type { Vec3 } from '../scene.js';
import { convexHull, type HullFace } from './hull.js';

/** The side normal . x <= offset of a plane; normal unit, outward. */
export interface Plane {
  readonly normal: Vec3;
  readonly offset: number;
}

/** More sides than this a container cannot have. */
export const MAX_SIDES = 64;

/** Whether the point lies behind every plane, to `slack` [m]. */
export function isInside(planes: readonly Plane[], point: Vec3, slack = 0): boolean {
  return planes.every(({ normal, offset }) => dot(normal, point) <= offset + slack);
}

/** Whether no direction leads out to infinity: only directions along the edges of pairs of planes need a look. */
export function isBounded(planes: readonly Plane[]): boolean {
  const blocked = (direction: Vec3) => planes.some(({ normal }) => dot(normal, direction) > 1e-9);
  let edges = 0;
  for (const [i, a] of planes.entries()) {
    for (const b of planes.slice(i + 1)) {
      const edge = unitVector(cross(a.normal, b.normal));
      if (edge === undefined || Math.hypot(...cross(a.normal, b.normal)) < 1e-9) continue;
      edges++;
      if (!blocked(edge) || !blocked([-edge[0], -edge[1], -edge[2]])) return false;
    }
  }
  return edges >= 3;
}

/**
 * Volume of a bounded region [m^3]: that of the hull of the corners, where three planes meet. 0 if there are none; undefined if it is
 * too flat or large for its numbers to be trusted.
 */
export function volumeOf(planes: readonly Plane[]): number | undefined {
  const corners: Vec3[] = [];
  const reach = Math.max(...planes.map(({ offset }) => Math.abs(offset)));
  for (const [i, a] of planes.entries()) {
    for (const [j, b] of planes.slice(i + 1).entries()) {
      const edge = cross(a.normal, b.normal);
      if (Math.hypot(...edge) < 1e-9) continue;
      for (const c of planes.slice(i + j + 2)) {
        const corner = meeting(a, b, c, edge);
        if (corner !== undefined && isInside(planes, corner, 1e-9 * reach)) corners.push(corner);
      }
    }
  }
  if (corners.length === 0) return 0;
  // Long and flat regions are as good as any once their sides are of one length.
  const low = [0, 1, 2].map((k) => Math.min(...corners.map((corner) => corner[k] as number)));
  const extent = low.map((least, k) => Math.max(...corners.map((corner) => corner[k] as number)) - least);
  const box = extent.reduce((product, length) => product * length, 1);
  if (!(box > 0 && box < Infinity)) return undefined;
  const unit = corners.map((corner) => corner.map((value, k) => (value - (low[k] as number)) / (extent[k] as number)) as unknown as Vec3);
  const hull = convexHull(unit);
  return hull && hull.volume * box;
}

/** Cramer's rule; undefined if the planes are all but parallel to one line. */
function meeting(a: Plane, b: Plane, c: Plane, edge: Vec3): Vec3 | undefined {
  const determinant = dot(edge, c.normal);
  if (Math.abs(determinant) < 1e-9) return undefined;
  const bc = cross(b.normal, c.normal);
  const ca = cross(c.normal, a.normal);
  const at = (k: 0 | 1 | 2) => (a.offset * bc[k] + b.offset * ca[k] + c.offset * edge[k]) / determinant;
  return [at(0), at(1), at(2)];
}

/** Planes of the faces: all, or of very many the largest and then again and again the one that differs most from those taken. */
export function sidesOf(faces: readonly HullFace[]): readonly Plane[] {
  const sides = faces.map(({ normal, offset }) => ({ normal, offset }));
  if (sides.length <= MAX_SIDES) return sides;
  const largest = faces.reduce((best, face, i) => (face.area > (faces[best]?.area as number) ? i : best), 0);
  const nearest = new Float64Array(sides.length).fill(-1);
  const chosen: Plane[] = [];
  let next = largest;
  while (chosen.length < MAX_SIDES) {
    const side = sides[next] as Plane;
    chosen.push(side);
    sides.forEach(({ normal }, i) => {
      nearest[i] = Math.max(nearest[i] as number, dot(normal, side.normal));
    });
    next = nearest.reduce((best, likeness, i) => (likeness < (nearest[best] as number) ? i : best), 0);
  }
  return chosen;
}
