/** Collision shapes as MuJoCo uses them: hulls for meshes, infinite planes, height fields with their prisms. */
import type { Mesh, Pose, Shape, Vec3 } from '../../core/scene.js';
import { compose, QUARTER_TURN_Z, quatWxyzAt, vec3At } from '../conventions.js';
import { reversed } from '../meshes/triangles.js';
import type { MainModule, MjModel } from './engine.js';

/** A geom's shape and pose in its body's frame. */
export interface GeomShape {
  readonly shape: Shape;
  readonly X_BG: Pose;
  /** The triangles that a hull stands for; absent if the hull is the mesh itself. */
  readonly surface?: Mesh;
}

/** How far the volumes of a mesh and its hull may differ and the two be the same, relative: vertices are of single precision. */
const SAME_VOLUME = 1e-6;

/** Reads the shapes of one model; geoms with the same mesh or height field get the same object, a hull and an SDF the same triangles. */
export class ShapeReader {
  private readonly hulls = new Map<number, Pick<GeomShape, 'shape' | 'surface'>>();
  private readonly meshes = new Map<number, Shape>();
  private readonly surfaces = new Map<number, Mesh>();
  private readonly heightfields = new Map<number, Shape>();
  private readonly halfspace: Shape = { type: 'halfspace' };

  constructor(
    private readonly engine: MainModule,
    private readonly model: MjModel,
  ) {}

  /** Shape and local pose of geom `g`; undefined for a type this version does not know. */
  read(g: number): GeomShape | undefined {
    const { model } = this;
    const X_BG: Pose = { position: vec3At(model.geom_pos, 3 * g), quaternion: quatWxyzAt(model.geom_quat, 4 * g) };
    const [a, b, c] = vec3At(model.geom_size, 3 * g);
    const data = model.geom_dataid[g] as number;
    const types = this.engine.mjtGeom;
    switch (model.geom_type[g]) {
      case types.mjGEOM_PLANE.value:
        return { shape: this.halfspace, X_BG };
      case types.mjGEOM_HFIELD.value:
        return { shape: cached(this.heightfields, data, () => heightfield(model, data)), X_BG: compose(X_BG, QUARTER_TURN_Z) };
      case types.mjGEOM_SPHERE.value:
        return { shape: { type: 'sphere', radius: a }, X_BG };
      case types.mjGEOM_CAPSULE.value:
        return { shape: { type: 'capsule', radius: a, halfLength: b }, X_BG };
      case types.mjGEOM_CYLINDER.value:
        return { shape: { type: 'cylinder', radius: a, halfLength: b }, X_BG };
      case types.mjGEOM_ELLIPSOID.value:
        return { shape: { type: 'ellipsoid', radii: [a, b, c] }, X_BG };
      case types.mjGEOM_BOX.value:
        return { shape: { type: 'box', halfExtents: [a, b, c] }, X_BG };
      case types.mjGEOM_MESH.value:
        return { ...cached(this.hulls, data, () => hullOf(model, data, this.surface(data))), X_BG };
      case types.mjGEOM_SDF.value:
        return { shape: cached(this.meshes, data, () => ({ type: 'mesh', mesh: this.surface(data) })), X_BG };
      default:
        return undefined;
    }
  }

  private surface(mesh: number): Mesh {
    return cached(this.surfaces, mesh, () => meshOf(this.model, mesh));
  }
}

function cached<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The triangles of the asset, wound outwards. */
function meshOf(model: MjModel, mesh: number): Mesh {
  const first = model.mesh_vertadr[mesh] as number;
  const firstFace = model.mesh_faceadr[mesh] as number;
  const vertices = Float64Array.from(model.mesh_vert.subarray(3 * first, 3 * (first + (model.mesh_vertnum[mesh] as number))));
  const faces = Int32Array.from(model.mesh_face.subarray(3 * firstFace, 3 * (firstFace + (model.mesh_facenum[mesh] as number))));
  return { vertices, triangles: wound(vertices, faces) };
}

/**
 * The convex hull MuJoCo collides with. mesh_graph holds, per mesh: vertex count, face count, edge addresses,
 * the hull's vertices as indices into the mesh's, edges, and 3 such indices per hull face, counter-clockwise from outside.
 */
function hullOf(model: MjModel, mesh: number, surface: Mesh): Pick<GeomShape, 'shape' | 'surface'> {
  const address = model.mesh_graphadr[mesh] as number;
  // Every mesh of a colliding geom has a hull; without one, its own triangles are the next best.
  if (address < 0) return { shape: { type: 'mesh', mesh: surface } };
  const graph: Int32Array = model.mesh_graph;
  const vertexCount = graph[address] as number;
  const faceCount = graph[address + 1] as number;
  const ids = graph.subarray(address + 2 + vertexCount, address + 2 + 2 * vertexCount);
  const faces = graph.subarray(address + 2 + 3 * (vertexCount + faceCount), address + 2 + 3 * vertexCount + 6 * faceCount);
  const index = new Map<number, number>();
  const vertices = new Float64Array(3 * vertexCount);
  const first = model.mesh_vertadr[mesh] as number;
  ids.forEach((id, i) => {
    index.set(id, i);
    vertices.set(vec3At(model.mesh_vert, 3 * (first + id)), 3 * i);
  });
  const triangles = Int32Array.from(faces, (id) => index.get(id) as number);
  const hull: Mesh = { vertices, triangles: wound(vertices, triangles) };
  const volume = signedVolume(hull);
  const same = Math.abs(signedVolume(surface) - volume) <= SAME_VOLUME * volume;
  return { shape: { type: 'convex', mesh: hull }, ...(same ? {} : { surface }) };
}

/** Triangles counter-clockwise from outside: those of a mesh mirrored by a negative scale come clockwise. */
function wound(vertices: Float64Array, triangles: Int32Array): Int32Array {
  if (signedVolume({ vertices, triangles }) >= 0) return triangles;
  return reversed(triangles);
}

/**
 * Volume inside a closed mesh, negative if it is inside out; a sum of tetrahedra with the origin, not with a vertex, from which a hole beside
 * it would not show.
 */
function signedVolume({ vertices, triangles }: Mesh): number {
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vec3At(vertices, 3 * (triangles[t + k] as number))) as [Vec3, Vec3, Vec3];
    volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return volume / 6;
}

/**
 * MuJoCo cuts each cell from (row, col) to (row + 1, col + 1), `Scene` along the other diagonal. A quarter turn about z,
 * undone by the geom's pose, turns one into the other: column c of ours is row c of MuJoCo's, row r its column cols - 1 - r.
 */
function heightfield(model: MjModel, field: number): Shape {
  const mjRows = model.hfield_nrow[field] as number;
  const mjCols = model.hfield_ncol[field] as number;
  const first = model.hfield_adr[field] as number;
  const [halfX, halfY, height, baseDepth] = Array.from(model.hfield_size.subarray(4 * field, 4 * field + 4)) as [
    number,
    number,
    number,
    number,
  ];
  const heights = new Float64Array(mjRows * mjCols);
  for (let row = 0; row < mjCols; row++) {
    for (let col = 0; col < mjRows; col++) {
      const sample = model.hfield_data[first + col * mjCols + (mjCols - 1 - row)] as number;
      heights[row * mjRows + col] = sample * height;
    }
  }
  return { type: 'heightfield', rows: mjCols, cols: mjRows, heights, halfExtents: [halfY, halfX], baseDepth };
}
