/** A scene whose free units are smaller: every point of a unit moves towards its centre. Poses are X_WB by body id. */
import { ShapeScaler } from './geometry/scale-shape.js';
import { addScaled, compose, invert, rotate, subtract, transform } from './pose-math.js';
import type { Body, BodyId, Geom, Pose, Scene, Vec3 } from './scene.js';

/** The geoms, those of free bodies scaled in the frame of their body. */
export function shrunkenGeoms({ bodies, geoms }: Scene, scale: number): Geom[] {
  const scaler = new ShapeScaler(scale);
  return geoms.map((geom) => {
    if (bodies[geom.bodyId]?.mobility !== 'free') return geom;
    const { position, quaternion } = geom.X_BG;
    return { ...geom, shape: scaler.scaled(geom.shape), X_BG: { position: addScaled([0, 0, 0], position, scale), quaternion } };
  });
}

/**
 * The poses of the scaled bodies if at full size they would be at `poses`.
 * @param centres by body id: the centre of its unit, in the frame of the unit's root [m]
 */
export function shrunkenPoses({ bodies }: Scene, poses: readonly Pose[], centres: readonly Vec3[], scale: number): Pose[] {
  return bodies.map(({ id, movesWith, mobility }) => {
    const pose = poses[id] as Pose;
    if (mobility !== 'free') return pose;
    const centre = transform(poses[movesWith] as Pose, centres[id] as Vec3);
    return { position: addScaled(centre, subtract(pose.position, centre), scale), quaternion: pose.quaternion };
  });
}

/**
 * Poses at full size of the bodies of a unit, by id, if one of them, scaled, is at `pose`.
 * @param poses of all bodies until now, at full size
 */
export function placedUnit(
  scene: Scene,
  body: Body,
  pose: Pose,
  poses: readonly Pose[],
  centres: readonly Vec3[],
  scale: number,
): Map<BodyId, Pose> {
  const old = poses[body.id] as Pose;
  const toCentre = transform(invert(old), transform(poses[body.movesWith] as Pose, centres[body.id] as Vec3));
  // In the scaled body the centre is `scale` times as far from the origin; it is what keeps its place.
  const arm = rotate(pose.quaternion, toCentre);
  const placed: Pose = { position: addScaled(pose.position, arm, scale - 1), quaternion: pose.quaternion };
  const unit = scene.bodies.filter(({ movesWith }) => movesWith === body.movesWith);
  return new Map(unit.map(({ id }) => [id, id === body.id ? placed : compose(placed, compose(invert(old), poses[id] as Pose))]));
}
