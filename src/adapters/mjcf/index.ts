/** MJCF scenes: read with MuJoCo's own rules, written back by editing nothing but poses. */
import type { Result } from '../../core/result.js';
import type { Adapter } from '../adapter.js';
import { keys, type MjcfKey } from './keys.js';
import { type MjcfReadOptions, read } from './read.js';
import type { MjcfSource } from './source.js';
import { type MjcfStates, type StateRows, states } from './states.js';
import { type MjcfWriteOptions, type MjcfWriteResult, type MjcfWriteTarget, write } from './write.js';

export type { FileEdit, FileWrite, FileWriteResult, WriteTarget } from '../adapter.js';
export { writeAtomically } from '../files/atomic.js';
export { type CompiledMjcf, type CompileOptions, compile, type LoadedMjcf, loadMjcf } from './compile.js';
export { collectFiles, type MjcfFiles } from './files.js';
export type { MjcfKey } from './keys.js';
export type { MjcfReadOptions } from './read.js';
export { bodyPlaces, type MjcfSource } from './source.js';
export type { MjcfStates, StateRows } from './states.js';
export { diffOf, type MjcfWriteOptions, type MjcfWriteResult, type MjcfWriteTarget } from './write.js';

export interface MjcfAdapter extends Adapter<string, MjcfSource, MjcfReadOptions, string | MjcfWriteTarget, MjcfWriteResult> {
  write(source: MjcfSource, result: Result, target: string | MjcfWriteTarget, options?: MjcfWriteOptions): Promise<MjcfWriteResult>;
  keys(path: string): Promise<readonly MjcfKey[]>;
  states(path: string, from: string | StateRows, options?: MjcfReadOptions): Promise<MjcfStates>;
}

/**
 * @example
 * const { scene, source } = await mjcf.read('scene.xml');
 * const result = await solver.solve(scene);
 * await mjcf.write(source, result, 'scene.fixed.xml');
 */
export const mjcf: MjcfAdapter = { read, write, keys, states };
