/**
 * Waist 1, input side: a scene as plain, readonly, serialisable data.
 *
 * Right-handed frames, SI units, radians. `W` is the world, `B` a body, `G` a geom;
 * `X_WB` is the pose of B measured in W. Types only: no code here.
 */

/** [x, y, z]. */
export type Vec3 = readonly [number, number, number];

/** Unit quaternion [w, x, y, z]. */
export type Quat = readonly [number, number, number, number];

export interface Pose {
  /** Origin of the child frame in the parent frame [m]. */
  readonly position: Vec3;
  /** Rotation from child to parent, unit, w first. */
  readonly quaternion: Quat;
}

/** Triangle mesh in the geom's frame. Shared by reference between geoms that use the same asset. */
export interface Mesh {
  /** 3 x vertex count, xyz interleaved [m]. */
  readonly vertices: Float64Array;
  /** 3 x triangle count, vertex indices, counter-clockwise seen from outside. */
  readonly triangles: Int32Array;
}

/**
 * A solid in the geom's frame, centred at its origin. Axis of capsule, cylinder and cone: z.
 * The same object may be used by many geoms; it is then processed once.
 */
export type Shape =
  /** radius [m] */
  | { readonly type: 'sphere'; readonly radius: number }
  /** half edge lengths [m] */
  | { readonly type: 'box'; readonly halfExtents: Vec3 }
  /** half length of the cylindrical part [m], without the caps */
  | { readonly type: 'capsule'; readonly radius: number; readonly halfLength: number }
  | { readonly type: 'cylinder'; readonly radius: number; readonly halfLength: number }
  /** base at z = -halfLength, apex at z = +halfLength */
  | { readonly type: 'cone'; readonly radius: number; readonly halfLength: number }
  /** semi-axes [m] */
  | { readonly type: 'ellipsoid'; readonly radii: Vec3 }
  /** everything with z <= 0; only on fixed bodies */
  | { readonly type: 'halfspace' }
  /**
   * Solid between z = -baseDepth and the sampled surface; only on fixed bodies.
   * Sample (row, col) lies at x = -halfExtents[0] + 2 halfExtents[0] col / (cols - 1), y likewise from row.
   * Each cell is cut along the diagonal from (row, col + 1) to (row + 1, col).
   */
  | {
      readonly type: 'heightfield';
      readonly rows: number;
      readonly cols: number;
      /** rows x cols, row-major, surface heights [m], all > -baseDepth */
      readonly heights: Float64Array;
      readonly halfExtents: readonly [number, number];
      readonly baseDepth: number;
    }
  /** Closed convex polyhedron. */
  | { readonly type: 'convex'; readonly mesh: Mesh }
  /** Any triangle mesh; solid where it is closed, a surface where it is open. */
  | { readonly type: 'mesh'; readonly mesh: Mesh };

/** Index into `Scene.bodies`. */
export type BodyId = number;
/** Index into `Scene.geoms`. */
export type GeomId = number;

export interface Body {
  /** Equals its index in `Scene.bodies`. */
  readonly id: BodyId;
  /** Unique, non-empty. */
  readonly name: string;
  /** `free`: the solver may move the unit this body belongs to. `fixed`: an obstacle. */
  readonly mobility: 'free' | 'fixed';
  readonly X_WB: Pose;
  /** Cost of moving the unit, relative to the others, > 0; read from the unit's first body. */
  readonly weight: number;
  /**
   * The body whose motion this one follows rigidly: the root of a floating tree for its links,
   * the body itself otherwise. All bodies with one root are a *unit*. Overlap inside a unit cannot be repaired.
   */
  readonly movesWith: BodyId;
  /** Representative of the bodies welded rigidly to this one (itself if none); they never collide with each other. */
  readonly weldedTo: BodyId;
}

export interface Geom {
  /** Equals its index in `Scene.geoms`. */
  readonly id: GeomId;
  /** Unique, non-empty. */
  readonly name: string;
  readonly bodyId: BodyId;
  readonly shape: Shape;
  readonly X_BG: Pose;
  /**
   * The surface that `shape`, a hull, stands for, in the geom's frame; absent where the shape is the thing itself. Nothing but
   * a survey reads it: the engine, and so the solver, collide with `shape`.
   */
  readonly surface?: Mesh;
  /** Clearance the engine wants around this geom [m]; the two margins of a pair add up. >= 0 */
  readonly margin: number;
  /** Unsigned 32-bit collision category and the categories it collides with. */
  readonly category: number;
  readonly mask: number;
}

/** A pair of geoms the engine tests whatever the masks and excludes say. */
export interface ExplicitPair {
  readonly geoms: readonly [GeomId, GeomId];
  /** Clearance of the pair [m], instead of the sum of the geoms' margins. */
  readonly margin: number;
}

/** What collides. See `filters.ts` for the rule that combines these with bodies, welds and masks. */
export interface PairFilter {
  /** `either`: A's category is in B's mask or the reverse (MuJoCo). `both`: and (Rapier, PhysX). */
  readonly maskRule: 'either' | 'both';
  /**
   * Unordered body pairs that never collide because they are next to each other in a tree of joints; none if absent. Kept apart from
   * `excludedBodies`, which somebody wrote down, so that a survey can tell them apart.
   */
  readonly neighbours?: readonly (readonly [BodyId, BodyId])[];
  /** Unordered body pairs that never collide because the file says so. */
  readonly excludedBodies: readonly (readonly [BodyId, BodyId])[];
  /** Unordered geom pairs that never collide. */
  readonly excludedGeoms: readonly (readonly [GeomId, GeomId])[];
  readonly explicitPairs: readonly ExplicitPair[];
}

/** Index into `Scene.joints`. */
export type JointId = number;

/**
 * A hinge or slide of a tree, which stays as it is unless the caller frees it (`freeJoints`). All in W, in the state of the scene:
 * with joint displacements q the bodies lie at exp(xi_1 q_1) ... exp(xi_n q_n) X_WB, the joints of a body from the root to itself
 * (product of exponentials, Lynch and Park, Modern Robotics, 4.1).
 */
export interface Joint {
  /** Equals its index in `Scene.joints`; a joint comes after those nearer to the root of its tree. */
  readonly id: JointId;
  /** Unique, non-empty. */
  readonly name: string;
  readonly type: 'hinge' | 'slide';
  /** Unit vector in W: positive displacement turns about it by the right hand, or slides along it. */
  readonly axis: Vec3;
  /** A point of the axis in W [m]. */
  readonly anchor: Vec3;
  /** Every body that it displaces: its own and all that hang on that. */
  readonly moves: readonly BodyId[];
  /** Where it stands [rad] or [m], in the convention of the format, and where it may stand; absent: no limits. */
  readonly position: number;
  readonly limits?: readonly [lower: number, upper: number];
  /** `free`: the solver may move it, within its limits. Absent: `fixed`. Set by the option `freeJoints`. */
  readonly mobility?: 'free' | 'fixed';
  /** It is driven by another joint: displacement = ratio x that of `joint` (mimic). Freed, and frozen, with that. */
  readonly follows?: { readonly joint: JointId; readonly ratio: number };
}

export interface Scene {
  readonly bodies: readonly Body[];
  readonly geoms: readonly Geom[];
  /** None if absent. */
  readonly joints?: readonly Joint[];
  readonly filter: PairFilter;
  /** Unit vector against gravity, in W. */
  readonly up: Vec3;
}
