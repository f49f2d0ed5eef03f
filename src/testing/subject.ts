/** What the conformance suite has to be told of an adapter. */
import type { FileWriteResult, ReadResult, WriteTarget } from '../adapters/adapter.js';
import type { Result, Scene } from '../index.js';

/** One check of the suite. */
export interface ConformanceCheck {
  readonly name: string;
  /** Rejects, with an error that says what was expected, if the adapter does not conform. */
  run(): Promise<void>;
}

/** Files of one scene. */
export interface FileSample<Options = unknown> {
  readonly name: string;
  /** Contents by path, relative to a folder that the suite makes for them. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** The file to read. */
  readonly main: string;
  /** Passed to `read`. */
  readonly options?: Options;
}

/** Unordered pairs of geoms, by their names in the scene. */
export type NamedPairs = Iterable<readonly [string, string]>;

/**
 * An adapter of files. Between them the samples must have a scene with two free units, a fixed body, and two geoms of one mesh, but no
 * two mesh files with the same contents; every free unit of a sample can be moved and written.
 */
export interface FileSubject<Source = unknown, Options = unknown> {
  readonly kind: 'files';
  read(path: string, options?: Options): Promise<ReadResult<Source>>;
  write(source: Source, result: Result, target: WriteTarget): Promise<FileWriteResult>;
  readonly samples: readonly FileSample<Options>[];
  /** Inputs that must be refused, besides those the suite makes itself: missing, empty, noise. */
  readonly refused: readonly FileSample<Options>[];
  /**
   * The pairs that the engine itself tests for collision in the file at `path`, wherever things are. Ask the engine, for instance
   * for its contacts when all geoms are put at one point; a rule written out again would repeat the adapter's mistakes.
   * @param scene as the adapter read it, to give things without a name theirs
   */
  enginePairs(path: string, scene: Scene): Promise<NamedPairs>;
  /** Whether the files that were read can be edited. Default true. */
  readonly inPlace?: boolean;
  /** Whether the files are no text. Default false. */
  readonly binary?: boolean;
  /** What an unmoved scene is elsewhere: the same `bytes` (default), or other ones that read as the same `content`. */
  readonly copies?: 'bytes' | 'content';
  /** Extension of written files. Default: that of the file read. */
  readonly outputExtension?: string;
  /** Largest difference of a pose that was written and read again [m, rad]. Default 1e-9. */
  readonly poseTolerance?: number;
}

/** A world in memory, or its bytes. */
export interface LiveSample<Input> {
  readonly name: string;
  /** A fresh one for every check. */
  make(): Promise<Input>;
}

/** An adapter of worlds in memory. What the samples must hold: as for `FileSubject`. */
export interface LiveSubject<Input, Source = unknown> {
  readonly kind: 'live';
  read(input: Input): Promise<ReadResult<Source>>;
  /** @returns where to read the poses again: the same world, or new bytes */
  write(source: Source, result: Result): Promise<Input>;
  readonly samples: readonly LiveSample<Input>[];
  /** Inputs that must be refused. */
  readonly refused: readonly LiveSample<Input>[];
  /** As for `FileSubject`. May change the input. */
  enginePairs(input: Input, scene: Scene): Promise<NamedPairs>;
  /** All that a write must leave alone if nothing moved. */
  state(input: Input): Uint8Array;
  /** Largest difference of a pose that was written and read again [m, rad]. Default 1e-12. */
  readonly poseTolerance?: number;
}
