/** Revolute and prismatic joints of groups whose joints form a tree, as `Scene.joints`. */
import { addScaled, conjugate, dot, multiplyQuat, rotate, scaled, subtract, transform, unitVector } from '../../core/pose-math.js';
import type { BodyId, Joint, Pose } from '../../core/scene.js';
import { quatFromXyzw, vec3FromXyz } from '../conventions.js';
import type { Group, Link } from './links.js';
import { JOINT_TYPE, type RapierImpulseJoint, type RapierUnitJoint } from './world.js';

/** Rapier's way to say that there is no limit: the largest float32. */
const NO_LIMIT = 1e30;

/** Joints of all groups, those nearer to the root of a tree first. Groups with loops give none. */
export function treeJoints(groups: readonly Group[], poses: readonly Pose[]): Joint[] {
  const joints: Joint[] = [];
  for (const group of groups) {
    for (const { link, child, moves } of treeEdges(group) ?? []) {
      const joint = link.joint === undefined ? undefined : unitJoint(link.joint, poses, link.bodies, child);
      if (joint !== undefined) joints.push({ id: joints.length, name: link.name, moves, ...joint });
    }
  }
  return joints;
}

interface Edge {
  readonly link: Link;
  readonly child: BodyId;
  readonly moves: readonly BodyId[];
}

/** The root is what the group is anchored to, or its first body; undefined if a body can be reached in two ways. */
function treeEdges({ members, links, anchored }: Group): Edge[] | undefined {
  if (links.length !== members.length - (anchored ? 0 : 1)) return undefined;
  const inside = new Set(members);
  const reached = new Set<BodyId>(anchored ? [] : [members[0] as BodyId]);
  const left = new Set(links);
  const edges: { link: Link; child: BodyId; moves: BodyId[]; parent: BodyId }[] = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const link of left) {
      const [a, b] = link.bodies;
      const known = [a, b].map((id) => !inside.has(id) || reached.has(id));
      if (!known[0] && !known[1]) continue;
      left.delete(link);
      if (known[0] && known[1]) return undefined;
      const [parent, child] = known[0] ? [a, b] : [b, a];
      reached.add(child);
      edges.push({ link, child, parent, moves: [child] });
      grown = true;
    }
  }
  for (const edge of [...edges].reverse()) {
    const above = edges.find(({ child }) => child === edge.parent);
    above?.moves.push(...edge.moves);
  }
  for (const { moves } of edges) moves.sort((a, b) => a - b);
  return edges;
}

/** The frame of a joint has its axis along x; it displaces body 2 relative to body 1. */
function unitJoint(
  joint: RapierImpulseJoint,
  poses: readonly Pose[],
  [first, second]: readonly [BodyId, BodyId],
  child: BodyId,
): Omit<Joint, 'id' | 'name' | 'moves'> | undefined {
  const type = joint.type();
  if (type !== JOINT_TYPE.revolute && type !== JOINT_TYPE.prismatic) return undefined;
  const [X_W1, X_W2] = [poses[first] as Pose, poses[second] as Pose];
  const R_WJ = multiplyQuat(X_W1.quaternion, quatFromXyzw(joint.frameX1()));
  const R_WK = multiplyQuat(X_W2.quaternion, quatFromXyzw(joint.frameX2()));
  const along = rotate(R_WJ, [1, 0, 0]);
  const anchor = transform(X_W1, vec3FromXyz(joint.anchor1()));
  const slid = dot(along, subtract(transform(X_W2, vec3FromXyz(joint.anchor2())), anchor));
  const hinge = type === JOINT_TYPE.revolute;
  const axis = child === second ? along : scaled(along, -1);
  return {
    type: hinge ? 'hinge' : 'slide',
    axis: unitVector(axis) ?? axis,
    anchor: hinge ? anchor : addScaled(anchor, along, slid),
    position: hinge ? angleAboutX(multiplyQuat(conjugate(R_WJ), R_WK)) : slid,
    ...limitsOf(joint as RapierUnitJoint),
  };
}

function limitsOf(joint: RapierUnitJoint): Pick<Joint, 'limits'> {
  if (!joint.limitsEnabled()) return {};
  const limits = [joint.limitsMin(), joint.limitsMax()] as const;
  return limits.some((limit) => Math.abs(limit) > NO_LIMIT) ? {} : { limits };
}

/** In -pi..pi. */
function angleAboutX([w, x]: readonly [number, number, number, number]): number {
  const angle = 2 * Math.atan2(x, w);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}
