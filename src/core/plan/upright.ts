/** The `upright` option: units that have to end standing on a plane (App. A.11). */
import { S4rError } from '../errors.js';
import { collisionRule } from '../filters.js';
import { farthestPoint } from '../geometry/support-point.js';
import { centreInUnit, centreOf, geomsOfUnits, lowestPoint } from '../geometry/units.js';
import type { Motion } from '../motion.js';
import { matchingUnits } from '../patterns.js';
import { angleOfVectors, conjugate, cross, dot, rotate, transform, unitVector } from '../pose-math.js';
import type { Body, BodyId, Geom, Pose, Scene, Vec3 } from '../scene.js';
import type { StandMode, UprightOptions } from '../upright-options.js';
import type { WordedMotion } from './axes.js';
import { centreOfMassOf, restingAxis } from './resting.js';
import { findSupports, namedSupports, type Support } from './supports.js';

/** A unit that stands within these [m], [rad] stands. */
export const STANDING = { height: 1e-6, tilt: 1e-6 } as const;

export interface StandingUnit {
  readonly root: BodyId;
  readonly geoms: readonly Geom[];
  /** Unit vector of the root's frame that has to point up. */
  readonly axis: Vec3;
  readonly support: Support;
  /** Centre of mass in the root's frame [m]. */
  readonly massCentre: Vec3;
  readonly motion: Motion & { readonly stand: NonNullable<Motion['stand']> };
  /** It stands already. */
  readonly stands: boolean;
}

/**
 * Every unit of the scene that may move, standing: the support below its centre, and the least turn that brings its axis up.
 * @param axes motions the caller asked for, by root; across `up` and about it they go with standing
 * @throws S4rError INVALID_OPTION for options that do not fit the scene, axes that do not go with standing, and a unit without support
 */
export function planUpright(scene: Scene, options: UprightOptions, axes: ReadonlyMap<BodyId, WordedMotion>): StandingUnit[] {
  const supportOf = supportFinder(scene, options);
  const modeOf = modeFinder(scene, options.stand);
  return [...geomsOfUnits(scene)].flatMap(([root, geoms]) => {
    if (geoms.length === 0) return [];
    const turn = turnOf(scene, root, axes.get(root));
    const axis = axisOf(scene, root, geoms, modeOf(root));
    const support = supportOf(root, geoms);
    const massCentre = centreOfMassOf(scene, root, geoms) ?? centreInUnit(scene, root, geoms);
    const tilt = tiltOf((scene.bodies[root] as Body).X_WB, axis, scene.up);
    const lowest = lowestPoint(geoms, (id) => (scene.bodies[id] as Body).X_WB, scene.up);
    const stands = Math.hypot(...tilt) <= STANDING.tilt && Math.abs(lowest - support.height) <= STANDING.height;
    // One that stands keeps its very height, so that it need not move at all.
    const carried = transform((scene.bodies[root] as Body).X_WB, massCentre);
    const { edges = [] } = support;
    const stand = stands ? { tilt: [0, 0, 0] as const, height: lowest, carried, edges } : { tilt, height: support.height, carried, edges };
    return [{ root, geoms, axis, support, massCentre, motion: { translate: { across: scene.up }, turn, stand }, stands }];
  });
}

/**
 * Pairs of a standing unit's geoms with fixed ones that reach no higher than its plane: they may touch and cannot do more, and no
 * clearance can be kept between them.
 */
export function restingPairs(scene: Scene, units: readonly StandingUnit[]): [number, number][] {
  const collide = collisionRule(scene);
  const tops = scene.geoms.flatMap((geom) => {
    const body = scene.bodies[geom.bodyId] as Body;
    return body.mobility === 'fixed' ? [{ id: geom.id, top: dot(scene.up, farthestPoint(geom, body.X_WB, scene.up)) }] : [];
  });
  return units.flatMap(({ geoms, support }) => {
    const below = tops.filter(({ top }) => top <= support.height + STANDING.height);
    return geoms.flatMap((geom) => below.filter(({ id }) => collide(geom.id, id)).map(({ id }): [number, number] => [geom.id, id]));
  });
}

/** How far a unit is from standing, in `poses` (X_WB by body id): height of its lowest point over the plane [m], tilt [rad]. */
export function standingErrors(scene: Scene, unit: StandingUnit, poses: readonly Pose[]): { height: number; tilt: number } {
  const poseOf = (id: BodyId) => poses[id] as Pose;
  return {
    height: lowestPoint(unit.geoms, poseOf, scene.up) - unit.support.height,
    tilt: angleOfVectors(rotate(poseOf(unit.root).quaternion, unit.axis), scene.up),
  };
}

/** Turning about the vertical is free; axes that were asked for may forbid it. */
function turnOf(scene: Scene, root: BodyId, worded: WordedMotion | undefined): Motion['turn'] {
  const { up } = scene;
  if (worded === undefined) return { about: up };
  const { motion, pattern, words } = worded;
  const { translate, turn } = motion;
  const vertical = (axis: Vec3) => Math.hypot(...cross(axis, up)) < 1e-9;
  const slides = translate === 'all' || (typeof translate === 'object' && 'across' in translate);
  if (slides && (typeof turn === 'string' || vertical(turn.about))) return turn === 'none' ? 'none' : { about: up };
  const body = scene.bodies[root] as Body;
  throw new S4rError(
    'INVALID_OPTION',
    `option axes: '${pattern}': '${words}' does not go with upright, under which '${body.name}' slides across the vertical and turns ` +
      `about it at most; use 'xy' or 'xy yaw', or freeze it`,
  );
}

function axisOf(scene: Scene, root: BodyId, geoms: readonly Geom[], mode: StandMode): Vec3 {
  if (typeof mode !== 'string') return unitVector(mode) as Vec3;
  if (mode === 'file') return scene.up;
  const { quaternion } = (scene.bodies[root] as Body).X_WB;
  return restingAxis(scene, root, geoms, rotate(conjugate(quaternion), scene.up), mode === 'balanced') ?? scene.up;
}

/** The rotation vector that takes `up` to where the axis points [rad]: horizontal. */
function tiltOf(X_WR: Pose, axis: Vec3, up: Vec3): Vec3 {
  const pointing = rotate(X_WR.quaternion, axis);
  const angle = angleOfVectors(up, pointing);
  if (angle === 0) return [0, 0, 0];
  const aside = cross(up, Math.abs(up[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]);
  // Upside down, any horizontal axis will do.
  const about = (Math.PI - angle < 1e-9 ? undefined : unitVector(cross(up, pointing))) ?? (unitVector(aside) as Vec3);
  return [angle * about[0], angle * about[1], angle * about[2]];
}

/** The mode of a unit, by its root. */
function modeFinder(scene: Scene, stand: UprightOptions['stand'] = 'balanced'): (root: BodyId) => StandMode {
  if (typeof stand === 'string') return () => stand;
  const modes = new Map<BodyId, StandMode>();
  for (const [pattern, mode] of Object.entries(stand)) {
    for (const root of matchingUnits(scene.bodies, 'upright.stand', pattern)) if (!modes.has(root)) modes.set(root, mode);
  }
  return (root) => modes.get(root) ?? 'balanced';
}

/** The support of a unit: of those under its centre the highest that is not above it, or else the first it reaches into. */
function supportFinder(scene: Scene, options: UprightOptions): (root: BodyId, geoms: readonly Geom[]) => Support {
  const { height, supports: names } = options;
  if (height !== undefined) return () => ({ name: 'the plane', height, isUnder: () => true });
  const supports = names === undefined ? findSupports(scene) : namedSupports(scene, names);
  const collide = collisionRule(scene);
  return (root, geoms) => {
    const body = scene.bodies[root] as Body;
    const centre = centreOf(scene, root, geoms);
    const middle = dot(scene.up, centre);
    const highest = Math.max(...geoms.map((geom) => dot(scene.up, farthestPoint(geom, bodyPose(scene, geom), scene.up))));
    const under = supports
      .filter(({ geomId, isUnder }) => isUnder(centre) && (names !== undefined || geoms.some(({ id }) => collide(id, geomId as number))))
      .sort((a, b) => a.height - b.height);
    const support = under.findLast((plane) => plane.height <= middle) ?? under.find((plane) => plane.height <= highest);
    if (support !== undefined) return support;
    const at = centre.map((value) => Number(value.toPrecision(4))).join(', ');
    const offered = supports.length === 0 ? 'the scene has no level fixed face' : `none of ${supports.length} is`;
    throw new S4rError(
      'INVALID_OPTION',
      `option upright: nothing is below '${body.name}' at [${at}] for it to stand on: ${offered}; ` +
        'name a support, give the height of the plane, or freeze the body',
    );
  };
}

function bodyPose(scene: Scene, geom: Geom): Pose {
  return (scene.bodies[geom.bodyId] as Body).X_WB;
}
