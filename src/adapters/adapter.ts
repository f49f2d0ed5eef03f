/** What every format adapter offers. An adapter knows its format and no numerics. */
import type { Result } from '../core/result.js';
import type { Scene } from '../core/scene.js';

/** A scene and the opaque handle that `write` needs to find its way back into the user's input. */
export interface ReadResult<Source> {
  readonly scene: Scene;
  readonly source: Source;
}

export interface Adapter<Input, Source, ReadOptions, WriteTarget, WriteResult> {
  read(input: Input, options?: ReadOptions): Promise<ReadResult<Source>>;
  /** Edits nothing but the poses of bodies that moved. */
  write(source: Source, result: Result, target: WriteTarget): Promise<WriteResult>;
}
