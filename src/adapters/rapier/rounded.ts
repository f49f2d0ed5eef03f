/**
 * Rapier's round shapes, a solid plus all points within a border radius of it, as polytopes about them: they contain the shape, and
 * no point of them is farther from it than `ROUNDING_ERROR` times the border radius, and for solids of revolution
 * `REVOLUTION_ERROR` times the whole radius. Flat faces are exact, so that what rests on them does.
 */
import { addScaled } from '../../core/pose-math.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { circumscribedCorners, faceNormals, hullMesh } from '../hull.js';

/** Edge of the octahedron whose points, blown up, are the directions of the facets of a ball. */
const BALL_CELLS = 6;
/** Facets around an axis, and tangents in a right angle of a rounded edge. */
const SEGMENTS = 48;
const TANGENTS_PER_QUARTER = 6;
/** Corners of merged faces of a hull lie inside it by rounding. */
const ROUNDING_GUARD = 1 + 1e-9;

/** How far the corners of a ball of radius 1, with the directions above, lie outside it: 0.0254. */
export const ROUNDING_ERROR = 0.026;
/** 1 / cos(pi / SEGMENTS) - 1. */
export const REVOLUTION_ERROR = 0.0022;

/** Of the hull of `core`, which may be flat, and a border of `radius` [m]. */
export function roundedHull(core: readonly Vec3[], radius: number): Mesh | undefined {
  const ball = circumscribedCorners([...ballDirections(), ...faceNormals(core)]);
  return hullMesh(core.flatMap((point) => ball.map((corner) => addScaled(point, corner, radius * ROUNDING_GUARD))));
}

/** Of the cylinder along z, or the cone with its apex at +z. */
export function roundedRevolution(
  type: 'cylinder' | 'cone',
  { radius, halfLength }: { readonly radius: number; readonly halfLength: number },
  border: number,
): Mesh | undefined {
  const slope = type === 'cylinder' ? 0 : Math.atan2(radius, 2 * halfLength);
  const rim: Corner = { rho: radius, z: -halfLength, from: -Math.PI / 2, to: slope };
  const top: Corner = { rho: type === 'cylinder' ? radius : 0, z: halfLength, from: slope, to: Math.PI / 2 };
  const profile = [rim, top].flatMap((corner) => tangentPoints(corner, border));
  const stretch = 1 / Math.cos(Math.PI / SEGMENTS);
  return hullMesh(
    profile.flatMap(([rho, z]) =>
      Array.from({ length: SEGMENTS }, (_, i): Vec3 => {
        const angle = (2 * Math.PI * i) / SEGMENTS;
        return [rho * stretch * Math.cos(angle), rho * stretch * Math.sin(angle), z];
      }),
    ),
  );
}

/** A corner of the profile; normals turn around it between two angles from the plane across the axis. */
interface Corner {
  readonly rho: number;
  readonly z: number;
  readonly from: number;
  readonly to: number;
}

/** Where neighbouring tangents of the arc about a corner meet; the first and the last tangent are the adjacent faces. */
function tangentPoints({ rho, z, from, to }: Corner, border: number): [number, number][] {
  const count = Math.max(1, Math.ceil((to - from) / (Math.PI / 2 / TANGENTS_PER_QUARTER)));
  const step = (to - from) / count;
  return Array.from({ length: count }, (_, i) => {
    const angle = from + (i + 0.5) * step;
    const reach = border / Math.cos(step / 2);
    return [rho + reach * Math.cos(angle), z + reach * Math.sin(angle)];
  });
}

/** Unit vectors, among them both of each axis. */
function ballDirections(): Vec3[] {
  const directions: Vec3[] = [];
  for (let i = -BALL_CELLS; i <= BALL_CELLS; i++) {
    const left = BALL_CELLS - Math.abs(i);
    for (let j = -left; j <= left; j++) {
      const rest = left - Math.abs(j);
      for (const k of rest === 0 ? [0] : [-rest, rest]) {
        const length = Math.hypot(i, j, k);
        directions.push([i / length, j / length, k / length]);
      }
    }
  }
  return directions;
}
