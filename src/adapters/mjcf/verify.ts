/** Proof that the files to be written give the intended poses: MuJoCo itself reads them. */
import { S4rError } from '../../core/errors.js';
import type { Pose } from '../../core/scene.js';
import { quatWxyzAt, vec3At } from '../conventions.js';
import type { Overlay } from '../files/disk.js';
import { poseDistance } from '../poses.js';
import { compile, SMALL_ARENA } from './compile.js';
import { collectFiles, type MjcfFiles } from './files.js';
import type { WritePlan } from './plan.js';
import { keyIndex, type ModelState, readKeys, stateAt } from './state.js';

/** Largest pose error accepted [m, rad]. */
const POSE_TOLERANCE = 1e-9;

/**
 * Largest difference of any body's pose [m, rad] between the scene as it would be read from `path`, with `overlay` over
 * the disk, and the plan.
 * @throws S4rError INTERNAL if it is too large or other assets are found; INVALID_INPUT if MuJoCo refuses the files
 */
export async function verify(original: MjcfFiles, plan: WritePlan, path: string, overlay: Overlay): Promise<number> {
  const files = await collectFiles(path, overlay);
  const assets = (of: MjcfFiles) => of.references.map((reference) => reference.path).join('\n');
  if (assets(files) !== assets(original))
    throw new S4rError('INTERNAL', 'the output would load other assets; nothing was written', { file: path });
  const { mujoco, model } = await compile(files, { arena: SMALL_ARENA });
  try {
    const key = typeof plan.key === 'number' ? plan.key : keyIndex(readKeys(model), plan.key, path);
    return assertPoses(stateAt(mujoco, model, key, path), plan.expected, path);
  } finally {
    model.delete();
  }
}

/**
 * Largest difference of any body's pose from what is expected [m, rad].
 * @throws S4rError INTERNAL if it is too large
 */
export function assertPoses({ xpos, xquat }: ModelState, expected: readonly Pose[], path: string): number {
  let worst = xpos.length === 3 * expected.length ? 0 : Infinity;
  expected.forEach((pose, b) => {
    const found: Pose = { position: vec3At(xpos, 3 * b), quaternion: quatWxyzAt(xquat, 4 * b) };
    worst = Math.max(worst, poseDistance(found, pose));
  });
  if (worst <= POSE_TOLERANCE) return worst;
  throw new S4rError('INTERNAL', `the output would be off by ${worst} [m, rad]; nothing was written`, { file: path });
}
