/** Where the links of a model are. */
import { scaled } from '../../core/pose-math.js';
import type { Pose } from '../../core/scene.js';
import { compose, quatFromAxisAngle } from '../conventions.js';
import { isMovable, type UrdfJoint, type UrdfModel } from './model.js';

/** Positions [rad] or [m] of joints by name. */
export type JointValues = ReadonlyMap<string, number>;

/** What drives a joint in the end: the composition of a chain of `<mimic>`. Position = ratio x that of `driver` + offset. */
export interface Drive {
  readonly driver: UrdfJoint;
  readonly ratio: number;
  readonly offset: number;
}

/** The drive of a joint; itself, 1 and 0 if it mimics none. The chain must end. */
export function driveOf(model: UrdfModel, joint: UrdfJoint): Drive {
  let [driver, ratio, offset] = [joint, 1, 0];
  while (driver.mimic !== undefined && isMovable(driver)) {
    offset += ratio * driver.mimic.offset;
    ratio *= driver.mimic.multiplier;
    driver = model.joints.get(driver.mimic.joint) as UrdfJoint;
  }
  return { driver, ratio, offset };
}

/** Positions of all movable joints: those `given`, those they drive, and 0. */
export function jointValues(model: UrdfModel, given: JointValues): Map<string, number> {
  const values = new Map<string, number>();
  for (const joint of model.tree.filter(isMovable)) {
    const { driver, ratio, offset } = driveOf(model, joint);
    values.set(joint.name, ratio * (given.get(driver.name) ?? 0) + offset);
  }
  return values;
}

/** Pose of every link in W. @param values of all movable joints */
export function linkPoses(model: UrdfModel, X_WR: Pose, values: JointValues): Map<string, Pose> {
  const poses = new Map([[model.root, X_WR]]);
  for (const joint of model.tree) poses.set(joint.child, compose(jointFrame(joint, poses), motion(joint, values.get(joint.name) ?? 0)));
  return poses;
}

/** The joint's own frame in W, which its position does not move. @param poses of links, its parent's among them */
export function jointFrame({ parent, X_PJ }: UrdfJoint, poses: ReadonlyMap<string, Pose>): Pose {
  return compose(poses.get(parent) as Pose, X_PJ);
}

function motion(joint: UrdfJoint, position: number): Pose {
  if (joint.type === 'prismatic') return { position: scaled(joint.axis, position), quaternion: [1, 0, 0, 0] };
  const turn = isMovable(joint) ? quatFromAxisAngle(joint.axis, position) : undefined;
  return { position: [0, 0, 0], quaternion: turn ?? [1, 0, 0, 0] };
}
