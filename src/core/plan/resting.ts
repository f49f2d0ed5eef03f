/** How a body rests on a plane without tipping over. */
import { convexHull, type Hull, type HullFace, hullOf } from '../geometry/hull.js';
import { massOf } from '../geometry/mass.js';
import { supportPoint } from '../geometry/support-point.js';
import { tessellate } from '../geometry/tessellate.js';
import { posesInUnit } from '../geometry/units.js';
import {
  addScaled,
  angleOfVectors,
  compose,
  conjugate,
  cross,
  dot,
  invert,
  ORIGIN,
  rotate,
  subtract,
  transform,
  unitVector,
} from '../pose-math.js';
import type { BodyId, Geom, Pose, Scene, Shape, Vec3 } from '../scene.js';

/** A geom in the frame F of the unit's first; its points are those that can touch a plane. */
interface Solid {
  readonly X_FG: Pose;
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
 * The direction, in the root's frame, that points up in the resting pose with the smallest turn from the one in which `up` (unit,
 * same frame) does: a face of the unit's hull with the centre of mass above it, at uniform density.
 * Undefined if the unit is flat, and so has no hull.
 * @param balanced also the poses in which a round end carries the centre of mass, though the least push would tip it over
 */
export function restingAxis(scene: Scene, root: BodyId, geoms: readonly Geom[], up: Vec3, balanced: boolean): Vec3 | undefined {
  const [first] = geoms;
  if (first === undefined) return undefined;
  const inUnit = posesInUnit(scene, root);
  // In the frame of the first geom, so that all bodies of one mesh share one hull.
  const X_RF = compose(inUnit(first.bodyId), first.X_BG);
  const X_FR = invert(X_RF);
  const [x, y, z] = rotate(X_FR.quaternion, up);
  const down: Vec3 = [-x, -y, -z];
  const solids = geoms.map(({ id, bodyId, shape, X_BG }): Solid => {
    const X_FG = id === first.id ? ORIGIN : compose(X_FR, compose(inUnit(bodyId), X_BG));
    // A round body rests as it is. In a unit of several its facets must not depend on how the unit is turned: what was stood up
    // rests where it is when asked again.
    const toward = geoms.length === 1 ? rotate(conjugate(X_FG.quaternion), down) : FIXED_FACET;
    const points = tessellate(shape, toward).map((point) => transform(X_FG, point));
    return { X_FG, shape, points };
  });
  const { shape } = first;
  const isMesh = geoms.length === 1 && (shape.type === 'mesh' || shape.type === 'convex');
  const hull = isMesh ? hullOf(shape.mesh) : convexHull(solids.flatMap(({ points }) => points));
  if (hull === undefined) return undefined;
  const mass = centreOfMass(solids) ?? hull.centroid;
  const faces = facesUnder(hull, mass)
    .map((face) => ({ face, turn: angleOfVectors(face.normal, down) }))
    .sort((a, b) => a.turn - b.turn);
  const rests = ({ normal }: HullFace) => {
    return comesBack(normal, solids, mass, hull.size) || (balanced && isBalanced(normal, solids, mass, hull.size));
  };
  const nearest = faces.find(({ face }) => rests(face));
  const normal = nearest === undefined ? lowestFace(hull, mass).normal : levelled(nearest.face, hull);
  return rotate(X_RF.quaternion, [-normal[0], -normal[1], -normal[2]]);
}

const FIXED_FACET: Vec3 = [0, 0, -1];

/** At uniform density, in the root's frame [m]; undefined if nothing has a volume. */
export function centreOfMassOf(scene: Scene, root: BodyId, geoms: readonly Geom[]): Vec3 | undefined {
  const inUnit = posesInUnit(scene, root);
  return centreOfMass(geoms.map(({ bodyId, shape, X_BG }) => ({ X_FG: compose(inUnit(bodyId), X_BG), shape })));
}

function centreOfMass(solids: readonly Pick<Solid, 'X_FG' | 'shape'>[]): Vec3 | undefined {
  let [moment, total]: [Vec3, number] = [[0, 0, 0], 0];
  for (const { X_FG, shape } of solids) {
    const { volume, centroid } = massOf(shape);
    total += volume;
    moment = addScaled(moment, transform(X_FG, centroid), volume);
  }
  return total > 0 ? addScaled([0, 0, 0], moment, 1 / total) : undefined;
}

const under = new WeakMap<Hull, readonly HullFace[]>();

/** The faces with the centre of mass above them; remembered for every hull, which has but one. */
function facesUnder(hull: Hull, mass: Vec3): readonly HullFace[] {
  const faces = under.get(hull) ?? hull.faces.filter((face) => standsOver(face, mass, ROUNDING * hull.size));
  under.set(hull, faces);
  return faces;
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

/** Whether the lowest point is one of a round shape, and right below the centre of mass. */
function isBalanced(down: Vec3, solids: readonly Solid[], mass: Vec3, size: number): boolean {
  const lowest = Math.max(...solids.map((solid) => reach(solid, down)));
  return solids.some((solid) => {
    const { X_FG, shape } = solid;
    if (!ROUND.has(shape.type) || reach(solid, down) < lowest - ROUNDING * size) return false;
    const point = transform(X_FG, supportPoint(shape, rotate(conjugate(X_FG.quaternion), down)));
    return Math.hypot(...cross(down, subtract(point, mass))) <= 1e-6 * size;
  });
}

const ROUND: ReadonlySet<Shape['type']> = new Set(['sphere', 'capsule', 'ellipsoid']);

/** Height of the centre of mass when `down` points down and the unit touches the plane [m]. */
function heightOver(down: Vec3, solids: readonly Solid[], mass: Vec3): number {
  return Math.max(...solids.map((solid) => reach(solid, down))) - dot(down, mass);
}

function reach({ X_FG, shape, points }: Solid, direction: Vec3): number {
  if (shape.type === 'mesh' || shape.type === 'convex')
    return points.reduce((most, point) => Math.max(most, dot(direction, point)), -Infinity);
  return dot(direction, transform(X_FG, supportPoint(shape, rotate(conjugate(X_FG.quaternion), direction))));
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
