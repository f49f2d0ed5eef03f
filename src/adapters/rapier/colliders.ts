/** The colliders of a world that take part, with their names. */
import type { BodyId, Pose } from '../../core/scene.js';
import type { Xyz, Xyzw } from '../conventions.js';
import { UniqueNames } from '../names.js';
import { assertFinite, type NameOptions, type WorldBody } from './bodies.js';
import { parentOf, poseOf, type RapierCollider, type RapierWorld } from './world.js';

/** A collider that may collide. */
export interface ListedCollider {
  readonly collider: RapierCollider;
  /** That of its body, or its own, after those of the bodies, if it has none. */
  readonly bodyId: BodyId;
  readonly name: string;
  /** For a collider without a body, that of the body that it becomes. */
  readonly X_WC: Pose | undefined;
}

/** Those that may collide: enabled, no sensors, of enabled bodies. Names in the order of the world, whatever is left out. */
export function listColliders(
  world: RapierWorld,
  bodies: readonly WorldBody[],
  idOf: ReadonlyMap<number, BodyId>,
  { colliderName }: NameOptions,
  names: UniqueNames,
): ListedCollider[] {
  const listed: ListedCollider[] = [];
  const counts = new Map<BodyId, number>();
  const geomNames = new UniqueNames();
  let index = 0;
  let statics = bodies.length;
  world.forEachCollider((collider) => {
    const own = `collider_${index++}`;
    const parent = parentOf(collider);
    const id = parent === undefined ? undefined : idOf.get(parent.handle);
    if (parent !== undefined && id === undefined) return;
    const nth = id === undefined ? 0 : (counts.get(id) ?? 0);
    if (id !== undefined) counts.set(id, nth + 1);
    if (!collider.isEnabled() || collider.isSensor() || isSoft(collider)) return;
    const wish = colliderName?.(collider.handle, collider) || (id === undefined ? own : `${bodies[id]?.name}/collider_${nth}`);
    if (id !== undefined) {
      listed.push({ collider, bodyId: id, name: geomNames.make(wish), X_WC: undefined });
      return;
    }
    const name = names.make(wish);
    const X_WC = assertFinite(poseOf(collider.translation(), collider.rotation()), `collider '${name}'`);
    listed.push({ collider, bodyId: statics++, name: geomNames.make(name), X_WC });
  });
  return listed;
}

/** Pose in the frame of its body. */
export function localPose(collider: RapierCollider, name: string): Pose {
  const pose = poseOf(collider.translationWrtParent() as Xyz, collider.rotationWrtParent() as Xyzw);
  return assertFinite(pose, `collider '${name}'`);
}

/** Of a soft body; older versions of Rapier have none. */
function isSoft(collider: RapierCollider): boolean {
  return (collider.softBody?.() ?? null) !== null;
}
