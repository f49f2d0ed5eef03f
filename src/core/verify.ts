/** The last word on a result: its poses are packed afresh and judged anew. Nothing the solver computed is used. */
import type { Backend, BackendCheckOptions } from './backend.js';
import { packScene } from './pack.js';
import type { Evaluation } from './result.js';
import type { Body, Pose, Scene } from './scene.js';
import { displacement, unpackEvaluation } from './unpack.js';

export interface Verification {
  /** All overlaps in the new poses. */
  readonly evaluation: Evaluation;
  /** Promises the poses break, one sentence each; empty if they keep them all. */
  readonly violations: readonly string[];
}

/**
 * Evaluate every pair of `scene` in `poses` (X_WB by body id), and check what a result promises:
 * fixed bodies and all orientations untouched, units rigid, no body displaced by more than `maxShift` [m].
 */
export async function verifyPoses(
  backend: Backend,
  scene: Scene,
  poses: readonly Pose[],
  options: BackendCheckOptions,
  maxShift: number = Infinity,
): Promise<Verification> {
  const moved: Scene = { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] as Pose })) };
  const packed = packScene(moved);
  const evaluation = unpackEvaluation(moved, await backend.check(packed, packed.bodyPoses, options));
  return { evaluation, violations: brokenPromises(scene, poses, maxShift) };
}

/** What `verifyPoses` checks besides the overlaps: a sentence for each promise that `poses` break. */
export function brokenPromises(scene: Scene, poses: readonly Pose[], maxShift: number = Infinity): string[] {
  return scene.bodies.flatMap((body) => brokenByBody(scene, body, poses, maxShift));
}

function brokenByBody(scene: Scene, body: Body, poses: readonly Pose[], maxShift: number): string[] {
  const from = body.X_WB;
  const to = poses[body.id] as Pose;
  if (to === from) return [];
  const broken: string[] = [];
  const shift = displacement(body, poses);
  const distance = Math.hypot(...shift);
  if (![...to.position, ...to.quaternion].every(Number.isFinite)) broken.push(`the new pose of body '${body.name}' is not finite`);
  if (!to.quaternion.every((value, k) => Object.is(value, from.quaternion[k]))) broken.push(`body '${body.name}' was turned`);
  if (body.mobility === 'fixed') broken.push(`the fixed body '${body.name}' was moved`);
  const root = scene.bodies[body.movesWith] as Body;
  const rootShift = displacement(root, poses);
  // Far from the world's origin a position, and so a displacement, is only known to a few units in its last place.
  const rounding = 4 * Number.EPSILON * Math.hypot(...from.position, ...to.position, ...root.X_WB.position, distance);
  if (Math.hypot(...shift.map((value, k) => value - (rootShift[k] as number))) > rounding) {
    broken.push(`body '${body.name}' did not move with '${root.name}'`);
  }
  if (distance > maxShift * (1 + 1e-12) + rounding) {
    broken.push(`body '${body.name}' moved by ${distance} m, more than maxShift = ${maxShift} m`);
  }
  return broken;
}
