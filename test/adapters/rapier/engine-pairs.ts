/** Rapier's own verdict on what collides, to compare ours with. */
import RAPIER from '@dimforge/rapier3d-compat';
import type { Scene } from '../../../src/core/scene.js';

await RAPIER.init();

/** Far from everything; float32 still tells millimetres there. */
const FAR = 500;

/** A thing in the middle of another may not reach its surface. */
const OFFSETS = [0.01, 0.2, -0.2, 0.5].flatMap((y) => [0, 0.3, -0.3].map((x) => [x, y, 0.1 * x + 0.02] as const));

/**
 * Pairs of geoms that push each other in Rapier: for every two colliders, a copy of the world in which these two lie in each other, far
 * from all else, makes a step; a pair counts if there is a force between them.
 * @param scene whose geoms stand in the order of the colliders, those of compounds left out
 */
export function enginePairs(world: RAPIER.World, scene: Scene): [string, string][] {
  const bytes = world.takeSnapshot();
  const handles: number[] = [];
  world.forEachCollider(({ handle }) => handles.push(handle));
  const pairs: [string, string][] = [];
  for (const [i, a] of handles.entries()) {
    for (const [j, b] of handles.entries()) {
      if (i < j && OFFSETS.some((offset) => meet(bytes, a, b, offset))) pairs.push([scene.geoms[i]!.name, scene.geoms[j]!.name]);
    }
  }
  return pairs;
}

function meet(bytes: Uint8Array, a: number, b: number, [x, y, z]: readonly [number, number, number]): boolean {
  const world = RAPIER.World.restoreSnapshot(bytes);
  const events = new RAPIER.EventQueue(true);
  try {
    const [first, second] = [world.getCollider(a), world.getCollider(b)];
    const body = bodyOf(first);
    const other = bodyOf(second);
    if (body !== null && body.handle === other?.handle) return false;
    // Asked for, there are contacts, but nothing that they could push.
    if (body?.isDynamic() !== true && other?.isDynamic() !== true) return false;
    for (const collider of [first, second]) {
      collider.setActiveEvents(RAPIER.ActiveEvents.CONTACT_FORCE_EVENTS);
      collider.setContactForceEventThreshold(0);
    }
    putAt(first, { x: FAR, y: FAR, z: FAR });
    putAt(second, { x: FAR + x, y: FAR + y, z: FAR + z });
    world.propagateModifiedBodyPositionsToColliders();
    world.step(events);
    let forced = false;
    // Rapier tells no forces of colliders without a body, and no solver contacts of surfaces.
    world.contactPair(first, second, (manifold) => {
      forced ||= manifold.numSolverContacts() > 0;
    });
    events.drainContactForceEvents((event) => {
      forced ||= event.totalForceMagnitude() > 0 && [a, b].includes(event.collider1()) && [a, b].includes(event.collider2());
    });
    return forced;
  } finally {
    events.free();
    world.free();
  }
}

/** Of a restored world, `parent()` is the first body for a collider that has none. */
function bodyOf(collider: RAPIER.Collider): RAPIER.RigidBody | null {
  return collider.translationWrtParent() === null ? null : collider.parent();
}

/** Shift the collider with its body. */
function putAt(collider: RAPIER.Collider, target: RAPIER.Vector): void {
  const body = bodyOf(collider);
  const from = collider.translation();
  const moved = (at: RAPIER.Vector) => ({ x: at.x + target.x - from.x, y: at.y + target.y - from.y, z: at.z + target.z - from.z });
  if (body === null) collider.setTranslation(target);
  else body.setTranslation(moved(body.translation()), true);
}
