/**
 * Rapier's own module, for what needs one: snapshots, and the rollout, which may import this file of the adapter and no other. A live
 * world brings its own. Loaded on first use.
 */
import type Rapier from '@dimforge/rapier3d-compat';
import { S4rError } from '../../core/errors.js';

export type { Collider, ColliderDesc, EventQueue, PhysicsHooks, RigidBody, World } from '@dimforge/rapier3d-compat';
export { angleBetween, compose, invert, quatFromXyzw, vec3FromXyz, xyzFromVec3, xyzwFromQuat, Y_AXIS } from '../conventions.js';

export type RapierModule = typeof Rapier;

let loading: Promise<RapierModule> | undefined;

/**
 * The module, initialised, shared by all callers.
 * @throws S4rError ENVIRONMENT if it cannot be loaded
 */
export function rapierModule(): Promise<RapierModule> {
  loading ??= load();
  return loading;
}

async function load(): Promise<RapierModule> {
  try {
    const { default: module } = await import('@dimforge/rapier3d-compat');
    await module.init();
    return module;
  } catch (error) {
    loading = undefined;
    throw new S4rError('ENVIRONMENT', `cannot load Rapier (@dimforge/rapier3d-compat): ${(error as Error).message}`, {}, { cause: error });
  }
}

/**
 * A world from the bytes of `world.takeSnapshot()`, to be released by the caller: `world.free()`.
 * @throws S4rError INVALID_INPUT for bytes that are no snapshot of this version of Rapier
 */
export async function restoreWorld(bytes: Uint8Array): Promise<Rapier.World> {
  const module = await rapierModule();
  let world: Rapier.World | null;
  try {
    world = module.World.restoreSnapshot(bytes);
  } catch (error) {
    throw notASnapshot(bytes, module.version(), error);
  }
  if (world === null) throw notASnapshot(bytes, module.version());
  return world;
}

function notASnapshot(bytes: Uint8Array, version: string, cause?: unknown): S4rError {
  const message = `expected a snapshot of Rapier ${version} (world.takeSnapshot()), got ${bytes.length} bytes it cannot restore`;
  return new S4rError('INVALID_INPUT', message, {}, { cause });
}
