/** Put repaired poses back into scene files, or into URDF files if asked to. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { FileWrite, FileWriteResult, WriteTarget } from '../adapter.js';
import { writeAtomically } from '../files/atomic.js';
import { describeEdits, describeNew } from '../files/describe.js';
import { Disk } from '../files/disk.js';
import type { TextFile } from '../files/document.js';
import { applyEdits, type TextEdit } from '../files/edits.js';
import { assertSameFile, assertUnchanged, outputPath, realPaths } from '../files/guard.js';
import { absolutePath, baseName } from '../files/paths.js';
import { UriResolver } from '../meshes/packages.js';
import { poseDistance } from '../poses.js';
import { type Moves, movesOf } from './moves.js';
import { newScene } from './new-scene.js';
import { originEdits, urdfPathEdits } from './origin-edits.js';
import { isSceneFile, load } from './read.js';
import { sceneEdits, scenePathEdits } from './scene-edits.js';
import type { UrdfSource } from './source.js';

/** The one file that is written: an edited copy, or a new one. */
interface Output {
  readonly path: string;
  readonly original?: TextFile;
  readonly edits: readonly TextEdit[];
  /** Binary string. */
  readonly text: string;
}

/** Largest pose error accepted [m, rad]. */
const POSE_TOLERANCE = 1e-9;

/**
 * Write the poses of `result` to `target`: into a scene file those of the models that moved, into a URDF, read with `write: 'origins'`, those
 * of the joints. A URDF on its own holds no pose: for one that moved, `target` is a scene file that is made anew. An unmoved scene is not
 * rewritten in place, and copied elsewhere. The output is read back before any file is touched.
 * @throws S4rError OUTPUT if the target must not or cannot be written, or cannot hold the poses; nothing is written then
 */
export async function write(source: UrdfSource, result: Result, target: string | WriteTarget): Promise<FileWriteResult> {
  const wanted: WriteTarget = typeof target === 'string' ? { path: target } : target;
  const dryRun = wanted.dryRun === true;
  if (wanted.inPlace === true) await assertSameFile(absolutePath(wanted.path), source.path);
  const moves = movesOf(source, result);
  const { output, notes } = await outputOf(source, moves, wanted);
  if (output === undefined) return { files: [], notes, verified: 0 };
  const real = await outputPath(output.path, !dryRun);
  if (wanted.inPlace === true && output.original !== undefined) await assertUnchanged(output.original);
  else if ((await realPaths(source.inputs)).has(real)) {
    const message = 'it is a file of the scene that was read; choose another output, or write in place';
    throw new S4rError('OUTPUT', message, { file: output.path });
  }
  const verified = await verify(source, moves, output);
  if (!dryRun) await writeAtomically([{ path: real, bytes: Buffer.from(output.text, 'latin1') }]);
  return { files: [describe(output, dryRun)], notes, verified };
}

async function outputOf(source: UrdfSource, moves: Moves, wanted: WriteTarget): Promise<{ output?: Output; notes: string[] }> {
  const inPlace = wanted.inPlace === true;
  const moved = moves.models.length > 0;
  if (inPlace && !moved) return { notes: [] };
  const path = inPlace ? source.path : absolutePath(wanted.path);
  const edited = (original: TextFile, edits: readonly TextEdit[]) => ({
    output: { path, original, edits, text: applyEdits(original.text, edits) },
    notes: [],
  });
  if (source.sceneFile !== undefined) {
    const { document } = source.sceneFile;
    assertKind(path, isSceneFile(path) && /\.json$/i.test(path) === document.json, `a scene file like ${baseName(document.path)}`);
    return edited(document, [...sceneEdits(source.sceneFile, source, moves.models), ...scenePathEdits(source.sceneFile, path)]);
  }
  const single = source.models.length === 1 ? source.models[0] : undefined;
  if (single !== undefined && (source.spec.write === 'origins' || (!moved && !isSceneFile(path)))) {
    const { document } = single.model;
    assertKind(path, !isSceneFile(path), 'a URDF file');
    const [move] = moves.models;
    if (move !== undefined && move.joints.size > 0) {
      throw new S4rError('OUTPUT', "a URDF holds no joint positions: read it with write 'scene' and write a scene file", { file: path });
    }
    const edits = move === undefined ? [] : originEdits(move);
    return edited(document, [...edits, ...(await urdfPathEdits(document, path, new UriResolver(source.spec.packages, new Disk())))]);
  }
  return newSceneOutput(source, moves, path, wanted);
}

function newSceneOutput(
  source: UrdfSource,
  moves: Moves,
  path: string,
  { inPlace, dryRun }: WriteTarget,
): { output: Output; notes: string[] } {
  const reason = 'a URDF holds no pose of its own';
  const beside = `${source.path.replace(/\.[^./]*$/, '')}.scene.yaml`;
  if (inPlace === true && dryRun !== true) {
    throw new S4rError('OUTPUT', `${reason}: write a scene file beside it, such as ${baseName(beside)}, or change its origins`, {
      file: path,
    });
  }
  const to = inPlace === true ? beside : path;
  assertKind(to, isSceneFile(to), `a scene file (.yaml or .json): ${reason}`);
  const text = Buffer.from(newScene(source, moves.models, to), 'utf8').toString('latin1');
  const notes = inPlace === true ? [`${reason}: its placement would go into a scene file such as this`] : [];
  return { output: { path: to, edits: [], text }, notes };
}

function assertKind(path: string, right: boolean, wanted: string): void {
  if (!right) throw new S4rError('OUTPUT', `the output must be ${wanted}`, { file: path });
}

/** Reads the output as if it were there already. @throws S4rError INTERNAL if it is not the scene that was meant */
async function verify(source: UrdfSource, { expected }: Moves, output: Output): Promise<number> {
  const disk = new Disk(new Map([[output.path, Buffer.from(output.text, 'latin1')]]));
  const { packages, mesh } = source.options;
  const options = isSceneFile(output.path) ? { packages, mesh } : source.options;
  const refuse = (message: string, cause?: unknown) =>
    new S4rError('INTERNAL', `${message}; nothing was written`, { file: output.path }, { cause });
  const again = await load(output.path, options, disk, source.meshSource).catch((cause: unknown) => {
    throw refuse(`the output would not load: ${(cause as Error).message}`, cause);
  });
  const names = (of: UrdfSource) => of.scene.bodies.map(({ name, mobility }) => `${name} ${mobility}`).join('\n');
  const assets = (of: UrdfSource) => of.meshes.map(({ path }) => path).join('\n');
  if (names(again.source) !== names(source) || assets(again.source) !== assets(source)) throw refuse('the output would be another scene');
  const errors = again.scene.bodies.map((body, id) => poseDistance(body.X_WB, expected[id] ?? body.X_WB));
  const worst = Math.max(0, ...errors);
  if (!(worst <= POSE_TOLERANCE)) throw refuse(`the output would be off by ${worst} [m, rad]`);
  return worst;
}

function describe({ path, original, edits, text }: Output, withText: boolean): FileWrite {
  return original === undefined ? describeNew(path, text, [], withText) : describeEdits(original, path, edits, withText);
}
