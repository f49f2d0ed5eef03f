/** How a body rests on a plane without tipping over. */
import { convexHull, type Hull, type HullFace } from '../geometry/hull.js';
import { massOf } from '../geometry/mass.js';
import { supportPoint } from '../geometry/support-point.js';
import { tessellate } from '../geometry/tessellate.js';
import { posesInUnit } from '../geometry/units.js';
import { addScaled, angleOfVectors, compose, conjugate, cross, dot, rotate, subtract, transform, unitVector } from '../pose-math.js';
import type { BodyId, Geom, Pose, Scene, Shape, Vec3 } from '../scene.js';

/** A geom in the root's frame; of a mesh, only what can touch a plane. */
interface Solid {
  readonly X_RG: Pose;
  readonly shape: Shape;
  readonly points: readonly Vec3[];
}

/** Turn by which a resting body is disturbed to see whether it comes back [rad]. */
const DISTURBANCE = 1e-3;
/** Rounding, relative to the size of the body. */
const ROUNDING = 1e-9;
/** Faces that reach as low as a face, to this share of the size, belong to it: scanned meshes are never quite flat. */
const SLAB = 1e-5;

/**
 * The direction, in the root's frame, that points up in the stable resting pose with the smallest turn from the one in which `up`
 * (unit, same frame) does: a face of the unit's hull with the centre of mass above it, at uniform density.
 * Undefined if the unit is flat, and so has no hull.
 */
export function restingAxis(scene: Scene, root: BodyId, geoms: readonly Geom[], up: Vec3): Vec3 | undefined {
  const down: Vec3 = [-up[0], -up[1], -up[2]];
  const inUnit = posesInUnit(scene, root);
  const solids = geoms.map(({ bodyId, shape, X_BG }): Solid => {
    const X_RG = compose(inUnit(bodyId), X_BG);
    const points = tessellate(shape, rotate(conjugate(X_RG.quaternion), down)).map((point) => transform(X_RG, point));
    return { X_RG, shape, points };
  });
  const hull = convexHull(solids.flatMap(({ points }) => points));
  if (hull === undefined) return undefined;
  const mass = centreOfMass(solids) ?? hull.centroid;
  const faces = hull.faces
    .filter((face) => standsOver(face, mass, ROUNDING * hull.size))
    .map((face) => ({ face, turn: angleOfVectors(face.normal, down) }))
    .sort((a, b) => a.turn - b.turn);
  const stable = faces.find(({ face }) => comesBack(face.normal, solids, mass, hull.size));
  const normal = stable === undefined ? lowestFace(hull, mass).normal : levelled(stable.face, hull);
  return [-normal[0], -normal[1], -normal[2]];
}

/** At uniform density, in the root's frame [m]; undefined if nothing has a volume. */
export function centreOfMassOf(scene: Scene, root: BodyId, geoms: readonly Geom[]): Vec3 | undefined {
  const inUnit = posesInUnit(scene, root);
  return centreOfMass(geoms.map(({ bodyId, shape, X_BG }) => ({ X_RG: compose(inUnit(bodyId), X_BG), shape })));
}

function centreOfMass(solids: readonly Pick<Solid, 'X_RG' | 'shape'>[]): Vec3 | undefined {
  let [moment, total]: [Vec3, number] = [[0, 0, 0], 0];
  for (const { X_RG, shape } of solids) {
    const { volume, centroid } = massOf(shape);
    total += volume;
    moment = addScaled(moment, transform(X_RG, centroid), volume);
  }
  return total > 0 ? addScaled([0, 0, 0], moment, 1 / total) : undefined;
}

/** Whether the perpendicular from the point meets the face. */
function standsOver({ normal, corners }: HullFace, point: Vec3, rounding: number): boolean {
  return corners.every((corner, i) => {
    const edge = subtract(corners[(i + 1) % corners.length] as Vec3, corner);
    const inward = unitVector(cross(normal, edge));
    return inward === undefined || dot(inward, subtract(point, corner)) >= -rounding;
  });
}

/** Whether no small turn lowers the centre of mass. Exact for round shapes too, whose facets all look stable. */
function comesBack(normal: Vec3, solids: readonly Solid[], mass: Vec3, size: number): boolean {
  const height = heightOver(normal, solids, mass);
  const x = unitVector(cross(normal, Math.abs(normal[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0])) as Vec3;
  const y = cross(normal, x);
  return Array.from({ length: 8 }, (_, k) => (Math.PI * k) / 4).every((angle) => {
    const side = addScaled(addScaled([0, 0, 0], x, Math.cos(angle)), y, Math.sin(angle));
    const disturbed = unitVector(addScaled(normal, side, DISTURBANCE)) as Vec3;
    return heightOver(disturbed, solids, mass) >= height - ROUNDING * size;
  });
}

/** Height of the centre of mass when `down` points down and the unit touches the plane [m]. */
function heightOver(down: Vec3, solids: readonly Solid[], mass: Vec3): number {
  const reach = ({ X_RG, shape, points }: Solid): number => {
    if (shape.type === 'mesh' || shape.type === 'convex')
      return points.reduce((most, point) => Math.max(most, dot(down, point)), -Infinity);
    return dot(down, transform(X_RG, supportPoint(shape, rotate(conjugate(X_RG.quaternion), down))));
  };
  return Math.max(...solids.map(reach)) - dot(down, mass);
}

/** The one on which the centre of mass lies lowest: always stable. */
function lowestFace({ faces }: Hull, mass: Vec3): HullFace {
  const height = ({ normal, offset }: HullFace) => offset - dot(normal, mass);
  return faces.reduce((lowest, face) => (height(face) < height(lowest) ? face : lowest));
}

/** The normal of a face together with those that are all but in its plane. */
function levelled({ normal, offset, area }: HullFace, { faces, size }: Hull): Vec3 {
  const level = faces.filter((face) => face.corners.every((corner) => dot(normal, corner) > offset - SLAB * size));
  const sum = level.reduce<Vec3>((total, face) => addScaled(total, face.normal, face.area), [0, 0, 0]);
  return level.length < 2 ? normal : (unitVector(addScaled(sum, normal, 1e-12 * area)) as Vec3);
}
