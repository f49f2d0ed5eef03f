/** What the user should know about a world, one sentence each. */
import type { Body, BodyId } from '../../core/scene.js';
import type { ListedCollider } from './colliders.js';
import type { Group } from './links.js';
import type { Lock } from './locks.js';
import { FILTER_CONTACT_PAIRS, type RapierWorld } from './world.js';

interface Facts {
  readonly world: RapierWorld;
  readonly groups: readonly Group[];
  readonly bodies: readonly Body[];
  readonly locks: ReadonlyMap<string, Lock>;
  /** Dynamic bodies with a half-space. */
  readonly planes: readonly BodyId[];
  readonly colliders: readonly ListedCollider[];
}

export function notesOn({ world, groups, bodies, locks, planes, colliders }: Facts): string[] {
  const named = (ids: readonly BodyId[]) => ids.map((id) => `'${bodies[id]?.name}'`).join(', ');
  const held = groups.filter(({ anchored }) => anchored).flatMap(({ members }) => members);
  const joined = groups.filter(({ anchored, members }) => !anchored && members.length > 1);
  const hooked = colliders.filter(({ collider }) => (collider.activeHooks() & FILTER_CONTACT_PAIRS) !== 0);
  const soft = world.softBodies?.len() ?? 0;
  return [
    ...(held.length === 0 ? [] : [`joints hold ${named(held)} on bodies that do not move, so they stay where they are`]),
    ...joined.map(({ members }) => `joints hold ${named(members)} together, so they move as one`),
    ...[...locks].map(([name, { displace, turn }]) => `locked axes of '${name}' allow only '${`${displace} ${turn}`.trim()}'`),
    ...(planes.length === 0 ? [] : [`${named(planes)} cannot be moved: a half-space has no end`]),
    ...(hooked.length === 0 ? [] : [`hooks that filter contacts (${hooked.length} colliders) are not asked; name such pairs with allow`]),
    ...(soft === 0 ? [] : ['soft bodies take no part']),
  ];
}
