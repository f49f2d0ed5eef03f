/** Triangle meshes put together, measured and scaled. */
import { cross, dot, subtract } from '../../core/pose-math.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { vec3At } from '../conventions.js';

/** Collects triangles; corners with the same three numbers become one vertex. */
export class MeshBuilder {
  private readonly coordinates: number[] = [];
  private readonly triangles: number[] = [];
  private readonly known = new Map<string, number>();

  get triangleCount(): number {
    return this.triangles.length / 3;
  }

  /** Index of the vertex at `p`. */
  vertex(p: Vec3): number {
    const key = `${p[0]},${p[1]},${p[2]}`;
    let index = this.known.get(key);
    if (index === undefined) {
      index = this.known.size;
      this.known.set(key, index);
      this.coordinates.push(...p);
    }
    return index;
  }

  /** Corners are vertex indices. A triangle with two equal corners bounds nothing and is left out. */
  triangle(a: number, b: number, c: number): void {
    if (a !== b && b !== c && c !== a) this.triangles.push(a, b, c);
  }

  /** A polygon cut into a fan from its first corner. */
  polygon(corners: readonly number[]): void {
    for (let i = 2; i < corners.length; i++) this.triangle(corners[0] as number, corners[i - 1] as number, corners[i] as number);
  }

  /** Vertices no triangle uses are left out: they are no part of the surface. */
  build(): Mesh {
    const index = new Map<number, number>();
    const triangles = Int32Array.from(this.triangles, (old) => {
      const known = index.get(old);
      if (known !== undefined) return known;
      index.set(old, index.size);
      return index.size - 1;
    });
    const vertices = new Float64Array(3 * index.size);
    for (const [old, fresh] of index) vertices.set(vec3At(this.coordinates, 3 * old), 3 * fresh);
    return { vertices, triangles };
  }
}

/** Every vertex scaled, component by component. A mirrored mesh is wound the other way round, so that outside stays outside. */
export function scaledMesh(mesh: Mesh, scale: Vec3): Mesh {
  if (scale.every((factor) => factor === 1)) return mesh;
  const vertices = mesh.vertices.map((value, i) => value * (scale[(i % 3) as 0 | 1 | 2] as number));
  return { vertices, triangles: scale[0] * scale[1] * scale[2] < 0 ? reversed(mesh.triangles) : mesh.triangles };
}

/** The same triangles seen from the other side. */
export function reversed(triangles: Int32Array): Int32Array {
  return triangles.map((_, i) => triangles[i + ([0, 1, -1][i % 3] as number)] as number);
}

/** Whether every edge is passed once in each direction: the mesh bounds a solid. */
export function isClosed({ vertices, triangles }: Mesh): boolean {
  const count = vertices.length / 3;
  const open = new Set<number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k] as number;
      const b = triangles[t + ((k + 1) % 3)] as number;
      if (open.has(a * count + b)) return false;
      if (!open.delete(b * count + a)) open.add(a * count + b);
    }
  }
  return open.size === 0;
}

/** Signed volume [m^3] by the divergence theorem, from the first vertex so that far from the origin nothing is lost. */
export function signedVolume({ vertices, triangles }: Mesh): number {
  const origin = vec3At(vertices, 0);
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const corner = (k: number) => subtract(vec3At(vertices, 3 * (triangles[t + k] as number)), origin);
    sum += dot(corner(0), cross(corner(1), corner(2)));
  }
  return sum / 6;
}

/** Total area [m^2]. */
export function surfaceArea({ vertices, triangles }: Mesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const corner = (k: number) => vec3At(vertices, 3 * (triangles[t + k] as number));
    sum += Math.hypot(...cross(subtract(corner(1), corner(0)), subtract(corner(2), corner(0)))) / 2;
  }
  return sum;
}

/** Longest edge of the box about the vertices [m]. */
export function extent({ vertices }: Mesh): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  vertices.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3] as number, value);
    high[i % 3] = Math.max(high[i % 3] as number, value);
  });
  return Math.max(...low.map((value, k) => (high[k] as number) - value));
}
