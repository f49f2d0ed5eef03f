// The barrier of IPC (Li et al., 2020, Eq. 6) and what it needs of a scene.
import { gapsOf } from './baselines-native.mjs';

/** d_hat of Sec. 4.7 [m, objects are 0.1 m]. */
export const CLEARANCE = 0.02;

/** b(d) = -(d - d_hat)^2 ln(d / d_hat) below d_hat, 0 above; infinite where there is no gap. */
export function barrier(distance) {
  if (distance <= 0) return Infinity;
  return distance >= CLEARANCE ? 0 : -((distance - CLEARANCE) ** 2) * Math.log(distance / CLEARANCE);
}

/**
 * {closestGap, barrierClosest, barrier, crossings, holds}: the least distance of two meshes [m], negative where they overlap
 * (CLEARANCE if none is closer); its barrier, the paper's figure; the sum over all pairs of meshes; and the pairs of triangles
 * that cross, counted by trees that share no code with the distances. It holds if both see the meshes apart.
 */
export async function precondition(scene, building) {
  const { distances, crossings } = await gapsOf(scene, CLEARANCE, building);
  const closestGap = distances.reduce((least, distance) => Math.min(least, distance), CLEARANCE);
  const sum = distances.reduce((total, distance) => total + barrier(distance), 0);
  return { closestGap, barrierClosest: barrier(closestGap), barrier: sum, crossings, holds: closestGap > 0 && crossings === 0 };
}
