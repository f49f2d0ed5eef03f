/** From a world of Rapier, live or as a snapshot, to a `Scene`. */
import { S4rError } from '../../core/errors.js';
import type { ReadResult } from '../adapter.js';
import { inRestoredWorld } from './engine.js';
import { buildScene, type RapierReadOptions } from './scene-builder.js';
import type { RapierInput, RapierSource } from './source.js';
import type { RapierWorld } from './world.js';

const CHOICES = { joined: ['together', 'apart'], meshes: ['solid', 'surface'] } as const;

/**
 * Read what collides by Rapier's rules. The world is not changed, bit for bit.
 * @throws S4rError INVALID_INPUT naming the body whose numbers cannot be used, or for bytes that are no snapshot; INVALID_OPTION
 */
export async function read(input: RapierInput, options: RapierReadOptions = {}): Promise<ReadResult<RapierSource>> {
  assertOptions(options);
  if (ArrayBuffer.isView(input)) return await inRestoredWorld(input, (world) => readWorld(world, input, options));
  if (typeof input?.forEachRigidBody !== 'function') {
    throw new S4rError('INVALID_INPUT', 'expected a World of Rapier, or the bytes of world.takeSnapshot()');
  }
  return readWorld(input, input, options);
}

function readWorld(world: RapierWorld, input: RapierInput, options: RapierReadOptions): ReadResult<RapierSource> {
  const { scene, bodies, locks, notes } = buildScene(world, options);
  return { scene, source: { input, bodies, locks }, notes };
}

function assertOptions(options: RapierReadOptions): void {
  for (const name of ['joined', 'meshes'] as const) {
    const value = options[name];
    const choices: readonly string[] = CHOICES[name];
    if (value === undefined || choices.includes(value)) continue;
    throw new S4rError('INVALID_OPTION', `option ${name}: expected '${choices.join("' or '")}', got '${value}'`);
  }
}
