/** What every format adapter offers. An adapter knows its format and no numerics. */
import type { Result } from '../core/result.js';
import type { Scene } from '../core/scene.js';

/** A scene and the opaque handle that `write` needs to find its way back into the user's input. */
export interface ReadResult<Source> {
  readonly scene: Scene;
  readonly source: Source;
  /** What the user should know about the input, one sentence each: what was ignored, what was assumed. */
  readonly notes: readonly string[];
}

export interface Adapter<Input, Source, ReadOptions, WriteTarget, WriteResult> {
  read(input: Input, options?: ReadOptions): Promise<ReadResult<Source>>;
  /** Edits nothing but the poses of bodies that moved. */
  write(source: Source, result: Result, target: WriteTarget): Promise<WriteResult>;
}

/** Where a format of files is written to. */
export interface WriteTarget {
  readonly path: string;
  /** Edit the files that were read, included ones too. `path` must then be the file that was read. Default false. */
  readonly inPlace?: boolean | undefined;
  /** Do all but write. Default false. */
  readonly dryRun?: boolean | undefined;
}

/** One change of a text. */
export interface FileEdit {
  /** Line in the file as it was read. */
  readonly line: number;
  readonly element: string;
  readonly attribute: string;
  /** Text replaced; empty for an insertion. */
  readonly before: string;
  readonly after: string;
}

export interface FileWrite {
  /** Absolute path. */
  readonly path: string;
  /** The file it is a changed copy of; the same path when in place, absent for a file that is made anew. */
  readonly original?: string;
  readonly edits: readonly FileEdit[];
  /** Unified diff against the original, or against nothing; empty if there are no edits, or the file is not text. */
  readonly diff: string;
  /** Contents, in a dry run. */
  readonly text?: string;
}

/** What every adapter of files returns from `write`. */
export interface FileWriteResult {
  /** Files written, the one the user named last; in a dry run those that would be. */
  readonly files: readonly FileWrite[];
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[];
  /** Largest pose error after reading the output back [m, rad]. */
  readonly verified: number;
}
