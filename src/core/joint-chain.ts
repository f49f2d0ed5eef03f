/** Joints between two bodies, for reports of overlaps within a tree. */
import type { BodyId, JointId, Scene } from './scene.js';

/** The joints that move one of two bodies and not the other, in ascending order: what can change their relative pose. */
export function jointChain({ joints = [] }: Scene, a: BodyId, b: BodyId): JointId[] {
  return joints.filter(({ moves }) => moves.includes(a) !== moves.includes(b)).map(({ id }) => id);
}
