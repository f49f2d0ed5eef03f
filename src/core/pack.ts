/**
 * Waist 2: the packed arrays that cross into the native core, and nothing else does.
 * Layout changes bump PACK_VERSION; the addon refuses any other version.
 */
import { type PackedJoints, packJoints } from './joints.js';
import { type Motion, type PackedMotions, packMotions, TRANSLATION } from './motion.js';
import { ShapeTable } from './pack-shapes.js';
import type { Pose, Quat, Scene, Vec3 } from './scene.js';

export const PACK_VERSION = 3;

export { SHAPE_KINDS } from './pack-shapes.js';

/** B bodies, G geoms, S distinct shapes, M distinct meshes, F height fields. Lengths [m]. */
export interface PackedScene extends PackedMotions, PackedJoints {
  readonly version: number;
  /** 7B: x y z qw qx qy qz of X_WB; quaternions here and below are unit to rounding */
  readonly bodyPoses: Float64Array;
  /** B: body whose motion it follows; B: weld representative */
  readonly bodyUnit: Int32Array;
  readonly bodyWeld: Int32Array;
  /** B: 1 if its unit may move */
  readonly bodyMovable: Uint8Array;
  /** B: cost of moving */
  readonly bodyWeight: Float64Array;
  /** G: body, shape */
  readonly geomBody: Int32Array;
  readonly geomShape: Int32Array;
  /** 7G: X_BG */
  readonly geomPoses: Float64Array;
  readonly geomMargin: Float64Array;
  readonly geomCategory: Uint32Array;
  readonly geomMask: Uint32Array;
  /** S: index into SHAPE_KINDS */
  readonly shapeKind: Int32Array;
  /** 3S: radius | half extents | radius, half length | radii | half extents x, y and base depth */
  readonly shapeSize: Float64Array;
  /** S: mesh or height-field index, -1 for primitives */
  readonly shapeData: Int32Array;
  /** M+1 offsets in vertices, then 3 numbers per vertex; M+1 offsets in triangles, then 3 indices per triangle */
  readonly meshVertexStart: Int32Array;
  readonly meshVertices: Float64Array;
  readonly meshTriangleStart: Int32Array;
  readonly meshTriangles: Int32Array;
  /** 2F: rows, cols; F+1 offsets; heights row-major */
  readonly fieldSize: Int32Array;
  readonly fieldStart: Int32Array;
  readonly fieldHeights: Float64Array;
  /** 0 either, 1 both */
  readonly maskRule: number;
  /** 2E body pairs, 2X geom pairs, 2P explicit geom pairs with P margins */
  readonly excludedBodies: Int32Array;
  readonly excludedGeoms: Int32Array;
  readonly explicitPairs: Int32Array;
  readonly explicitMargins: Float64Array;
  /** 3 */
  readonly up: Float64Array;
}

/** K overlaps, deepest first. */
export interface PackedEvaluation {
  /** 2K geom ids, A < B */
  readonly geoms: Int32Array;
  /** K: 0 penetrating, 1 contained; K: 1 if constant */
  readonly kind: Uint8Array;
  readonly constant: Uint8Array;
  readonly depth: Float64Array;
  /** 3K, 3K in W */
  readonly point: Float64Array;
  readonly normal: Float64Array;
  readonly candidates: number;
  /** Cancelled or out of time: the lists are incomplete. */
  readonly interrupted: boolean;
}

export interface PackedSolution {
  /** How the run ended: solved, stagnation, tail-budget, qp-failure, container-infeasible, incomplete, cancelled, time-limit. */
  readonly status: string;
  /** One sentence, empty if solved; geoms are written `{geom:ID}` */
  readonly reason: string;
  /** 3B: displacement of each body's origin in W [m]; exactly 0 for unmoved units */
  readonly shifts: Float64Array;
  /** 4B: rotation of each body in W, w first: q' = turn q; exactly the identity for unturned units */
  readonly turns: Float64Array;
  /** By packed joint: displacement [rad], [m]; exactly 0 for those that stay */
  readonly joints: Float64Array;
  /** 3B: world point [m] each body is shrunk about, in the input: the centre of its unit; a fixed body's origin */
  readonly centres: Float64Array;
  /** numbers of `SolveStats`, by name */
  readonly stats: Readonly<Record<string, number>>;
}

/** What a prepared solver returns for one state. */
export interface PackedResolution extends PackedSolution {
  /** Repairable pairs the solver itself found overlapping. */
  readonly overlapsBefore: number;
  /** 2K geom ids, A < B: repairable pairs the evaluator finds overlapping at the end. */
  readonly left: Int32Array;
}

/** K supports: what rests, and what it rests on; see native/include/s4r/placement.h. */
export interface PackedSupports {
  /** K: roots of the units; K: roots of the units they rest on, or fixed bodies; K: a geom of these */
  readonly body: Int32Array;
  readonly onBody: Int32Array;
  readonly onGeom: Int32Array;
}

/** The supports of a state, and what becomes of them in another one. */
export interface PackedSettlement extends PackedSupports {
  /** K: 1 if it holds after the shifts */
  readonly kept: Uint8Array;
  /** 3B: displacement of each body's origin from the later state in W [m]; exactly 0 for who stays */
  readonly shifts: Float64Array;
  readonly interrupted: boolean;
}

export interface PackedLifting {
  /** by unit asked for: how far it was raised [m], negative if there is no place for it */
  readonly heights: Float64Array;
  /** 3B: as in `PackedSettlement` */
  readonly shifts: Float64Array;
  readonly interrupted: boolean;
}

/**
 * Pack a valid scene. Shapes and meshes used by many geoms cross once: meshes, and shapes made of them, are
 * recognised by object identity, primitives by value. `motions`: by body, that of its unit; a check needs none.
 */
export function packScene(scene: Scene, motions: readonly Motion[] = scene.bodies.map(() => TRANSLATION)): PackedScene {
  const { bodies, geoms, filter } = scene;
  const shapes = new ShapeTable();
  return {
    version: PACK_VERSION,
    bodyPoses: packPoses(bodies.map((body) => body.X_WB)),
    bodyUnit: Int32Array.from(bodies, (body) => body.movesWith),
    bodyWeld: Int32Array.from(bodies, (body) => body.weldedTo),
    bodyMovable: Uint8Array.from(bodies, (body) => (body.mobility === 'free' ? 1 : 0)),
    bodyWeight: Float64Array.from(bodies, (body) => body.weight),
    ...packMotions(motions),
    ...packJoints(scene),
    geomBody: Int32Array.from(geoms, (geom) => geom.bodyId),
    geomShape: Int32Array.from(geoms, (geom) => shapes.indexOf(geom.shape)),
    geomPoses: packPoses(geoms.map((geom) => geom.X_BG)),
    geomMargin: Float64Array.from(geoms, (geom) => geom.margin),
    geomCategory: Uint32Array.from(geoms, (geom) => geom.category),
    geomMask: Uint32Array.from(geoms, (geom) => geom.mask),
    ...shapes.pack(),
    maskRule: filter.maskRule === 'both' ? 1 : 0,
    excludedBodies: Int32Array.from([...filter.excludedBodies, ...(filter.neighbours ?? [])].flat()),
    excludedGeoms: Int32Array.from(filter.excludedGeoms.flat()),
    explicitPairs: Int32Array.from(filter.explicitPairs.flatMap((pair) => pair.geoms)),
    explicitMargins: Float64Array.from(filter.explicitPairs, (pair) => pair.margin),
    up: Float64Array.from(scene.up),
  };
}

/** Numbers of a packed pose. */
export const PER_POSE = 7;

/** The poses packed as `packPoses` packs them, number for number. */
export function unpackPoses(packed: Float64Array): Pose[] {
  return Array.from({ length: packed.length / PER_POSE }, (_, i) => {
    const [x, y, z, ...quaternion] = packed.subarray(PER_POSE * i, PER_POSE * (i + 1));
    return { position: [x, y, z] as unknown as Vec3, quaternion: quaternion as unknown as Quat };
  });
}

/** [x y z qw qx qy qz] x poses. Quaternions are valid to 1e-6 and become unit to rounding; those that are keep their bits. */
export function packPoses(poses: readonly Pose[]): Float64Array {
  const packed = new Float64Array(PER_POSE * poses.length);
  poses.forEach(({ position, quaternion }, i) => {
    const norm = Math.hypot(...quaternion);
    const scale = Math.abs(norm - 1) <= 4e-16 ? 1 : 1 / norm;
    packed.set(position, PER_POSE * i);
    for (let k = 0; k < 4; k++) packed[PER_POSE * i + 3 + k] = (quaternion[k] as number) * scale;
  });
  return packed;
}
