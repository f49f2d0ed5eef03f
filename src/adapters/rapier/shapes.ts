/** Shapes of colliders as `Scene` has them. */
import { addScaled, ORIGIN, scaled, subtract } from '../../core/pose-math.js';
import type { Pose, Shape, Vec3 } from '../../core/scene.js';
import { compose, quatFromZAxis, type Xyz, type Xyzw, Y_AXIS } from '../conventions.js';
import { hullMesh } from '../hull.js';
import { signedVolume } from '../meshes/triangles.js';
import { heightField } from './height-field.js';
import { asSurface } from './meshes.js';
import { roundedHull, roundedRevolution } from './rounded.js';
import { Sizes } from './sizes.js';
import { voxelBoxes } from './voxels.js';
import { poseOf, type RapierCollider, type RapierShape, SHAPE_TYPE as TYPE } from './world.js';

/** One solid of a collider, in the collider's frame. */
export interface ShapePart {
  readonly shape: Shape;
  readonly X_CG: Pose;
}

export interface ShapeOptions {
  /** See `RapierReadOptions`. */
  readonly meshes: 'solid' | 'surface';
}

/** Radius of a line, which has none in Rapier, relative to its length. */
const LINE_RADIUS = 1e-4;

/** Reads the shapes of one world; equal ones become one object. */
export class ShapeReader {
  readonly #known = new Map<string, readonly ShapePart[]>();

  constructor(private readonly options: ShapeOptions) {}

  /**
   * @param movable whether its body can move: a height field that can is read as its surface
   * @param element for messages, such as `body 'cup', collider 0`
   * @throws S4rError INVALID_INPUT for sizes that make no solid, and for unknown types
   */
  read(collider: RapierCollider, movable: boolean, element: string): readonly ShapePart[] {
    return this.#parts(currentShape(collider), movable, element);
  }

  #parts(shape: RapierShape, movable: boolean, element: string): readonly ShapePart[] {
    if (shape.type === TYPE.compound) return this.#children(shape, movable, element);
    const key = JSON.stringify([movable, shape], (_, value) => (ArrayBuffer.isView(value) ? String(value) : value));
    let parts = this.#known.get(key);
    if (parts === undefined) {
      parts = convert(shape, movable, this.options, new Sizes(element));
      this.#known.set(key, parts);
    }
    return parts;
  }

  #children({ shapes = [], positions = [], rotations = [] }: RapierShape, movable: boolean, element: string): ShapePart[] {
    return shapes.flatMap((child, i) => {
      const X_CP = poseOf(positions[i] as Xyz, rotations[i] as Xyzw);
      return this.#parts(child, movable, `${element}, part ${i}`).map(({ shape, X_CG }) => ({ shape, X_CG: compose(X_CP, X_CG) }));
    });
  }
}

/** The shape object is a cache that some setters of the collider pass by, so what has a getter is asked for. */
function currentShape(collider: RapierCollider): RapierShape {
  const type = collider.shapeType();
  switch (type) {
    case TYPE.ball:
      return { type, radius: collider.radius() };
    case TYPE.cuboid:
    case TYPE.roundCuboid:
      return { type, halfExtents: collider.halfExtents() as Xyz, borderRadius: collider.roundRadius() };
    case TYPE.capsule:
    case TYPE.cylinder:
    case TYPE.cone:
    case TYPE.roundCylinder:
    case TYPE.roundCone:
      return { type, radius: collider.radius(), halfHeight: collider.halfHeight(), borderRadius: collider.roundRadius() };
    case TYPE.triMesh:
    case TYPE.convexPolyhedron:
    case TYPE.roundConvexPolyhedron:
      return { type, vertices: collider.vertices(), indices: collider.indices(), borderRadius: collider.roundRadius() };
    default:
      return { ...collider.shape, type };
  }
}

function convert(shape: RapierShape, movable: boolean, { meshes }: ShapeOptions, sizes: Sizes): ShapePart[] {
  const here = (made: Shape): ShapePart[] => [{ shape: made, X_CG: ORIGIN }];
  const alongY = (made: Shape): ShapePart[] => [{ shape: made, X_CG: Y_AXIS }];
  const border = () => sizes.positive('border radius', shape.borderRadius);
  const corners = () => [shape.a, shape.b, shape.c].map((corner) => sizes.point(corner));
  switch (shape.type) {
    case TYPE.ball:
      return here({ type: 'sphere', radius: sizes.positive('radius', shape.radius) });
    case TYPE.cuboid:
      return here({ type: 'box', halfExtents: sizes.extents(shape.halfExtents) });
    case TYPE.capsule:
      return capsule(sizes.positive('radius', shape.radius), sizes.atLeastZero('half height', shape.halfHeight));
    case TYPE.cylinder:
      return alongY({ type: 'cylinder', ...sizes.round(shape) });
    case TYPE.cone:
      return alongY({ type: 'cone', ...sizes.round(shape) });
    case TYPE.convexPolyhedron: {
      const mesh = hullMesh(sizes.points(shape.vertices));
      return here(mesh === undefined ? { type: 'mesh', mesh: sizes.mesh(shape) } : { type: 'convex', mesh });
    }
    case TYPE.triMesh: {
      const mesh = sizes.mesh(shape);
      // Inward triangles, such as those of a room, enclose nothing.
      return here({ type: 'mesh', mesh: meshes === 'solid' && signedVolume(mesh) >= 0 ? mesh : asSurface(mesh) });
    }
    case TYPE.triangle:
      return here({ type: 'mesh', mesh: { vertices: Float64Array.from(corners().flat()), triangles: Int32Array.of(0, 1, 2) } });
    case TYPE.segment:
      return line(sizes.point(shape.a), sizes.point(shape.b));
    case TYPE.polyline:
      // Rapier does not give them out once the shape comes from a snapshot.
      if (!shape.vertices) throw sizes.error('a polyline made by this program', 'one from a snapshot, whose points Rapier does not tell');
      return polyline(sizes.points(shape.vertices), shape.indices);
    case TYPE.heightField:
      return [heightField(shape, movable, sizes)];
    case TYPE.halfSpace:
      return [{ shape: { type: 'halfspace' }, X_CG: { position: [0, 0, 0], quaternion: sizes.direction(shape.normal) } }];
    case TYPE.roundCuboid:
      return here(sizes.hull(roundedHull(boxCorners(sizes.extents(shape.halfExtents)), border())));
    case TYPE.roundTriangle:
      return here(sizes.hull(roundedHull(corners(), border())));
    case TYPE.roundConvexPolyhedron:
      return here(sizes.hull(roundedHull(sizes.points(shape.vertices), border())));
    case TYPE.roundCylinder:
      return alongY(sizes.hull(roundedRevolution('cylinder', sizes.round(shape), border())));
    case TYPE.roundCone:
      return alongY(sizes.hull(roundedRevolution('cone', sizes.round(shape), border())));
    case TYPE.voxels:
      return voxelBoxes(shape.data ?? new Int32Array(), shape.voxelSize as Xyz).map(({ centre, size }) => ({
        shape: { type: 'box', halfExtents: sizes.extents(size) },
        X_CG: { position: centre, quaternion: ORIGIN.quaternion },
      }));
    default:
      throw sizes.error(`a shape of Rapier with a type from 0 to ${TYPE.voxels}`, `type ${shape.type}`);
  }
}

function capsule(radius: number, halfLength: number): ShapePart[] {
  if (halfLength === 0) return [{ shape: { type: 'sphere', radius }, X_CG: ORIGIN }];
  return [{ shape: { type: 'capsule', radius, halfLength }, X_CG: Y_AXIS }];
}

function line(a: Vec3, b: Vec3): ShapePart[] {
  const along = subtract(b, a);
  const quaternion = quatFromZAxis(along);
  if (quaternion === undefined) return [];
  const length = Math.hypot(...along);
  const shape: Shape = { type: 'capsule', radius: LINE_RADIUS * length, halfLength: length / 2 };
  return [{ shape, X_CG: { position: addScaled(scaled(a, 0.5), b, 0.5), quaternion } }];
}

function polyline(points: readonly Vec3[], indices: ArrayLike<number> | null | undefined): ShapePart[] {
  const ends = indices?.length ? indices : points.slice(1).flatMap((_, i) => [i, i + 1]);
  return Array.from({ length: ends.length / 2 }, (_, i) =>
    line(points[ends[2 * i] as number] as Vec3, points[ends[2 * i + 1] as number] as Vec3),
  ).flat();
}

function boxCorners([x, y, z]: Vec3): Vec3[] {
  return [-x, x].flatMap((cx) => [-y, y].flatMap((cy) => [-z, z].map((cz): Vec3 => [cx, cy, cz])));
}
