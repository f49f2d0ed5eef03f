/** The shape table of a packed scene: what many geoms share is packed once. */
import type { Mesh, Shape, Vec3 } from './scene.js';

/** Order of the numbers in `shapeKind`. */
export const SHAPE_KINDS = [
  'sphere',
  'box',
  'capsule',
  'cylinder',
  'cone',
  'ellipsoid',
  'halfspace',
  'heightfield',
  'convex',
  'mesh',
] as const;

/** Distinct shapes, meshes and height fields in order of first use. */
export class ShapeTable {
  private readonly byObject = new Map<Shape, number>();
  private readonly byValue = new Map<string, number>();
  private readonly rows: { kind: number; size: Vec3; data: number }[] = [];
  private readonly meshes = new Map<Mesh, number>();
  private readonly fields: Extract<Shape, { type: 'heightfield' }>[] = [];

  indexOf(shape: Shape): number {
    let index = this.byObject.get(shape);
    if (index !== undefined) return index;
    const size = sizeOf(shape);
    const data = this.dataOf(shape);
    // -0 and 0 print alike and differ in no size; numbers print with all their digits.
    const key = `${shape.type} ${size.join(' ')} ${data}`;
    index = this.byValue.get(key);
    if (index === undefined) {
      index = this.rows.push({ kind: SHAPE_KINDS.indexOf(shape.type), size, data }) - 1;
      this.byValue.set(key, index);
    }
    this.byObject.set(shape, index);
    return index;
  }

  private dataOf(shape: Shape): number {
    if (shape.type === 'heightfield') return this.fields.push(shape) - 1;
    if (shape.type !== 'convex' && shape.type !== 'mesh') return -1;
    const known = this.meshes.get(shape.mesh);
    if (known !== undefined) return known;
    this.meshes.set(shape.mesh, this.meshes.size);
    return this.meshes.size - 1;
  }

  /** The fields of `PackedScene` that hold shapes. */
  pack() {
    const meshes = [...this.meshes.keys()];
    const vertices = concatenate(
      Float64Array,
      meshes.map((mesh) => mesh.vertices),
    );
    const triangles = concatenate(
      Int32Array,
      meshes.map((mesh) => mesh.triangles),
    );
    const heights = concatenate(
      Float64Array,
      this.fields.map((field) => field.heights),
    );
    return {
      shapeKind: Int32Array.from(this.rows, (row) => row.kind),
      shapeSize: Float64Array.from(this.rows.flatMap((row) => row.size)),
      shapeData: Int32Array.from(this.rows, (row) => row.data),
      meshVertexStart: vertices.starts.map((start) => start / 3),
      meshVertices: vertices.values,
      meshTriangleStart: triangles.starts.map((start) => start / 3),
      meshTriangles: triangles.values,
      fieldSize: Int32Array.from(this.fields.flatMap((field) => [field.rows, field.cols])),
      fieldStart: heights.starts,
      fieldHeights: heights.values,
    };
  }
}

function sizeOf(shape: Shape): Vec3 {
  switch (shape.type) {
    case 'sphere':
      return [shape.radius, 0, 0];
    case 'box':
      return shape.halfExtents;
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return [shape.radius, shape.halfLength, 0];
    case 'ellipsoid':
      return shape.radii;
    case 'heightfield':
      return [...shape.halfExtents, shape.baseDepth];
    case 'halfspace':
    case 'convex':
    case 'mesh':
      return [0, 0, 0];
  }
}

/** The arrays one after the other, and where each starts and the last ends. */
function concatenate<T extends Float64Array | Int32Array>(type: new (length: number) => T, arrays: readonly T[]) {
  const starts = new Int32Array(arrays.length + 1);
  arrays.forEach((array, i) => {
    starts[i + 1] = (starts[i] as number) + array.length;
  });
  const values = new type(starts[arrays.length] as number);
  arrays.forEach((array, i) => {
    values.set(array as never, starts[i] as number);
  });
  return { values, starts };
}
