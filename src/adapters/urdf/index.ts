/** URDF models: one, or many placed by a scene file; read with their collision geometry, written back by editing poses only. */
import type { Adapter, FileWriteResult, WriteTarget } from '../adapter.js';
import type { UrdfReadOptions } from './options.js';
import { read } from './read.js';
import type { UrdfSource } from './source.js';
import { write } from './write.js';

export type { FileEdit, FileWrite, FileWriteResult, WriteTarget } from '../adapter.js';
export type { MeshMode } from '../mesh-source.js';
export type { ModelPlacement, NamedModel, UrdfReadOptions } from './options.js';
export { bodyPlaces } from './places.js';
export type { UrdfSource } from './source.js';

/**
 * @example
 * const { scene, source } = await urdf.read('kitchen.yaml'); // or a .urdf
 * const result = await solver.solve(scene);
 * await urdf.write(source, result, 'kitchen.fixed.yaml');
 */
export const urdf: Adapter<string, UrdfSource, UrdfReadOptions, string | WriteTarget, FileWriteResult> = { read, write };
