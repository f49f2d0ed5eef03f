/** Whole units as geometry: their geoms, the box about them, their lowest point. */
import { compose, dot, invert, subtract, transform } from '../pose-math.js';
import type { Body, BodyId, Geom, Pose, Scene, Shape, Vec3 } from '../scene.js';
import { farthestPoint, supportPoint } from './support-point.js';

export interface Box {
  readonly low: Vec3;
  readonly high: Vec3;
}

/** Geoms of every unit that may move, by root. */
export function geomsOfUnits({ bodies, geoms }: Scene): ReadonlyMap<BodyId, readonly Geom[]> {
  const units = new Map<BodyId, Geom[]>();
  for (const { id, mobility, movesWith } of bodies) if (mobility === 'free' && movesWith === id) units.set(id, []);
  for (const geom of geoms) {
    const { mobility, movesWith } = bodies[geom.bodyId] as Body;
    if (mobility === 'free') units.get(movesWith)?.push(geom);
  }
  return units;
}

export const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The box about a geom in the frame A, with its body at X_AB [m]. */
export function boxOf(geom: Geom, X_AB: Pose): Box {
  return boxFrom((direction) => farthestPoint(geom, X_AB, direction));
}

/** The box about a shape in the geom's frame [m]. */
export function boxOfShape(shape: Shape): Box {
  return boxFrom((direction) => supportPoint(shape, direction));
}

/** The box of a solid by its farthest points along a direction. */
export function boxFrom(farthest: (direction: Vec3) => Vec3): Box {
  const high = AXES.map((axis) => dot(farthest(axis), axis));
  const low = AXES.map((axis) => dot(farthest([-axis[0], -axis[1], -axis[2]]), axis));
  return { low: low as unknown as Vec3, high: high as unknown as Vec3 };
}

/** The box about two boxes. */
export function uniteBoxes({ low, high }: Box, other: Box): Box {
  const [a, b] = [other.low, other.high];
  return {
    low: [Math.min(low[0], a[0]), Math.min(low[1], a[1]), Math.min(low[2], a[2])],
    high: [Math.max(high[0], b[0]), Math.max(high[1], b[1]), Math.max(high[2], b[2])],
  };
}

/** X_RB for every body of a unit by its id, R being the root's frame. */
export function posesInUnit(scene: Scene, root: BodyId): (bodyId: BodyId) => Pose {
  const toRoot = invert((scene.bodies[root] as Body).X_WB);
  return (bodyId) => compose(toRoot, (scene.bodies[bodyId] as Body).X_WB);
}

/** What a unit is scaled and turned about: the centre of its box in the axes of its root, in that frame [m]. As in the native core. */
export function centreInUnit(scene: Scene, root: BodyId, geoms: readonly Geom[]): Vec3 {
  if (geoms.length === 0) return [0, 0, 0];
  const inUnit = posesInUnit(scene, root);
  const boxes = geoms.map((geom) => boxOf(geom, inUnit(geom.bodyId)));
  const middle = (k: number) =>
    (Math.min(...boxes.map(({ low }) => low[k] as number)) + Math.max(...boxes.map(({ high }) => high[k] as number))) / 2;
  return [middle(0), middle(1), middle(2)];
}

/** The same point in the world [m]. */
export function centreOf(scene: Scene, root: BodyId, geoms: readonly Geom[], X_WR = (scene.bodies[root] as Body).X_WB): Vec3 {
  return transform(X_WR, centreInUnit(scene, root, geoms));
}

/** Height up . x of the lowest point of some geoms, with their bodies at X_WB by id [m]; Infinity without geoms. */
export function lowestPoint(geoms: readonly Geom[], poseOf: (bodyId: BodyId) => Pose, up: Vec3): number {
  const down: Vec3 = [-up[0], -up[1], -up[2]];
  return geoms.reduce((lowest, geom) => Math.min(lowest, dot(farthestPoint(geom, poseOf(geom.bodyId), down), up)), Infinity);
}

/** How far a point of the unit, given in the root's frame, moved between the scene and `poses` [m]. */
export function pointShift(scene: Scene, root: BodyId, point: Vec3, poses: readonly Pose[]): Vec3 {
  return subtract(transform(poses[root] as Pose, point), transform((scene.bodies[root] as Body).X_WB, point));
}
