/** Joints of a stage: which bodies hang together, which of them float, and what could move in them. */
import { conjugate, dot, rotate, scaled, subtract } from '../../core/pose-math.js';
import type { Quat, Vec3 } from '../../core/scene.js';
import { multiplyQuat, normalizeQuat, radians } from '../conventions.js';
import { Groups } from '../groups.js';
import { type Affine, apply, rotationOf } from './affine.js';
import type { Notes } from './notes.js';
import type { Physics, PhysicsBody } from './physics.js';
import type { Prim } from './usd/prim.js';
import { orientOf } from './usd/xform.js';

/** One side of a joint. */
export interface JointSide {
  /** Undefined: the world. */
  readonly body: PhysicsBody | undefined;
  /** The prim the file names, if any. */
  readonly prim: Prim | undefined;
  /** The joint's frame in the world [m]. */
  readonly position: Vec3;
  readonly quaternion: Quat;
}

export interface StageJoint {
  readonly prim: Prim;
  readonly sides: readonly [JointSide, JointSide];
  /** Whether the two bodies may collide all the same. */
  readonly collisionEnabled: boolean;
}

/** Joints that are switched on and hold two different things together. */
export function readJoints(physics: Physics, metersPerUnit: number, notes: Notes): StageJoint[] {
  return physics.joints.flatMap((prim): StageJoint[] => {
    if (!prim.flag('physics:jointEnabled', true)) return [];
    const sides = [readSide(prim, 0, physics, metersPerUnit, notes), readSide(prim, 1, physics, metersPerUnit, notes)] as const;
    if (sides[0].body === sides[1].body) {
      notes.add('a joint that does not hold two bodies together; it is passed over', prim.path);
      return [];
    }
    return [{ prim, sides, collisionEnabled: prim.flag('physics:collisionEnabled', false) }];
  });
}

function readSide(joint: Prim, side: 0 | 1, physics: Physics, metersPerUnit: number, notes: Notes): JointSide {
  const targets = joint.targets(`physics:body${side}`);
  const prim = targets[0] === undefined ? undefined : physics.find(targets[0]);
  if (targets[0] !== undefined && prim === undefined)
    notes.add(`a joint to <${targets[0]}>, where there is nothing; it holds to the world`, joint.path);
  const local = (joint.numbers(`physics:localPos${side}`) ?? [0, 0, 0]) as unknown as Vec3;
  const turn = orientOf((joint.numbers(`physics:localRot${side}`) ?? [1, 0, 0, 0]) as unknown as Quat);
  const world: Affine | undefined = prim === undefined ? undefined : physics.transforms.of(prim);
  const at = world === undefined ? local : apply(world, local);
  return {
    body: prim === undefined ? undefined : physics.bodyOf(prim),
    prim,
    position: scaled(at, metersPerUnit),
    quaternion: normalizeQuat(world === undefined ? turn : multiplyQuat(rotationOf(world), turn)),
  };
}

/** Bodies that joints hold together. */
export interface Assembly {
  readonly bodies: readonly PhysicsBody[];
  readonly joints: readonly StageJoint[];
  /** A joint holds it to the world, or to what does not move. */
  readonly anchored: boolean;
  /** The body that the others hang on. */
  readonly root: PhysicsBody;
}

export function assembliesOf(physics: Physics, joints: readonly StageJoint[]): Assembly[] {
  const moving = physics.bodies.filter(({ kind }) => kind === 'dynamic');
  const order = new Map(moving.map((body, i) => [body, i]));
  const joined = new Groups(moving.length);
  const ends = (joint: StageJoint) => joint.sides.map(({ body }) => (body === undefined ? undefined : order.get(body)));
  for (const joint of joints) {
    const [a, b] = ends(joint);
    if (a !== undefined && b !== undefined) joined.join(a, b);
  }
  const members = new Map<number, { bodies: PhysicsBody[]; joints: StageJoint[] }>();
  moving.forEach((body, i) => {
    const found = members.get(joined.lowest(i)) ?? { bodies: [], joints: [] };
    members.set(joined.lowest(i), found);
    found.bodies.push(body);
  });
  for (const joint of joints) {
    const end = ends(joint).find((id) => id !== undefined);
    if (end !== undefined) members.get(joined.lowest(end))?.joints.push(joint);
  }
  return [...members.values()].map(({ bodies, joints: own }): Assembly => {
    const held = own.filter((joint) => ends(joint).includes(undefined));
    const anchor = held.flatMap(({ sides }) => sides.flatMap(({ body }) => (body !== undefined && order.has(body) ? [body] : [])))[0];
    const marked = bodies.find(({ prim }) => prim.has('PhysicsArticulationRootAPI'));
    return { bodies, joints: own, anchored: held.length > 0, root: anchor ?? marked ?? (bodies[0] as PhysicsBody) };
  });
}

/** A hinge or slide as `Scene` wants it, by bodies. */
export interface FreeableJoint {
  readonly prim: Prim;
  readonly type: 'hinge' | 'slide';
  readonly axis: Vec3;
  readonly anchor: Vec3;
  readonly moves: readonly PhysicsBody[];
  readonly position: number;
  readonly limits?: readonly [number, number];
}

/** Hinges and slides of an assembly that is a tree, from the root outwards; none if it is no tree. */
export function freeableJoints({ bodies, joints, root }: Assembly, metersPerUnit: number, notes: Notes): FreeableJoint[] {
  const between = joints.filter(({ sides }) => sides.every(({ body }) => body !== undefined && bodies.includes(body)));
  const held = joints.filter((joint) => !between.includes(joint));
  if (between.length > bodies.length - 1 || held.length > 1) {
    notes.add('joints that close a loop, or hold to the world twice, cannot be freed', root.prim.path);
    return [];
  }
  const parents = new Map<PhysicsBody, PhysicsBody>();
  const order: { joint: StageJoint; child: PhysicsBody; flip: boolean }[] = [];
  const pending = [root];
  for (const { sides } of held) {
    const flip = sides[0].body === root;
    order.push({ joint: held[0] as StageJoint, child: root, flip });
  }
  for (let parent = pending.shift(); parent !== undefined; parent = pending.shift()) {
    for (const joint of between) {
      const k = joint.sides.findIndex(({ body }) => body === parent);
      const child = k < 0 ? undefined : joint.sides[1 - k]?.body;
      if (child === undefined || child === root || parents.has(child) || parents.get(parent) === child) continue;
      parents.set(child, parent);
      // The joint's coordinate is that of body 1 as seen from body 0.
      order.push({ joint, child, flip: k === 1 });
      pending.push(child);
    }
  }
  const below = (body: PhysicsBody) =>
    bodies.filter((other) => {
      let at: PhysicsBody | undefined = other;
      while (at !== undefined && at !== body) at = parents.get(at);
      return at === body;
    });
  return order.flatMap(({ joint, child, flip }) => freeable(joint, flip, below(child), metersPerUnit) ?? []);
}

const AXES: Readonly<Record<string, Vec3>> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

function freeable(
  { prim, sides }: StageJoint,
  flip: boolean,
  moves: readonly PhysicsBody[],
  metersPerUnit: number,
): FreeableJoint | undefined {
  const hinge = prim.typeName === 'PhysicsRevoluteJoint';
  const axis = AXES[prim.text('physics:axis') ?? 'X'];
  const driven = [...prim.apiSchemas].some((name) => name.startsWith('PhysxMimicJointAPI'));
  if ((!hinge && prim.typeName !== 'PhysicsPrismaticJoint') || axis === undefined || driven) return undefined;
  const [a, b] = sides;
  const direction = rotate(a.quaternion, axis);
  const unit = hinge ? radians : (value: number) => value * metersPerUnit;
  const limits = [prim.number('physics:lowerLimit') ?? -Infinity, prim.number('physics:upperLimit') ?? Infinity].map(unit) as [
    number,
    number,
  ];
  const bounded = limits[0] <= limits[1] && (Number.isFinite(limits[0]) || Number.isFinite(limits[1]));
  return {
    prim,
    type: hinge ? 'hinge' : 'slide',
    axis: flip ? scaled(direction, -1) : direction,
    anchor: flip ? b.position : a.position,
    moves,
    position: hinge ? hingeAngle(a.quaternion, b.quaternion, axis) : dot(direction, subtract(b.position, a.position)),
    ...(bounded && { limits }),
  };
}

/** Angle of b as seen from a about `axis` [rad], in -pi..pi. */
function hingeAngle(a: Quat, b: Quat, axis: Vec3): number {
  const [w, x, y, z] = multiplyQuat(conjugate(a), b);
  const angle = 2 * Math.atan2(dot([x, y, z], axis), w);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}
