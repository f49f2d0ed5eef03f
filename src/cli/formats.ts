/** Formats of scene files by type: what the commands open, whatever it is. */
import type { FileWriteResult, WriteTarget } from '../adapters/adapter.js';
import { mjcf } from '../adapters/mjcf/index.js';
import type { Result, Scene } from '../index.js';

/** How to read a scene, from the command line. Every format takes what it knows and refuses the rest. */
export interface ReadFlags {
  /** MJCF: keyframe by name or number. */
  readonly key?: string | undefined;
}

/** A scene that was read, and the way back into its files. */
export interface OpenScene {
  readonly format: string;
  readonly scene: Scene;
  /** What the user should know about the input, one sentence each. */
  readonly notes: readonly string[];
  /** Every file that was read: no report may replace it. */
  readonly inputs: readonly string[];
  write(result: Result, target: WriteTarget): Promise<FileWriteResult>;
}

/** @throws S4rError INVALID_INPUT, INVALID_OPTION for flags the format does not have */
export async function openScene(path: string, flags: ReadFlags): Promise<OpenScene> {
  const { scene, source, notes } = await mjcf.read(path, flags);
  return {
    format: 'MJCF',
    scene,
    notes,
    inputs: [...source.files.files.keys()],
    write: async (result, target) => await mjcf.write(source, result, target),
  };
}
