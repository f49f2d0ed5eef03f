/** Put repaired poses beside a stage: a layer over it, or a table. The stage itself is never touched. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { Pose, Vec3 } from '../../core/scene.js';
import type { FileEdit, FileWriteResult, WriteTarget } from '../adapter.js';
import { writeAtomically } from '../files/atomic.js';
import { describeNew } from '../files/describe.js';
import { outputPath, realPaths } from '../files/guard.js';
import { absolutePath } from '../files/paths.js';
import { assertFits, poseDistance } from '../poses.js';
import { formatValue } from './op-values.js';
import { layerText, type PrimEdit, primEdits } from './override-layer.js';
import { withOthersKept } from './override-others.js';
import { encodeTable, poseTable } from './pose-table.js';
import { read } from './read.js';
import type { IsaacSource } from './source.js';

export interface IsaacWriteOptions extends Omit<WriteTarget, 'path'> {
  /** What to write. Default: by the extension, `.npz`, `.json`, else a layer. */
  readonly as?: 'layer' | 'npz' | 'json' | undefined;
  /** Origin of the environment in the world [m]: the positions of a table are relative to it. */
  readonly origin?: Vec3 | undefined;
}

/** Largest pose error accepted of a layer [m, rad]: its operations may be floats. */
const POSE_TOLERANCE = 2e-6;

/**
 * Write the poses of `result`: a USDA layer that has the stage as its sublayer and overrides only what moved, or a table of
 * root poses. A layer is read back before it is written.
 * @throws S4rError INVALID_OPTION for an origin without a table; OUTPUT if the target must not or cannot be written, or a layer cannot express the poses; nothing is written then
 */
export async function write(
  source: IsaacSource,
  result: Result,
  target: string | WriteTarget,
  options: IsaacWriteOptions = {},
): Promise<FileWriteResult> {
  const wanted = typeof target === 'string' ? { ...options, path: target } : { ...options, ...target };
  assertFits(result.poses, source.bodies, { file: source.stage.layer.file });
  const path = outputOf(source, wanted);
  const format = wanted.as ?? /\.(npz|json)$/i.exec(path)?.[1]?.toLowerCase() ?? 'layer';
  const real = await outputPath(path, wanted.dryRun !== true);
  if ((await realPaths(source.files)).has(real)) {
    throw new S4rError('OUTPUT', 'it is a file of the stage that was read; choose another output', { file: path });
  }
  const notes =
    (result.joints ?? []).length === 0 ? [] : ['joint states (PhysicsJointStateAPI, drives) are not edited; the bodies are placed'];
  if (format === 'npz' || format === 'json') {
    const bytes = encodeTable(poseTable(source, result, wanted.origin), format);
    if (wanted.dryRun !== true) await writeAtomically([{ path: real, bytes }]);
    const file = format === 'json' ? describeNew(path, binary(bytes), [], wanted.dryRun === true) : { path, edits: [], diff: '' };
    return { files: [file], notes, verified: 0 };
  }
  if (wanted.origin !== undefined) {
    throw new S4rError(
      'INVALID_OPTION',
      'the origin of an environment is for a table of poses (.npz or .json); a layer is over the whole stage',
    );
  }
  if (!/\.usda?$/i.test(path)) throw new S4rError('OUTPUT', 'layers are written as text: choose a name that ends in .usda', { file: path });
  const moved = primEdits(source, result.poses);
  const edits = withOthersKept(source, moved);
  const bytes = Buffer.from(layerText(source, edits, path));
  const verified = await verify(source, result, path, bytes);
  if (wanted.dryRun !== true) await writeAtomically([{ path: real, bytes }]);
  const changed = moved.filter(({ order }) => order !== undefined).map(({ prim }) => prim.path);
  if (changed.length > 0) notes.push(`own operations cannot express the pose, so xformOpOrder has new ones: ${changed.join(', ')}`);
  return { files: [describeNew(path, binary(bytes), edits.flatMap(fileEdits), wanted.dryRun === true)], notes, verified };
}

/** A dry run of a scene in place is one of a layer beside it. */
function outputOf(source: IsaacSource, { path, inPlace, dryRun }: WriteTarget): string {
  if (inPlace !== true) return absolutePath(path);
  const beside = `${source.path.replace(/\.[^./]*$/, '')}.fixed.usda`;
  if (dryRun === true) return beside;
  throw new S4rError('OUTPUT', `a stage is not edited; a layer over it is written instead: -o ${beside}`, { file: path });
}

/** Largest error [m, rad] of any body when the layer is read as it would lie on the disk. */
async function verify(source: IsaacSource, result: Result, path: string, bytes: Uint8Array): Promise<number> {
  const { scene } = await read(path, source.options, new Map([[path, bytes]]));
  const found = new Map(scene.bodies.map(({ name, X_WB }) => [name, X_WB]));
  let worst = scene.bodies.length === source.bodies.length ? 0 : Infinity;
  for (const { id, name } of source.bodies) {
    const pose = found.get(name);
    worst = Math.max(worst, pose === undefined ? Infinity : poseDistance(pose, result.poses[id] as Pose));
  }
  if (worst <= POSE_TOLERANCE) return worst;
  throw new S4rError('INTERNAL', `the layer would be off by ${worst} [m, rad]; nothing was written`, { file: path });
}

function fileEdits({ prim, values, order }: PrimEdit): FileEdit[] {
  const line = prim.opinions[0]?.spec.line ?? 1;
  const edit = (attribute: string, before: string, after: string): FileEdit => ({ line, element: prim.path, attribute, before, after });
  const old = (attribute: string, typeName: string) => {
    const value = prim.attribute(attribute)?.value;
    return Array.isArray(value) ? formatValue(value as number[], typeName) : '';
  };
  const edits = values.map(({ attribute, typeName, numbers }) => edit(attribute, old(attribute, typeName), formatValue(numbers, typeName)));
  return order === undefined ? edits : [...edits, edit('xformOpOrder', (prim.texts('xformOpOrder') ?? []).join(' '), order.join(' '))];
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
