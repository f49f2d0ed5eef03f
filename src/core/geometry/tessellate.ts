/** Points whose hull stands for a solid. */
import { addScaled, cross, unitVector } from '../pose-math.js';
import type { Shape, Vec3 } from '../scene.js';
import { hullVerticesOf } from './hull.js';

const SEGMENTS = 48;
const RINGS = 12;
/** Cells along the edge of each face of the cube that is blown up to an ellipsoid; odd, so that one is in its middle. */
const CELLS = 9;

/**
 * Points on the surface or, of cylinders, cones and capsules, just outside, in the geom's frame [m]. Round shapes get a facet that faces `toward` as far as they can face it, so that
 * a ball, or a cylinder on its side, rests as it is and need not roll to the next facet.
 * @throws RangeError for half-spaces and height fields, which are infinite or no bodies
 */
export function tessellate(shape: Shape, toward: Vec3): readonly Vec3[] {
  switch (shape.type) {
    case 'box':
      return corners(shape.halfExtents);
    case 'sphere':
      return latitudes(toward, shape.radius);
    case 'cylinder':
      return [-1, 1].flatMap((side) => circle(toward, shape.radius, side * shape.halfLength));
    case 'cone':
      return [...circle(toward, shape.radius, -shape.halfLength), [0, 0, shape.halfLength]];
    case 'capsule':
      return capsule(toward, shape.radius, shape.halfLength);
    case 'ellipsoid':
      return blownUpCube().map(([x, y, z]): Vec3 => [x * shape.radii[0], y * shape.radii[1], z * shape.radii[2]]);
    case 'convex':
    case 'mesh':
      return hullVerticesOf(shape.mesh);
    case 'halfspace':
    case 'heightfield':
      throw new RangeError(`tessellate: a ${shape.type} has no hull`);
  }
}

function corners([x, y, z]: Vec3): Vec3[] {
  return [-x, x].flatMap((cx) => [-y, y].flatMap((cy) => [-z, z].map((cz): Vec3 => [cx, cy, cz])));
}

/** A polygon about the circle, so that facets of cylinders and cones touch them; the middle between two corners faces `toward`. */
function circle(toward: Vec3, inner: number, z: number): Vec3[] {
  const radius = inner / Math.cos(Math.PI / SEGMENTS);
  const start = Math.atan2(toward[1], toward[0]) + Math.PI / SEGMENTS;
  return Array.from({ length: SEGMENTS }, (_, i): Vec3 => {
    const angle = start + (2 * Math.PI * i) / SEGMENTS;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
}

function capsule(toward: Vec3, radius: number, halfLength: number): Vec3[] {
  const ring = (latitude: number, side: number) =>
    circle(toward, radius * Math.cos(latitude), side * (halfLength + radius * Math.sin(latitude)));
  const side = (sign: number): Vec3[] => [
    ...Array.from({ length: RINGS / 2 }, (_, i) => ring((Math.PI * i) / RINGS, sign)).flat(),
    [0, 0, sign * (halfLength + radius)],
  ];
  return [...side(-1), ...side(1)];
}

/** Rings about `toward`, with a flat cap at either pole. */
function latitudes(toward: Vec3, radius: number): Vec3[] {
  const pole = unitVector(toward) ?? [0, 0, 1];
  const other: Vec3 = Math.abs(pole[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const x = unitVector(cross(pole, other)) as Vec3;
  const y = cross(pole, x);
  return Array.from({ length: RINGS }, (_, i) => (Math.PI * (i + 0.5)) / RINGS).flatMap((polar) =>
    Array.from({ length: SEGMENTS / 2 }, (_, k) => {
      const around = (4 * Math.PI * k) / SEGMENTS;
      const flat = addScaled(addScaled([0, 0, 0], x, Math.cos(around)), y, Math.sin(around));
      return addScaled(addScaled([0, 0, 0], pole, radius * Math.cos(polar)), flat, radius * Math.sin(polar));
    }),
  );
}

/** Points of the unit sphere; the middle cell of each face of the cube is a facet across its axis. */
function blownUpCube(): Vec3[] {
  const at = (i: number) => Math.tan((Math.PI / 4) * ((2 * i) / CELLS - 1));
  const points: Vec3[] = [];
  for (let i = 0; i <= CELLS; i++) {
    for (let j = 0; j <= CELLS; j++) {
      for (const side of [-1, 1]) {
        const [u, v] = [at(i), at(j)];
        for (const point of [[side, u, v] as const, [u, side, v] as const, [u, v, side] as const]) {
          points.push(unitVector(point) as Vec3);
        }
      }
    }
  }
  return points;
}
