/** USD stages of Isaac Sim and Isaac Lab: read by the rules of PhysX, written back as a layer over the stage or a table of poses. */
import type { Result } from '../../core/result.js';
import type { Adapter, FileWriteResult, WriteTarget } from '../adapter.js';
import { type IsaacReadOptions, read } from './read.js';
import type { IsaacSource } from './source.js';
import { type IsaacWriteOptions, write } from './write.js';

export type { FileEdit, FileWrite, FileWriteResult, WriteTarget } from '../adapter.js';
export type { PoseTable } from './pose-table.js';
export type { IsaacReadOptions } from './read.js';
export { bodyPlaces, type IsaacSource } from './source.js';
export type { IsaacWriteOptions } from './write.js';

export interface IsaacAdapter extends Adapter<string, IsaacSource, IsaacReadOptions, string | WriteTarget, FileWriteResult> {
  write(source: IsaacSource, result: Result, target: string | WriteTarget, options?: IsaacWriteOptions): Promise<FileWriteResult>;
}

/**
 * @example
 * const { scene, source, notes } = await isaac.read('table.usda');
 * const result = await solver.solve(scene);
 * await isaac.write(source, result, 'table.fixed.usda');
 * await isaac.write(source, result, 'poses.npz', { origin: [0, 0, 0] });
 */
export const isaac: IsaacAdapter = { read, write };
