/** Files that hold the bytes of `world.takeSnapshot()`. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { Adapter, FileWriteResult, ReadResult, WriteTarget } from '../adapter.js';
import { writeAtomically } from '../files/atomic.js';
import { Disk } from '../files/disk.js';
import { assertSameFile, assertUnchanged, outputPath, realPaths } from '../files/guard.js';
import { absolutePath } from '../files/paths.js';
import { read } from './read.js';
import type { RapierReadOptions } from './scene-builder.js';
import type { RapierSource } from './source.js';
import { write } from './write.js';

export interface SnapshotSource extends RapierSource {
  readonly input: Uint8Array;
  /** Absolute path of the file. */
  readonly path: string;
}

async function readFile(file: string, options: RapierReadOptions = {}): Promise<ReadResult<SnapshotSource>> {
  const path = absolutePath(file);
  const input = await new Disk().read(path);
  try {
    const { scene, source, notes } = await read(input, options);
    return { scene, source: { ...source, input, path }, notes };
  } catch (error) {
    if (!(error instanceof S4rError) || error.code !== 'INVALID_INPUT') throw error;
    throw new S4rError('INVALID_INPUT', error.message, { file: path }, { cause: error });
  }
}

/** @throws S4rError OUTPUT if the target must not or cannot be written; nothing is written then */
async function writeFile(source: SnapshotSource, result: Result, target: WriteTarget): Promise<FileWriteResult> {
  const path = absolutePath(target.path);
  const real = await outputPath(path, target.dryRun !== true);
  await assertTarget(source, path, real, target);
  const { output, moved, verified } = await write(source, result);
  if (target.inPlace === true && moved.length === 0) return { files: [], notes: [], verified };
  if (target.dryRun !== true) await writeAtomically([{ path: real, bytes: output }]);
  return { files: [{ path, original: source.path, edits: [], diff: '' }], notes: [], verified };
}

async function assertTarget(source: SnapshotSource, path: string, real: string, { inPlace }: WriteTarget): Promise<void> {
  if (inPlace === true) {
    await assertSameFile(path, source.path);
    await assertUnchanged({ path: source.path, text: Buffer.from(source.input).toString('latin1') });
  } else if ((await realPaths([source.path])).has(real)) {
    throw new S4rError('OUTPUT', 'it is the file that was read; choose another output, or write in place', { file: path });
  }
}

export const snapshotFile: Adapter<string, SnapshotSource, RapierReadOptions, WriteTarget, FileWriteResult> = {
  read: readFile,
  write: writeFile,
};
