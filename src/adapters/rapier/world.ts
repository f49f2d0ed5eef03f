/**
 * What of Rapier's objects the adapter uses, by structure: a world may come from any build of Rapier (`rapier3d`, `-compat`,
 * `-simd`), and from the user's own copy of it. Their class names are minified; types are told by number.
 */
import type { Pose } from '../../core/scene.js';
import { quatFromXyzw, vec3FromXyz, type Xyz, type Xyzw } from '../conventions.js';

/** `RigidBodyType` of Rapier. */
export const BODY_TYPE = { dynamic: 0, fixed: 1, kinematicPositionBased: 2, kinematicVelocityBased: 3, softFrame: 4 } as const;

/** `ShapeType` of Rapier. */
export const SHAPE_TYPE = {
  ball: 0,
  cuboid: 1,
  capsule: 2,
  segment: 3,
  polyline: 4,
  triangle: 5,
  triMesh: 6,
  heightField: 7,
  compound: 8,
  convexPolyhedron: 9,
  cylinder: 10,
  cone: 11,
  roundCuboid: 12,
  roundTriangle: 13,
  roundCylinder: 14,
  roundCone: 15,
  roundConvexPolyhedron: 16,
  halfSpace: 17,
  voxels: 18,
} as const;

/** `JointType` of Rapier. */
export const JOINT_TYPE = { revolute: 0, prismatic: 2 } as const;

/** Bit of `ActiveHooks` of Rapier: a callback of the program decides which contacts there are. */
export const FILTER_CONTACT_PAIRS = 1;

/** A shape object; which fields there are depends on the type. Lengths in metres, axis y. */
export interface RapierShape {
  readonly type: number;
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly halfExtents?: Xyz;
  readonly borderRadius?: number;
  readonly normal?: Xyz;
  readonly a?: Xyz;
  readonly b?: Xyz;
  readonly c?: Xyz;
  readonly vertices?: Float32Array;
  readonly indices?: Uint32Array | null | undefined;
  readonly nrows?: number;
  readonly ncols?: number;
  readonly heights?: Float32Array;
  readonly scale?: Xyz;
  /** Of voxels: points in a Float32Array, or grid coordinates in an Int32Array. */
  readonly data?: Float32Array | Int32Array;
  readonly voxelSize?: Xyz;
  readonly shapes?: readonly RapierShape[];
  readonly positions?: readonly Xyz[];
  readonly rotations?: readonly Xyzw[];
}

export interface RapierCollider {
  readonly handle: number;
  readonly shape: RapierShape;
  parent(): RapierBody | null;
  shapeType(): number;
  radius(): number;
  halfHeight(): number;
  halfExtents(): Xyz | null;
  roundRadius(): number;
  vertices(): Float32Array;
  indices(): Uint32Array | undefined;
  translation(): Xyz;
  rotation(): Xyzw;
  translationWrtParent(): Xyz | null;
  rotationWrtParent(): Xyzw | null;
  isSensor(): boolean;
  isEnabled(): boolean;
  collisionGroups(): number;
  solverGroups(): number;
  activeCollisionTypes(): number;
  contactSkin(): number;
  activeHooks(): number;
  softBody?(): number | null;
}

export interface RapierBody {
  readonly handle: number;
  readonly userData?: unknown;
  bodyType(): number;
  isEnabled(): boolean;
  numColliders(): number;
  translation(): Xyz;
  rotation(): Xyzw;
  invMass(): number;
  effectiveInvMass(): Xyz;
  invPrincipalInertia(): Xyz;
  effectiveWorldInvInertia(): { readonly m11: number; readonly m22: number; readonly m33: number };
  setTranslation(translation: Xyz, wakeUp: boolean): void;
  setRotation(rotation: Xyzw, wakeUp: boolean): void;
  setLinvel(velocity: Xyz, wakeUp: boolean): void;
  setAngvel(velocity: Xyz, wakeUp: boolean): void;
}

export interface RapierImpulseJoint {
  readonly handle: number;
  type(): number;
  /** Null for a body that the world of a damaged snapshot does not have. */
  body1(): RapierBody | null;
  body2(): RapierBody | null;
  contactsEnabled(): boolean;
  frameX1(): Xyzw;
  frameX2(): Xyzw;
  anchor1(): Xyz;
  anchor2(): Xyz;
}

/** A revolute or prismatic joint. */
export interface RapierUnitJoint extends RapierImpulseJoint {
  limitsEnabled(): boolean;
  limitsMin(): number;
  limitsMax(): number;
}

export interface RapierMultibodyJoint {
  readonly handle: number;
  contactsEnabled(): boolean;
}

export interface RapierWorld {
  readonly gravity: Xyz;
  readonly impulseJoints: { forEach(use: (joint: RapierImpulseJoint) => void): void };
  readonly multibodyJoints: {
    forEach(use: (joint: RapierMultibodyJoint) => void): void;
    forEachJointHandleAttachedToRigidBody(body: number, use: (joint: number) => void): void;
  };
  readonly bodies: { contains(handle: number): boolean };
  readonly softBodies?: { len(): number };
  forEachRigidBody(use: (body: RapierBody) => void): void;
  forEachCollider(use: (collider: RapierCollider) => void): void;
  getRigidBody(handle: number): RapierBody;
  propagateModifiedBodyPositionsToColliders(): void;
}

/** Pose of a body or of a collider in W, or of a collider in its body's frame; float32 numbers, the quaternion normalised. */
export function poseOf(translation: Xyz, rotation: Xyzw): Pose {
  return { position: vec3FromXyz(translation), quaternion: quatFromXyzw(rotation) };
}

/** Undefined for a collider that stands alone. Of one from a snapshot, `parent()` says it is on the first body. */
export function parentOf(collider: RapierCollider): RapierBody | undefined {
  return collider.translationWrtParent() === null ? undefined : (collider.parent() ?? undefined);
}
