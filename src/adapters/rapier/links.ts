/** Which bodies joints hold together. */
import { S4rError } from '../../core/errors.js';
import type { BodyId } from '../../core/scene.js';
import { Groups } from '../groups.js';
import type { RapierImpulseJoint, RapierWorld } from './world.js';

/** A joint between two bodies of the scene. */
export interface Link {
  readonly bodies: readonly [BodyId, BodyId];
  readonly contactsEnabled: boolean;
  /** Undefined for a joint of a multibody, whose coordinates Rapier's JavaScript does not give access to. */
  readonly joint?: RapierImpulseJoint;
  /** `joint_3` for the fourth impulse joint of the world. */
  readonly name: string;
}

/**
 * @param idOf scene id by handle of the body; joints of bodies that take no part are left out
 * @throws S4rError INVALID_INPUT for a joint of a body that is not there
 */
export function listLinks(world: RapierWorld, idOf: ReadonlyMap<number, BodyId>): Link[] {
  const links: Link[] = [];
  let count = 0;
  world.impulseJoints.forEach((joint) => {
    const name = `joint_${count++}`;
    const [a, b] = [joint.body1(), joint.body2()].map((body) => {
      if (body === null) throw new S4rError('INVALID_INPUT', 'a body of this joint is not in the world', { element: `joint '${name}'` });
      return idOf.get(body.handle);
    });
    if (a === undefined || b === undefined || a === b) return;
    links.push({ bodies: [a, b], contactsEnabled: joint.contactsEnabled(), joint, name });
  });
  const ends = new Map<number, BodyId[]>();
  for (const [handle, id] of idOf) {
    world.multibodyJoints.forEachJointHandleAttachedToRigidBody(handle, (joint) => {
      ends.set(joint, [...(ends.get(joint) ?? []), id]);
    });
  }
  world.multibodyJoints.forEach((joint) => {
    const [a, b] = ends.get(joint.handle) ?? [];
    if (a === undefined || b === undefined) return;
    links.push({ bodies: [a, b], contactsEnabled: joint.contactsEnabled(), name: '' });
  });
  return links;
}

/** A set of movable bodies that joints hold together. */
export interface Group {
  /** Ascending. */
  readonly members: readonly BodyId[];
  /** Joints among them, and to bodies that do not move. */
  readonly links: readonly Link[];
  /** A joint holds one of them on a body that does not move: they are no unit, and do not move either. */
  readonly anchored: boolean;
}

/** Every movable body is in one group; a body that does not move connects nothing. */
export function groupBodies(movable: readonly boolean[], links: readonly Link[]): Group[] {
  const joined = new Groups(movable.length);
  for (const { bodies } of links) if (bodies.every((id) => movable[id])) joined.join(...bodies);
  const groups = new Map<number, { members: BodyId[]; links: Link[]; anchored: boolean }>();
  movable.forEach((can, id) => {
    if (!can) return;
    const group = groups.get(joined.lowest(id));
    if (group === undefined) groups.set(id, { members: [id], links: [], anchored: false });
    else group.members.push(id);
  });
  for (const link of links) {
    const end = link.bodies.find((id) => movable[id]);
    if (end === undefined) continue;
    const group = groups.get(joined.lowest(end));
    group?.links.push(link);
    if (group !== undefined && !link.bodies.every((id) => movable[id])) group.anchored = true;
  }
  return [...groups.values()];
}
