/** Worlds of Rapier: a live `World` or a snapshot of one, repaired in place by setting nothing but poses. */
import { read } from './read.js';
import { write } from './write.js';

export type { NameOptions } from './bodies.js';
export type { Lock } from './locks.js';
export type { RapierReadOptions } from './scene-builder.js';
export { type SnapshotSource, snapshotFile } from './snapshot-file.js';
export type { RapierInput, RapierSource } from './source.js';
export type { RapierBody, RapierCollider, RapierWorld } from './world.js';
export type { RapierWriteOptions, RapierWriteResult } from './write.js';

/**
 * @example
 * const { scene, source } = await rapier.read(world);
 * const result = await solver.solve(scene);
 * await rapier.write(source, result);
 */
export const rapier = { read, write };
