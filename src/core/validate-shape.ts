/** Checks of shapes and their meshes. A shape or mesh shared by many geoms is checked once, for the first that uses it. */
import type { Mesh, Shape } from './scene.js';
import { failField, type Path, requireObject, requirePositive, requirePositives, requireTypedArray } from './validate-fields.js';

/** Lengths relative to the diagonal of the mesh's box: float32 vertices round at 1e-7 of it. */
const CONCAVITY_TOLERANCE = 1e-3;
const SLIVER_HEIGHT = 1e-4;
/** Vertex-plane tests spent on one convex mesh; of larger ones only every k-th face is tested. */
const CONVEXITY_TESTS = 4e6;
/** A closed surface has no net vector area; this much of the total area is rounding. */
const CLOSURE_TOLERANCE = 1e-6;

/** Checks shapes, remembering which objects it has seen. */
export class ShapeChecker {
  private readonly shapes = new Set<Shape>();
  private readonly meshes = new Set<Mesh>();
  private readonly hulls = new Set<Mesh>();

  /** @throws S4rError INVALID_SCENE naming the field; `at` is the geom's path. */
  check(at: Path, shape: Shape): void {
    if (this.shapes.has(shape)) return;
    requireObject(at, '.shape', shape);
    switch (shape.type) {
      case 'sphere':
        requirePositive(at, '.shape.radius', shape.radius);
        break;
      case 'box':
        requirePositives(at, '.shape.halfExtents', shape.halfExtents, 3, 'half edge lengths [x, y, z]');
        break;
      case 'capsule':
      case 'cylinder':
      case 'cone':
        requirePositive(at, '.shape.radius', shape.radius);
        requirePositive(at, '.shape.halfLength', shape.halfLength);
        break;
      case 'ellipsoid':
        requirePositives(at, '.shape.radii', shape.radii, 3, 'semi-axes [x, y, z]');
        break;
      case 'halfspace':
        break;
      case 'heightfield':
        checkHeightfield(at, shape);
        break;
      case 'convex':
        this.checkMesh(at, '.shape.mesh', shape.mesh);
        if (!this.hulls.has(shape.mesh)) checkHull(at, shape.mesh);
        this.hulls.add(shape.mesh);
        break;
      case 'mesh':
        this.checkMesh(at, '.shape.mesh', shape.mesh);
        break;
      default:
        failField(at, '.shape.type', 'a known shape type', (shape as { type?: unknown }).type);
    }
    this.shapes.add(shape);
  }

  /** As `check`, of the mesh in `field`. */
  checkMesh(at: Path, field: string, mesh: Mesh): void {
    if (this.meshes.has(mesh)) return;
    checkMesh(at, field, mesh);
    this.meshes.add(mesh);
  }
}

function checkHeightfield(at: Path, shape: Extract<Shape, { type: 'heightfield' }>): void {
  for (const side of ['rows', 'cols'] as const) {
    if (!(Number.isInteger(shape[side]) && shape[side] >= 2)) failField(at, `.shape.${side}`, 'an integer >= 2', shape[side]);
  }
  requirePositives(at, '.shape.halfExtents', shape.halfExtents, 2, 'half extents [x, y]');
  requirePositive(at, '.shape.baseDepth', shape.baseDepth);
  requireTypedArray(at, '.shape.heights', shape.heights, 'Float64Array');
  const wanted = shape.rows * shape.cols;
  if (shape.heights.length !== wanted) {
    failField(at, '.shape.heights', `rows x cols = ${wanted} heights`, shape.heights.length);
  }
  for (let i = 0; i < wanted; i++) {
    const height = shape.heights[i] as number;
    if (!(Number.isFinite(height) && height > -shape.baseDepth)) {
      failField(at, `.shape.heights[${i}]`, `a finite height above -baseDepth = ${-shape.baseDepth}`, height);
    }
  }
}

/** Finite vertices, indices in range, some area. Single triangles without area are common in scanned meshes and allowed. */
function checkMesh(at: Path, field: string, mesh: Mesh): void {
  requireObject(at, field, mesh);
  const { vertices, triangles } = mesh;
  requireTypedArray(at, `${field}.vertices`, vertices, 'Float64Array');
  requireTypedArray(at, `${field}.triangles`, triangles, 'Int32Array');
  if (vertices.length === 0 || vertices.length % 3 !== 0) {
    failField(at, `${field}.vertices`, '3 numbers per vertex, at least one vertex', vertices.length);
  }
  if (triangles.length === 0 || triangles.length % 3 !== 0) {
    failField(at, `${field}.triangles`, '3 indices per triangle, at least one triangle', triangles.length);
  }
  for (let i = 0; i < vertices.length; i++) {
    if (!Number.isFinite(vertices[i])) failField(at, `${field}.vertices[${i}]`, 'a finite number', vertices[i]);
  }
  const count = vertices.length / 3;
  for (let i = 0; i < triangles.length; i++) {
    const index = triangles[i] as number;
    if (index < 0 || index >= count) failField(at, `${field}.triangles[${i}]`, `a vertex index below ${count}`, index);
  }
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) area += Math.hypot(...areaVector(mesh, i));
  if (!(area > 0)) failField(at, field, 'a surface with area', area);
}

/** Closed, wound counter-clockwise, enclosing volume, and convex as far as rounded vertices can show. */
function checkHull(at: Path, mesh: Mesh): void {
  const { vertices, triangles } = mesh;
  const [ox, oy, oz] = vertices as unknown as [number, number, number];
  const net = [0, 0, 0] as [number, number, number];
  let area = 0;
  let volume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const n = areaVector(mesh, i);
    const a = 3 * (triangles[i] as number);
    area += Math.hypot(...n);
    for (let k = 0; k < 3; k++) net[k as 0 | 1 | 2] += n[k] as number;
    volume +=
      (n[0] * ((vertices[a] as number) - ox) + n[1] * ((vertices[a + 1] as number) - oy) + n[2] * ((vertices[a + 2] as number) - oz)) / 3;
  }
  if (Math.hypot(...net) > CLOSURE_TOLERANCE * area) failField(at, '.shape.mesh', 'a closed convex surface', 'an open one');
  if (volume < 0) failField(at, '.shape.mesh.triangles', 'counter-clockwise triangles seen from outside', 'clockwise ones');
  if (!(volume > 0)) failField(at, '.shape.mesh', 'a convex solid with volume', `volume ${volume}`);
  checkConvexity(at, mesh);
}

function checkConvexity(at: Path, mesh: Mesh): void {
  const { vertices, triangles } = mesh;
  const diagonal = boxDiagonal(vertices);
  const step = 3 * Math.max(1, Math.ceil(((vertices.length / 3) * (triangles.length / 3)) / CONVEXITY_TESTS));
  for (let i = 0; i < triangles.length; i += step) {
    const n = areaVector(mesh, i);
    const doubleArea = 2 * Math.hypot(...n);
    // The plane of a sliver is rounding noise and proves nothing.
    if (doubleArea < SLIVER_HEIGHT * diagonal * longestEdge(mesh, i)) continue;
    const a = 3 * (triangles[i] as number);
    const offset = n[0] * (vertices[a] as number) + n[1] * (vertices[a + 1] as number) + n[2] * (vertices[a + 2] as number);
    const reach = offset + (CONCAVITY_TOLERANCE * diagonal * doubleArea) / 2;
    for (let v = 0; v < vertices.length; v += 3) {
      if (n[0] * (vertices[v] as number) + n[1] * (vertices[v + 1] as number) + n[2] * (vertices[v + 2] as number) > reach) {
        failField(at, '.shape.mesh', 'a convex surface', `vertex ${v / 3} outside triangle ${i / 3}`);
      }
    }
  }
}

/** Half the cross product of two edges of the triangle that starts at `triangles[i]`: its area along its normal. */
function areaVector({ vertices, triangles }: Mesh, i: number): [number, number, number] {
  const a = 3 * (triangles[i] as number);
  const b = 3 * (triangles[i + 1] as number);
  const c = 3 * (triangles[i + 2] as number);
  const ax = vertices[a] as number;
  const ay = vertices[a + 1] as number;
  const az = vertices[a + 2] as number;
  const ux = (vertices[b] as number) - ax;
  const uy = (vertices[b + 1] as number) - ay;
  const uz = (vertices[b + 2] as number) - az;
  const vx = (vertices[c] as number) - ax;
  const vy = (vertices[c + 1] as number) - ay;
  const vz = (vertices[c + 2] as number) - az;
  return [(uy * vz - uz * vy) / 2, (uz * vx - ux * vz) / 2, (ux * vy - uy * vx) / 2];
}

function longestEdge({ vertices, triangles }: Mesh, i: number): number {
  let longest = 0;
  for (let k = 0; k < 3; k++) {
    const a = 3 * (triangles[i + k] as number);
    const b = 3 * (triangles[i + ((k + 1) % 3)] as number);
    const [x, y, z] = [0, 1, 2].map((d) => (vertices[b + d] as number) - (vertices[a + d] as number)) as [number, number, number];
    longest = Math.max(longest, Math.hypot(x, y, z));
  }
  return longest;
}

/** Diagonal of the vertices' bounding box [m]. */
function boxDiagonal(vertices: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    const value = vertices[i] as number;
    if (value < (low[i % 3] as number)) low[i % 3] = value;
    if (value > (high[i % 3] as number)) high[i % 3] = value;
  }
  return Math.hypot(...low.map((value, k) => (high[k] as number) - value));
}
