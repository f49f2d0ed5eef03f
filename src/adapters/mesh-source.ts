/** Mesh files as shapes, for every format that refers to some. */
import { S4rError } from '../core/errors.js';
import { verticesOf } from '../core/geometry/hull.js';
import type { Mesh, Shape, Vec3 } from '../core/scene.js';
import type { Disk, Place } from './files/disk.js';
import { hullMesh } from './hull.js';
import { readDae } from './meshes/dae.js';
import { readObj } from './meshes/obj.js';
import { readStl } from './meshes/stl.js';
import { extent, isClosed, reversed, scaledMesh, signedVolume, surfaceArea } from './meshes/triangles.js';

/** What a mesh collides as: its convex hull (MuJoCo, Isaac Sim and Bullet by default) or its own triangles. */
export type MeshMode = 'hull' | 'exact';

/** A mesh at one scale. The same object for all that ask for the same. */
export interface MeshGeometry {
  readonly shape: Shape;
  /** The triangles, where `shape` is their hull. */
  readonly surface?: Mesh;
  /** What is odd about it, one sentence each; they name no file. */
  readonly notes: readonly string[];
}

/** Extents beyond these [m] are more likely a wrong unit than an object. */
const LARGEST = 100;
const SMALLEST = 1e-4;

interface LoadedMesh {
  readonly mesh: Mesh;
  readonly notes: readonly string[];
}

type Reader = (path: string, bytes: Uint8Array) => LoadedMesh;

const READERS: Readonly<Record<string, Reader>> = {
  stl: (path, bytes) => ({ mesh: readStl(path, bytes), notes: [] }),
  obj: (path, bytes) => ({ mesh: readObj(path, bytes), notes: [] }),
  dae: (path, bytes) => {
    const { mesh, upAxis } = readDae(path, bytes);
    const turned = `its up axis is ${upAxis}: the coordinates are taken as they stand, as in ROS (Bullet would turn them)`;
    return { mesh, notes: upAxis === 'Z_UP' ? [] : [turned] };
  },
};

/** Loads every file once. */
export class MeshSource {
  private readonly files = new Map<string, LoadedMesh>();
  private readonly geometries = new Map<string, MeshGeometry>();

  constructor(private readonly disk: Disk) {}

  /**
   * The mesh in the file at the absolute `path`, each coordinate times `scale`; mirrored ones keep their outside outside.
   * @param place the element that asks for it
   * @throws S4rError INVALID_INPUT naming `place`, the file and the reason
   */
  async load(path: string, scale: Vec3, mode: MeshMode, place: Place): Promise<MeshGeometry> {
    const key = JSON.stringify([path, scale, mode]);
    let geometry = this.geometries.get(key);
    if (geometry === undefined) {
      geometry = await this.make(path, scale, mode, place);
      this.geometries.set(key, geometry);
    }
    return geometry;
  }

  private async make(path: string, scale: Vec3, mode: MeshMode, place: Place): Promise<MeshGeometry> {
    const { mesh, notes } = await this.file(path, place);
    const surface = outward(scaledMesh(mesh, scale));
    const size = extent(surface);
    if (!(Number.isFinite(size) && surfaceArea(surface) > 0)) {
      throw new S4rError('INVALID_INPUT', `the mesh ${path} has no area at this scale`, place);
    }
    const odd = size > LARGEST || size < SMALLEST ? [`it is ${Number(size.toPrecision(3))} m long: is the unit right?`] : [];
    const hull = mode === 'hull' ? hullMesh(verticesOf(surface)) : undefined;
    if (hull !== undefined) return { shape: { type: 'convex', mesh: hull }, surface, notes: [...notes, ...odd] };
    const flat = mode === 'hull' ? ['it is flat and has no hull: its triangles are used'] : [];
    return { shape: { type: 'mesh', mesh: surface }, notes: [...notes, ...odd, ...flat] };
  }

  private async file(path: string, place: Place): Promise<LoadedMesh> {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const extension = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
    const read = READERS[extension];
    if (read === undefined) {
      throw new S4rError('INVALID_INPUT', `the mesh ${path} is of no known type: ${Object.keys(READERS).join(', ')}`, place);
    }
    const bytes = await this.disk.read(path, place);
    let loaded: LoadedMesh;
    try {
      loaded = read(path, bytes);
    } catch (cause) {
      if (!(cause instanceof S4rError)) throw cause;
      throw new S4rError('INVALID_INPUT', `cannot use the mesh ${cause.message}`, place, { cause });
    }
    if (loaded.mesh.triangles.length === 0) throw new S4rError('INVALID_INPUT', `the mesh ${path} has no triangles`, place);
    this.files.set(path, loaded);
    return loaded;
  }
}

/** A solid wound inside out would count as everything but itself. */
function outward(mesh: Mesh): Mesh {
  return signedVolume(mesh) < 0 && isClosed(mesh) ? { vertices: mesh.vertices, triangles: reversed(mesh.triangles) } : mesh;
}
