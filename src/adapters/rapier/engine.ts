/**
 * Rapier's own module, for what needs one: snapshots, and the rollout, which may import this file of the adapter and no other. A live
 * world brings its own. Loaded on first use.
 */
import type Rapier from '@dimforge/rapier3d-compat';
import { S4rError } from '../../core/errors.js';

export type { Collider, ColliderDesc, EventQueue, PhysicsHooks, RigidBody, World } from '@dimforge/rapier3d-compat';
export { ORIGIN } from '../../core/pose-math.js';
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
 * What `use` makes of a world from the bytes of `world.takeSnapshot()`, which is released afterwards.
 * @throws S4rError INVALID_INPUT for bytes that are no snapshot of this version of Rapier
 */
export async function inRestoredWorld<T>(bytes: Uint8Array, use: (world: Rapier.World) => T): Promise<T> {
  const module = await rapierModule();
  const restored = attempt(() => module.World.restoreSnapshot(bytes));
  const world = 'value' in restored ? (restored.value as Rapier.World | null) : null;
  if (world === null) throw notASnapshot(bytes, module.version(), restored.error);
  const used = attempt(() => use(world));
  const released = attempt(() => world.free());
  if (!('value' in used)) throw used.error;
  // Of a damaged snapshot Rapier may make a world of which parts stay in use.
  if (!('value' in released)) throw notASnapshot(bytes, module.version(), released.error);
  return used.value;
}

type Attempt<T> = { readonly value: T; readonly error?: undefined } | { readonly error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function notASnapshot(bytes: Uint8Array, version: string, cause?: unknown): S4rError {
  const message = `expected a snapshot of Rapier ${version} (world.takeSnapshot()), got ${bytes.length} bytes it cannot restore`;
  return new S4rError('INVALID_INPUT', message, {}, { cause });
}
