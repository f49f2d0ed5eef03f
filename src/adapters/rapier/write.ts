/** Put repaired poses back into a world. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { BodyId, Pose } from '../../core/scene.js';
import { xyzFromVec3, xyzwFromQuat } from '../conventions.js';
import { poseDistance, samePose } from '../poses.js';
import { inRestoredWorld } from './engine.js';
import type { RapierInput, RapierSource, SourceBody } from './source.js';
import { poseOf, type RapierBody, type RapierWorld } from './world.js';

export interface RapierWriteOptions {
  /** Moved bodies keep their velocities. Default: they are set to zero. */
  readonly keepVelocities?: boolean | undefined;
}

export interface RapierWriteResult<Input extends RapierInput = RapierInput> {
  /** The same world; for a snapshot the bytes of a new one, or the same bytes if nothing moved. */
  readonly output: Input;
  /** Bodies whose pose was set. */
  readonly moved: readonly BodyId[];
  /** Poses of all bodies as Rapier has them now: rounded to float32. */
  readonly poses: readonly Pose[];
  /** Largest rounding of a pose [m, rad]. */
  readonly verified: number;
}

/** Float32 numbers that come closer to a pose than this are that pose, relative to its distance from the origin [m, rad]. */
const ROUNDING = 1e-6;
const STILL = { x: 0, y: 0, z: 0 };

/**
 * Set the poses of bodies that moved, and nothing else but their velocities; they and what they touch wake up. In place on a live
 * world, which has to be as it was read.
 * @throws S4rError OUTPUT if the world has changed since; nothing is written then
 */
export async function write<Input extends RapierInput>(
  source: RapierSource & { readonly input: Input },
  result: Result,
  options: RapierWriteOptions = {},
): Promise<RapierWriteResult<Input>> {
  const { input } = source;
  if (!ArrayBuffer.isView(input)) return { output: input, ...writeWorld(input, source, result, options) };
  return await inRestoredWorld(input, (world) => {
    const written = writeWorld(world, source, result, options);
    return { output: written.moved.length === 0 ? input : (world.takeSnapshot() as Input), ...written };
  });
}

function writeWorld(
  world: RapierWorld,
  { bodies }: RapierSource,
  { poses }: Result,
  { keepVelocities = false }: RapierWriteOptions,
): Omit<RapierWriteResult, 'output'> {
  const changes = bodies.flatMap((source, id) => {
    const to = poses[id] as Pose;
    return samePose(source.X_WB, to) ? [] : [{ id, to, from: source.X_WB, body: findBody(world, source) }];
  });
  const stored = [...poses];
  let verified = 0;
  for (const { id, to, from, body } of changes) {
    body.setTranslation(xyzFromVec3(to.position), true);
    // Rapier normalises in float32: a rotation that is set again may change in its last bit.
    if (from.quaternion.some((value, i) => value !== to.quaternion[i])) body.setRotation(xyzwFromQuat(to.quaternion), true);
    if (!keepVelocities) {
      body.setLinvel(STILL, true);
      body.setAngvel(STILL, true);
    }
    const now = poseOf(body.translation(), body.rotation());
    verified = Math.max(verified, assertStored(now, to, (bodies[id] as SourceBody).name));
    stored[id] = now;
  }
  if (changes.length > 0) world.propagateModifiedBodyPositionsToColliders();
  return { moved: changes.map(({ id }) => id), poses: stored, verified };
}

/** @throws S4rError OUTPUT unless it is there, at the pose that was read */
function findBody(world: RapierWorld, { name, handle, X_WB }: SourceBody): RapierBody {
  if (handle === undefined) throw new S4rError('INTERNAL', `collider '${name}' has no body and cannot have moved`);
  const body = world.bodies.contains(handle) ? world.getRigidBody(handle) : undefined;
  if (body !== undefined && samePose(poseOf(body.translation(), body.rotation()), X_WB)) return body;
  const what = body === undefined ? 'is gone' : 'has moved';
  throw new S4rError('OUTPUT', `the body ${what} since the world was read; read it again`, { element: `body '${name}'` });
}

function assertStored(stored: Pose, wanted: Pose, name: string): number {
  const error = poseDistance(stored, wanted);
  if (error <= ROUNDING * Math.max(1, ...wanted.position.map(Math.abs))) return error;
  throw new S4rError('INTERNAL', `Rapier stored a pose that is off by ${error} [m, rad]`, { element: `body '${name}'` });
}
