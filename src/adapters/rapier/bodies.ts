/** The bodies of a world: their names, poses, and what of their motion is locked. */
import { S4rError } from '../../core/errors.js';
import type { Pose } from '../../core/scene.js';
import type { UniqueNames } from '../names.js';
import { BODY_TYPE, poseOf, type RapierBody, type RapierCollider, type RapierWorld } from './world.js';

export interface NameOptions {
  /** Name of a body; undefined: `userData.name` if that is a text, else `body_3` for the fourth body of the world. */
  readonly name?: ((handle: number, body: RapierBody) => string | undefined) | undefined;
  /** Name of a collider, and of the fixed body it is if it has none; undefined: `cup/collider_0`, `collider_7`. */
  readonly colliderName?: ((handle: number, collider: RapierCollider) => string | undefined) | undefined;
}

/** An enabled rigid body. */
export interface WorldBody {
  readonly body: RapierBody;
  readonly name: string;
  readonly X_WB: Pose;
  /** Neither fixed nor kinematic. */
  readonly dynamic: boolean;
  /** What is left of its freedom along and about the axes of W; undefined if contacts cannot move it. */
  readonly freedom: Freedom | undefined;
}

/** Per axis of W. */
export interface Freedom {
  readonly translations: Triple;
  readonly rotations: Triple;
}
export type Triple = readonly [boolean, boolean, boolean];

/** @throws S4rError INVALID_INPUT naming a body whose pose is not finite */
export function listBodies(world: RapierWorld, options: NameOptions, names: UniqueNames): WorldBody[] {
  const bodies: RapierBody[] = [];
  world.forEachRigidBody((body) => {
    bodies.push(body);
  });
  const given = bodies.map((body) => givenName(body, options));
  const named = given.map((name) => (name === undefined ? undefined : names.make(name)));
  const enabled: WorldBody[] = [];
  bodies.forEach((body, i) => {
    const name = named[i] ?? names.make(`body_${i}`);
    if (!body.isEnabled()) return;
    const dynamic = body.bodyType() === BODY_TYPE.dynamic;
    enabled.push({ body, name, X_WB: finitePose(body, name), dynamic, freedom: dynamic ? freedomOf(body) : undefined });
  });
  return enabled;
}

function givenName(body: RapierBody, { name }: NameOptions): string | undefined {
  const { userData } = body;
  const own = typeof userData === 'object' && userData !== null && 'name' in userData ? userData.name : undefined;
  const wish = name?.(body.handle, body) ?? own;
  return typeof wish === 'string' && wish !== '' ? wish : undefined;
}

function finitePose(body: RapierBody, name: string): Pose {
  return assertFinite(poseOf(body.translation(), body.rotation()), `body '${name}'`);
}

/** @throws S4rError INVALID_INPUT; Rapier itself accepts NaN. */
export function assertFinite(pose: Pose, element: string): Pose {
  if ([...pose.position, ...pose.quaternion].every(Number.isFinite)) return pose;
  const got = `translation ${pose.position.join(' ')}, rotation ${pose.quaternion.join(' ')} (w x y z)`;
  throw new S4rError('INVALID_INPUT', `expected a finite pose, got ${got}`, { element });
}

/**
 * Of a dynamic body. Rapier has no getter for locks, but a locked axis has no inverse mass while the body has one. A body without mass (no collider
 * with a density) counts as not locked.
 */
function freedomOf(body: RapierBody): Freedom | undefined {
  const mass = body.effectiveInvMass();
  const inertia = body.effectiveWorldInvInertia();
  const own = body.invPrincipalInertia();
  const hasMass = body.invMass() > 0;
  const hasInertia = own.x > 0 && own.y > 0 && own.z > 0;
  const translations: Triple = hasMass ? [mass.x > 0, mass.y > 0, mass.z > 0] : [true, true, true];
  const rotations: Triple = hasInertia ? [inertia.m11 > 0, inertia.m22 > 0, inertia.m33 > 0] : [true, true, true];
  return translations.some(Boolean) ? { translations, rotations } : undefined;
}
