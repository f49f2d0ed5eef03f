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
  /** Unordered body pairs that never collide (parent and child, excludes). */
  readonly excludedBodies: readonly (readonly [BodyId, BodyId])[];
  /** Unordered geom pairs that never collide. */
  readonly excludedGeoms: readonly (readonly [GeomId, GeomId])[];
  readonly explicitPairs: readonly ExplicitPair[];
}

export interface Scene {
  readonly bodies: readonly Body[];
  readonly geoms: readonly Geom[];
  readonly filter: PairFilter;
  /** Unit vector against gravity, in W. */
  readonly up: Vec3;
}
