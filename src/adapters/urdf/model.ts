/** A URDF file as data. */
import type { Pose, Vec3 } from '../../core/scene.js';
import type { XmlDocument } from '../files/document.js';
import type { XmlElement } from '../files/xml.js';

/** As in the file: whole lengths [m], axis of cylinder and capsule z. */
export type UrdfGeometry =
  | { readonly type: 'box'; readonly size: Vec3 }
  | { readonly type: 'sphere'; readonly radius: number }
  /** `length` of a capsule: without the caps */
  | { readonly type: 'cylinder' | 'capsule'; readonly radius: number; readonly length: number }
  | { readonly type: 'ellipsoid'; readonly radii: Vec3 }
  | { readonly type: 'mesh'; readonly filename: string; readonly scale: Vec3 };

export interface UrdfCollision {
  /** Of its geometry, for messages. */
  readonly element: XmlElement;
  readonly name: string | undefined;
  /** In the link's frame. */
  readonly X_LG: Pose;
  readonly geometry: UrdfGeometry;
}

export interface UrdfLink {
  readonly name: string;
  readonly element: XmlElement;
  readonly collisions: readonly UrdfCollision[];
}

/** `spherical` is Bullet's. */
export const JOINT_TYPES = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar', 'spherical'] as const;
export type UrdfJointType = (typeof JOINT_TYPES)[number];

export interface UrdfJoint {
  readonly name: string;
  readonly element: XmlElement;
  readonly type: UrdfJointType;
  readonly parent: string;
  readonly child: string;
  /** The joint's frame, and the child's at position 0, in the parent link. */
  readonly X_PJ: Pose;
  /** Unit, in the joint's frame. */
  readonly axis: Vec3;
  /** [rad] or [m]; absent where there are none. */
  readonly limits?: readonly [lower: number, upper: number];
  /** Position = multiplier x that of `joint` + offset. */
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

export interface UrdfModel {
  readonly document: XmlDocument;
  /** Of the robot element. */
  readonly name: string;
  readonly links: ReadonlyMap<string, UrdfLink>;
  readonly joints: ReadonlyMap<string, UrdfJoint>;
  /** Name of the link without a parent. */
  readonly root: string;
  /** Joints of the tree, depth first, siblings as in the file. */
  readonly tree: readonly UrdfJoint[];
  /** What was ignored or assumed. */
  readonly notes: readonly string[];
}

/** Whether a joint has one degree of freedom, which can be set. */
export function isMovable({ type }: Pick<UrdfJoint, 'type'>): boolean {
  return type === 'revolute' || type === 'continuous' || type === 'prismatic';
}
