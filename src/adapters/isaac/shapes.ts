/** Collision shapes as PhysX makes them of prims. */
import { S4rError } from '../../core/errors.js';
import type { Mesh, Pose, Quat, Shape, Vec3 } from '../../core/scene.js';
import { quatFromAxisAngle } from '../conventions.js';
import { type Affine, affineOf, apply, column, determinant, inverse, multiply, rotationOf } from './affine.js';
import { boundsOf, convexHullOf, type MeshReader } from './meshes.js';
import type { Notes } from './notes.js';
import { ANIMATED } from './physics.js';
import type { Prim } from './usd/prim.js';
import { placeOfPrim } from './usd/xform.js';

export interface PlacedShape {
  readonly shape: Shape;
  readonly X_BG: Pose;
  readonly surface?: Mesh;
}

const HALFSPACE: Shape = { type: 'halfspace' };
/** Cosine between axes beyond which a transform is sheared. */
const SHEAR = 1e-6;

/** Makes the shapes of one stage; equal meshes become one object. */
export class ShapeReader {
  private readonly solids = new Map<Mesh, Shape>();

  constructor(
    private readonly meshes: MeshReader,
    private readonly notes: Notes,
  ) {}

  /**
   * @param local from the prim to the body [stage units to metres], scale included
   * @param kind what the body is: PhysX turns what it cannot move into hulls
   * @returns undefined if PhysX makes no shape of it; a note says why
   */
  read(prim: Prim, local: Affine, kind: 'dynamic' | 'kinematic' | 'static'): PlacedShape | undefined {
    const note = (text: string) => this.notes.add(text, prim.path);
    const axes = [0, 1, 2].map((k) => Math.hypot(...column(local, k)));
    if (!(Math.abs(determinant(local)) > 1e-30)) {
      note('scaled to nothing, so there is nothing to collide with');
      return undefined;
    }
    const frame = frameOf(local, axes, prim.text('axis') === 'X' ? 1 : 0);
    if (frame.sheared) note('sheared, which PhysX ignores, and so do we');
    const size = (name: string, fallback: number) => this.size(prim, name, fallback);
    switch (prim.typeName) {
      case 'Cube':
        return { shape: { type: 'box', halfExtents: scaledBy(axes, size('size', 2) / 2) }, X_BG: frame.pose };
      case 'Sphere':
        if (uneven(axes)) note('a sphere scaled unevenly; PhysX takes the largest scale');
        return { shape: { type: 'sphere', radius: size('radius', 1) * Math.max(...axes) }, X_BG: frame.pose };
      case 'Capsule':
        return this.round(prim, 'capsule', axes, frame.pose, size('radius', 0.5), size('height', 1));
      case 'Cylinder':
        return this.round(prim, 'cylinder', axes, frame.pose, size('radius', 1), size('height', 2));
      case 'Cone':
        return this.round(prim, 'cone', axes, frame.pose, size('radius', 1), size('height', 2));
      case 'Capsule_1':
      case 'Cylinder_1': {
        const radii = ['radiusTop', 'radiusBottom'].map((name) => size(name, prim.typeName === 'Capsule_1' ? 0.5 : 1));
        if (uneven(radii)) note('different radii at its ends; the larger is taken for both');
        const height = size('height', prim.typeName === 'Capsule_1' ? 1 : 2);
        return this.round(prim, prim.typeName === 'Capsule_1' ? 'capsule' : 'cylinder', axes, frame.pose, Math.max(...radii), height);
      }
      case 'Plane':
        if (kind === 'dynamic') {
          note('a plane on a body that moves, which PhysX refuses; it takes no part');
          return undefined;
        }
        return { shape: HALFSPACE, X_BG: turned(frame.pose, ALONG[axisOf(prim)]) };
      case 'Mesh':
        return this.mesh(prim, local, axes, frame.pose, kind);
      default:
        note(`has PhysicsCollisionAPI, but of a ${prim.typeName || 'prim without type'} no shape is made; it takes no part`);
        return undefined;
    }
  }

  private round(
    prim: Prim,
    type: 'capsule' | 'cylinder' | 'cone',
    axes: readonly number[],
    pose: Pose,
    radius: number,
    height: number,
  ): PlacedShape {
    const axis = axisOf(prim);
    const k = 'XYZ'.indexOf(axis);
    const across = axes.filter((_, i) => i !== k);
    if (uneven(across)) this.notes.add(`a ${type} scaled unevenly across its axis; PhysX takes the larger scale`, prim.path);
    const shape: Shape = { type, radius: radius * Math.max(...across), halfLength: (height / 2) * (axes[k] as number) };
    return { shape, X_BG: turned(pose, ALONG[axis]) };
  }

  private mesh(
    prim: Prim,
    local: Affine,
    axes: readonly number[],
    pose: Pose,
    kind: 'dynamic' | 'kinematic' | 'static',
  ): PlacedShape | undefined {
    const source = this.meshes.read(prim);
    if (source === undefined) {
      this.notes.add('a mesh without faces; it takes no part', prim.path);
      return undefined;
    }
    const wish = prim.has('PhysicsMeshCollisionAPI') ? (prim.text('physics:approximation') ?? 'none') : 'none';
    if (wish === 'boundingCube' || wish === 'boundingSphere') return boundingShape(wish, source, local, axes, pose);
    // Vertices keep their stretch, the pose has the rotation: copies of one mesh stay one object.
    const quaternion = rotationOf(local);
    const X_BG: Pose = { position: column(local, 3), quaternion };
    const stretch = multiply(inverse(affineOf(X_BG)) as Affine, local);
    const mesh = this.meshes.stretched(source, stretch);
    if (!this.isHull(wish, kind, prim)) return { shape: this.solid('mesh', mesh), X_BG };
    const hull = convexHullOf(mesh);
    if (hull === undefined) {
      this.notes.add('a flat mesh has no hull; its triangles are used', prim.path);
      return { shape: this.solid('mesh', mesh), X_BG };
    }
    return { shape: this.solid('convex', hull), X_BG, surface: mesh };
  }

  /** One object per mesh. */
  private solid(type: 'mesh' | 'convex', mesh: Mesh): Shape {
    const shape = this.solids.get(mesh) ?? { type, mesh };
    this.solids.set(mesh, shape);
    return shape;
  }

  /** Which meshes PhysX replaces by their hull. */
  private isHull(wish: string, kind: string, prim: Prim): boolean {
    switch (wish) {
      case 'convexHull':
        return true;
      case 'convexDecomposition':
        this.notes.add('convexDecomposition: PhysX cuts the mesh into hulls, here the exact mesh stands for them', prim.path);
        return false;
      case 'sdf':
        return false;
      case 'sphereFill':
        this.notes.add('sphereFill: PhysX fills the mesh with spheres, here the exact mesh stands for them', prim.path);
        return false;
      case 'none':
      case 'meshSimplification':
        if (wish === 'meshSimplification') this.notes.add('meshSimplification: the mesh is used as it is', prim.path);
        if (kind !== 'dynamic') return false;
        this.notes.add(`the approximation '${wish}' on a body that moves: PhysX falls back to the convex hull`, prim.path);
        return true;
      default:
        throw new S4rError('INVALID_INPUT', `unknown physics:approximation '${wish}'`, placeOfPrim(prim));
    }
  }

  private size(prim: Prim, name: string, fallback: number): number {
    const attribute = prim.attribute(name);
    const value = attribute === undefined ? fallback : attribute.value;
    if (attribute?.animated === true) this.notes.add(ANIMATED, prim.path);
    if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
    throw new S4rError('INVALID_INPUT', `${name} must be a positive number, got ${String(value)}`, placeOfPrim(prim));
  }
}

/** From z to the axis. */
const ALONG: Readonly<Record<'X' | 'Y' | 'Z', Quat>> = {
  X: quatFromAxisAngle([0, 1, 0], Math.PI / 2) as Quat,
  Y: quatFromAxisAngle([1, 0, 0], -Math.PI / 2) as Quat,
  Z: [1, 0, 0, 0],
};

function axisOf(prim: Prim): 'X' | 'Y' | 'Z' {
  const axis = prim.text('axis') ?? 'Z';
  if (axis === 'X' || axis === 'Y' || axis === 'Z') return axis;
  throw new S4rError('INVALID_INPUT', `axis must be "X", "Y" or "Z", got "${axis}"`, placeOfPrim(prim));
}

/** The pose without scale. A mirror image is undone along axis `mirror`, across which the shape is symmetric. */
function frameOf(local: Affine, axes: readonly number[], mirror: number): { pose: Pose; sheared: boolean } {
  const unit = local.map((value, i) => (i % 4 === 3 ? 0 : value / (axes[i % 4] as number)));
  const dots = [0, 1, 2].map((k) => {
    const [a, b] = [column(unit, k), column(unit, (k + 1) % 3)];
    return Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  });
  const proper = determinant(unit) < 0 ? unit.map((value, i) => (i % 4 === mirror ? -value : value)) : unit;
  return { pose: { position: column(local, 3), quaternion: rotationOf(proper) }, sheared: Math.max(...dots) > SHEAR };
}

function turned({ position, quaternion }: Pose, turn: Quat): Pose {
  return {
    position,
    quaternion: rotationOf(multiply(affineOf({ position: [0, 0, 0], quaternion }), affineOf({ position: [0, 0, 0], quaternion: turn }))),
  };
}

function boundingShape(wish: string, source: Mesh, local: Affine, axes: readonly number[], { quaternion }: Pose): PlacedShape {
  const { centre, half, radius } = boundsOf(source);
  const X_BG: Pose = { position: apply(local, centre), quaternion };
  if (wish === 'boundingSphere') return { shape: { type: 'sphere', radius: radius * Math.max(...axes) }, X_BG };
  // A flat mesh has a box that is a hair thick, as PhysX makes it.
  const thinnest = 1e-6 * Math.max(...half);
  return { shape: { type: 'box', halfExtents: half.map((h, k) => Math.max(h, thinnest) * (axes[k] as number)) as unknown as Vec3 }, X_BG };
}

function scaledBy(axes: readonly number[], factor: number): Vec3 {
  return axes.map((axis) => axis * factor) as unknown as Vec3;
}

function uneven(scales: readonly number[]): boolean {
  return Math.max(...scales) > Math.min(...scales) * (1 + 1e-6);
}
