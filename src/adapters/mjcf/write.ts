/** Put repaired poses back into MJCF files. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { FileWriteResult, WriteTarget } from '../adapter.js';
import { writeAtomically } from '../files/atomic.js';
import { describeEdits } from '../files/describe.js';
import { assertSameFile, assertUnchanged, outputPath, realPaths } from '../files/guard.js';
import { absolutePath, directoryOf } from '../files/paths.js';
import { bytesOf } from './files.js';
import { hasReplicate } from './key-edits.js';
import { keyLabel } from './notes.js';
import { planWrite, type WritePlan } from './plan.js';
import { inPlace, type OutputFile, relocate } from './relocate.js';
import type { MjcfSource } from './source.js';
import { verify } from './verify.js';
import { writeNpz } from './write-npz.js';

export interface MjcfWriteOptions extends Omit<WriteTarget, 'path'> {
  /**
   * Where the repaired state goes.
   * - `body` (default): where the state came from, the poses of the bodies or the keyframe that was read; into a keyframe `s4r`
   *   only what no element can hold.
   * - `keyframe`: into a keyframe `s4r`, new or in place of an earlier one; nothing else is touched.
   * - `npz`: into a NumPy archive, see `stateArrays`; the scene's files are not touched.
   */
  readonly as?: 'body' | 'keyframe' | 'npz' | undefined;
}

export type MjcfWriteTarget = WriteTarget & MjcfWriteOptions;

export interface MjcfWriteResult extends FileWriteResult {
  /** The new keyframe that holds the repaired state; undefined if the state that was read is repaired. */
  readonly newKey: string | undefined;
}

/**
 * Write the poses of `result` to `target`. Only numbers that changed are edited; an unmoved scene is not rewritten in
 * place, and copied byte for byte elsewhere. MuJoCo reads the output back before any file is touched.
 * @throws S4rError OUTPUT if the target must not or cannot be written, or the poses cannot be expressed; nothing is written then
 */
export async function write(
  source: MjcfSource,
  result: Result,
  target: string | MjcfWriteTarget,
  options: MjcfWriteOptions = {},
): Promise<MjcfWriteResult> {
  const wanted = typeof target === 'string' ? { ...options, path: target } : { ...options, ...target };
  if (wanted.as === 'npz') return await writeNpz(source, result, wanted);
  const overwrite = wanted.inPlace === true;
  const path = overwrite ? source.path : absolutePath(wanted.path);
  if (overwrite) await assertSameFile(absolutePath(wanted.path), source.path);
  await outputPath(path, wanted.dryRun !== true);
  const plan = planWrite(source, result, wanted.as ?? 'body');
  const found = overwrite ? inPlace(plan.edits) : await relocate(source.files, plan.edits, path);
  // The scene itself last: whoever reads it meanwhile finds what it includes.
  const isTop = ({ document }: OutputFile) => document === source.files.tree.top;
  const outputs = [...found.filter((output) => !isTop(output)), ...found.filter(isTop)];
  const targets = await checkTargets(source, outputs, wanted);
  const overlay = new Map(outputs.map((output) => [output.path, bytesOf(output.document, output.edits)]));
  const verified = outputs.length === 0 ? 0 : await checkOutput(source, plan, path, overlay);
  if (wanted.dryRun !== true) {
    const contents = [...overlay.values()];
    await writeAtomically(targets.map((real, i) => ({ path: real, bytes: contents[i] as Uint8Array })));
  }
  const notes = [...plan.notes, ...(overwrite ? sharedNotes(source, outputs) : [])];
  const newKey = plan.newKeyReason === undefined ? undefined : String(plan.key);
  return {
    files: outputs.map(({ document, path: to, edits }) => describeEdits(document, to, edits, wanted.dryRun === true)),
    notes,
    newKey,
    verified,
  };
}

function sharedNotes(source: MjcfSource, outputs: readonly OutputFile[]): string[] {
  const included = outputs.filter(({ document }) => document !== source.files.tree.top);
  return included.map(({ path }) => `${path} is an included file; it changes for every scene that includes it`);
}

/** The diffs of all files, as one text. */
export function diffOf(result: MjcfWriteResult): string {
  return result.files.map((file) => file.diff).join('');
}

/** Real paths to write to, in the order of `outputs`. */
async function checkTargets(source: MjcfSource, outputs: readonly OutputFile[], wanted: MjcfWriteOptions): Promise<string[]> {
  const inputs = wanted.inPlace === true ? undefined : await realPaths(source.files.files.keys());
  const targets = new Set<string>();
  for (const output of outputs) {
    const real = await outputPath(output.path, wanted.dryRun !== true);
    const refuse = (message: string) => new S4rError('OUTPUT', message, { file: output.path });
    if (inputs === undefined) await assertUnchanged(output.document);
    else if (inputs.has(real)) throw refuse('it is a file of the scene that was read; choose another output, or write in place');
    if (targets.has(real)) throw refuse(`the scene includes ${real} under two names, so its bodies cannot be edited one by one`);
    targets.add(real);
  }
  return [...targets];
}

async function checkOutput(source: MjcfSource, plan: WritePlan, path: string, overlay: Map<string, Uint8Array>): Promise<number> {
  try {
    return await verify(source.files, plan, path, overlay);
  } catch (error) {
    // MuJoCo gives every copy made by <replicate> a keyframe of its own, or refuses keyframes altogether.
    if (plan.key !== undefined && hasReplicate(source.files.tree)) throw refusedKey(source, plan, error);
    if (!(error instanceof S4rError) || error.code !== 'INVALID_INPUT') throw error;
    if (/already included/.test(error.message)) {
      const message = `from there MuJoCo would refuse a file that is included twice; write into ${directoryOf(source.path)} or in place`;
      throw new S4rError('OUTPUT', message, { file: path }, { cause: error });
    }
    throw new S4rError('INTERNAL', `the output would not load, nothing was written: ${error.message}`, {}, { cause: error });
  }
}

function refusedKey(source: MjcfSource, { newKeyReason, key }: WritePlan, cause: unknown): S4rError {
  const reason = newKeyReason ?? `${keyLabel(source.keys, key as number)} was read`;
  const message =
    `${reason}, so only a keyframe could hold the repaired state, and because of the <replicate> in this file MuJoCo accepts no keyframe ` +
    'that does; write the state as npz, or write the copies out as bodies of their own';
  return new S4rError('OUTPUT', message, { file: source.path }, { cause });
}
