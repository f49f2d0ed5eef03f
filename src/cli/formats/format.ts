/** What the command line needs of a kind of scene file; one object per format, in a file of its own beside this one. */
import type { Option } from 'commander';
import type { FileWriteResult, WriteTarget } from '../../adapters/adapter.js';
import type { BodyId, ErrorPlace, Result, Scene } from '../../index.js';
import type { Rollout, RolloutOptions } from '../../rollout/rollout.js';

export type { RolloutOptions } from '../../rollout/rollout.js';

/** Values of the options of all formats, by attribute name; absent where not given. */
export type ReadFlags = Readonly<Record<string, unknown>>;

/** A scene that was read, and the way back into its files. */
export interface OpenScene {
  readonly scene: Scene;
  /** What the user should know about the input, one sentence each. */
  readonly notes: readonly string[];
  /** Every file that was read: no report may replace it. */
  readonly inputs: readonly string[];
  write(result: Result, target: WriteTarget): Promise<FileWriteResult>;
  /** Where a body stands in the files; undefined where it has no place of its own. Absent: the format does not say. */
  placeOf?(body: BodyId): ErrorPlace | undefined;
  /**
   * Simulates the scene as it was read, or, given what `write` returned, as it is after that (in a dry run: would be).
   * Absent: the format has no engine of its own, and the scene is simulated in Rapier.
   * @throws the signal's reason when aborted
   */
  rollout?(options: RolloutOptions, written?: FileWriteResult): Promise<Rollout>;
}

/** One of several states of a file, and what opens the file in it. */
export interface NamedState {
  /** For people; empty if there is one state only. */
  readonly label: string;
  readonly flags: ReadFlags;
}

export interface FileFormat {
  /** As people call it: `MJCF`. */
  readonly name: string;
  /** Lower case, with the dot. */
  readonly extensions: readonly string[];
  /** More of them, whose files are opened if they are named, and passed over in folders: the format says why it cannot use them. */
  readonly refusedExtensions?: readonly string[];
  /** Whether a file with a known extension, or from stdin, is a scene of this format, by its first 64 KiB. */
  recognises(head: Buffer): boolean;
  /** Of a file that is no scene of this format but part of one: what to name instead. */
  refusal?(head: Buffer): string | undefined;
  /** Options that say how files of this format (and of others that list the same) are read. */
  readonly options: readonly Option[];
  /** Likewise how they are written: of `fix` only. */
  readonly writeOptions?: readonly Option[];
  /**
   * @param flags those of `options` and `writeOptions` that were given
   * @throws S4rError INVALID_INPUT, INVALID_OPTION
   */
  open(path: string, flags: ReadFlags): Promise<OpenScene>;
  /**
   * The states that `flags` ask for, at least one, each to be opened on its own; absent where files have a single one.
   * @throws S4rError INVALID_INPUT if there is none
   */
  states?(path: string, flags: ReadFlags): Promise<readonly NamedState[]>;
  /**
   * Extension of what `write` makes, with the dot, where that is another kind of file than the input, which so cannot be edited in
   * place; each state then has a file of its own.
   */
  outputExtension?(path: string, flags: ReadFlags): string | undefined;
  /** Whether what `write` puts at `output` leads to the file that was read, which so must have a name and stay. Absent: never. */
  leadsToInput?(output: string): boolean;
}
