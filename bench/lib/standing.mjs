// How bodies stand after a solve, from the poses alone: no code of the solver takes part.
import { cross, dot, rotate } from '../../scripts/picture/vectors.mjs';
import { product } from './spawn.mjs';
import { lowestOf, PLANE, shortestTurn, UP } from './upright-scenes.mjs';

/** A body that stands within these [rad], [m] stands. */
export const STANDS = { tilt: 1e-6, heightError: 1e-6 };

/**
 * Of the scene of `buildUprightScene`: {inPlaneRms: of the centres [m], yaw: root mean square change [degrees], tilt: largest left
 * [rad], heightError: largest distance of a lowest point from the plane [m]}. Centres are the bodies' origins in all pools.
 */
export function standingOf({ scene, axes }, poses) {
  const bodies = axes.map((axis, id) => {
    const [before, after] = [scene.bodies[id].X_WB, poses[id]];
    const pointing = rotate(after.quaternion, axis);
    const { mesh } = scene.geoms[id].shape;
    return {
      shift: Math.hypot(after.position[0] - before.position[0], after.position[1] - before.position[1]),
      yaw: yawBetween(axis, before.quaternion, after.quaternion),
      tilt: Math.atan2(Math.hypot(...cross(pointing, UP)), dot(pointing, UP)),
      heightError: Math.abs(after.position[2] + lowestOf(mesh, after.quaternion) - PLANE),
    };
  });
  const rms = (name) => Math.sqrt(bodies.reduce((sum, body) => sum + body[name] ** 2, 0) / bodies.length);
  const largest = (name) => Math.max(...bodies.map((body) => body[name]));
  return { inPlaneRms: rms('shift'), yaw: (180 / Math.PI) * rms('yaw'), tilt: largest('tilt'), heightError: largest('heightError') };
}

/** Turn about the vertical [rad] from the input, set upright by the least turn, to the result. */
function yawBetween(axis, before, after) {
  const [w, x, y, z] = product(shortestTurn(rotate(before, axis), UP), before);
  const [cosine, ...sine] = product(after, [w, -x, -y, -z]);
  const half = Math.atan2(dot(sine, UP), cosine);
  // Half of the turn; a quaternion and its negative are the same turn.
  return 2 * (Math.abs(half) > Math.PI / 2 ? half - Math.sign(half) * Math.PI : half);
}
