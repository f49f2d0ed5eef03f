/**
 * Triangulated convex hull of any points: quickhull (Barber, Dobkin and Huhdanpaa 1996) on a grid of integers, where the one question it
 * asks, on which side of a plane a point lies, has an exact answer. So the surface is closed and the loop ends whatever the points,
 * thousands of coplanar ones included; with a tolerance in its place quickhull3d leaves holes on some scanned meshes and never ends on others.
 */
import { cross } from '../pose-math.js';
import type { Vec3 } from '../scene.js';

/** Cells of the grid along the longest edge of the box: rounding by 2^-41 of it, far below what coordinates are known to. */
const CELLS = 2 ** 40;

/** The double determinant of differences of integers below 2^41 is off by less than this: Shewchuk 1997, bound A, times their size cubed. */
const ERROR_BOUND = 7.8e-16;

type Corners = readonly [number, number, number];

interface Face {
  readonly corners: Corners;
  /** The faces across the edges 0-1, 1-2 and 2-0. */
  readonly across: [Face, Face, Face];
  /** Points in front of it; each point stands at one face only. */
  outside: number[];
  alive: boolean;
}

/** Point indices, three per triangle, counter-clockwise from outside; undefined if the points lie in a plane, to rounding. */
export function hullTriangles(points: readonly Vec3[]): Int32Array | undefined {
  return new HullBuilder(onGrid(points)).build();
}

/** Coordinates as integers below `CELLS`. */
function onGrid(points: readonly Vec3[]): Vec3[] {
  const low = [0, 1, 2].map((k) => points.reduce((least, point) => Math.min(least, point[k] as number), Infinity));
  const size = Math.max(...low.map((least, k) => points.reduce((most, point) => Math.max(most, point[k] as number), -Infinity) - least));
  const cell = size > 0 ? CELLS / size : 0;
  const at = (point: Vec3, k: 0 | 1 | 2) => Math.round((point[k] - (low[k] as number)) * cell);
  return points.map((point) => [at(point, 0), at(point, 1), at(point, 2)]);
}

class HullBuilder {
  private readonly faces: Face[] = [];

  constructor(private readonly points: readonly Vec3[]) {}

  build(): Int32Array | undefined {
    const start = this.simplex();
    if (start === undefined) return undefined;
    this.startWith(start);
    // Faces are added while the loop runs.
    for (let f = 0; f < this.faces.length; f++) {
      const face = this.faces[f] as Face;
      if (face.alive && face.outside.length > 0) this.add(this.farthest(face), face);
    }
    return Int32Array.from(this.faces.filter(({ alive }) => alive).flatMap(({ corners }) => [...corners]));
  }

  /** Four points that span a solid. */
  private simplex(): readonly [number, number, number, number] | undefined {
    const a = 0;
    const b = this.best((p) => Math.hypot(...this.minus(p, a)));
    const ab = b === undefined ? undefined : this.minus(b, a);
    const c = ab && this.best((p) => Math.hypot(...cross(ab, this.minus(p, a))));
    const d = c === undefined ? undefined : this.best((p) => Math.abs(this.orient([a, b as number, c], p)));
    return d === undefined ? undefined : [a, b as number, c as number, d];
  }

  private best(score: (point: number) => number): number | undefined {
    let [found, most] = [undefined as number | undefined, 0];
    for (let p = 0; p < this.points.length; p++) {
      const value = score(p);
      if (value > most) [found, most] = [p, value];
    }
    return found;
  }

  private startWith([a, b, c, d]: readonly [number, number, number, number]): void {
    const [q, r] = this.orient([a, b, c], d) < 0 ? [b, c] : [c, b];
    const corners: Corners[] = [
      [a, q, r],
      [a, d, q],
      [q, d, r],
      [r, d, a],
    ];
    this.faces.push(...linked(corners));
    const all = this.points.map((_, p) => p).filter((p) => p !== a && p !== b && p !== c && p !== d);
    this.assign(all, this.faces);
  }

  /** Give every point to the first of the faces that it is in front of; one behind all of them is inside for good. */
  private assign(points: readonly number[], faces: readonly Face[]): void {
    for (const p of points) faces.find(({ corners }) => this.orient(corners, p) > 0)?.outside.push(p);
  }

  private farthest({ corners, outside }: Face): number {
    let [found, most] = [outside[0] as number, -Infinity];
    for (const p of outside) {
      const height = this.orient(corners, p);
      if (height > most) [found, most] = [p, height];
    }
    return found;
  }

  /** Replace all faces that see the point by a cone from it to their rim. */
  private add(p: number, first: Face): void {
    const seen: Face[] = [first];
    const rim: { readonly from: number; readonly to: number; readonly beyond: Face }[] = [];
    first.alive = false;
    for (let s = 0; s < seen.length; s++) {
      for (const beyond of (seen[s] as Face).across) {
        if (!beyond.alive || this.orient(beyond.corners, p) <= 0) continue;
        beyond.alive = false;
        seen.push(beyond);
      }
    }
    for (const { corners, across } of seen) {
      across.forEach((beyond, k) => {
        if (beyond.alive) rim.push({ from: corners[k] as number, to: corners[(k + 1) % 3] as number, beyond });
      });
    }
    const byFrom = new Map<number, Face>();
    const byTo = new Map<number, Face>();
    const cone = rim.map(({ from, to, beyond }) => {
      const face = { corners: [from, to, p], across: [beyond] as unknown as Face['across'], outside: [], alive: true } satisfies Face;
      const back = beyond.corners.indexOf(to);
      beyond.across[back as 0 | 1 | 2] = face;
      byFrom.set(from, face);
      byTo.set(to, face);
      return face as Face;
    });
    for (const face of cone) {
      face.across[1] = byFrom.get(face.corners[1]) as Face;
      face.across[2] = byTo.get(face.corners[0]) as Face;
    }
    this.faces.push(...cone);
    for (const face of seen) {
      this.assign(
        face.outside.filter((other) => other !== p),
        cone,
      );
      face.outside = [];
    }
  }

  /** Positive if `p` lies in front of the corners, seen from where they run counter-clockwise; of exact sign. Six volumes. */
  private orient([a, b, c]: Corners, p: number): number {
    const [u, v, w] = [this.minus(a, p), this.minus(b, p), this.minus(c, p)];
    const [vw, wu, uv] = [v[0] * w[1] - v[1] * w[0], w[0] * u[1] - w[1] * u[0], u[0] * v[1] - u[1] * v[0]];
    const value = -(u[2] * vw + v[2] * wu + w[2] * uv);
    const size =
      (Math.abs(v[0] * w[1]) + Math.abs(v[1] * w[0])) * Math.abs(u[2]) +
      (Math.abs(w[0] * u[1]) + Math.abs(w[1] * u[0])) * Math.abs(v[2]) +
      (Math.abs(u[0] * v[1]) + Math.abs(u[1] * v[0])) * Math.abs(w[2]);
    return Math.abs(value) > ERROR_BOUND * size ? value : exactOrient(u, v, w);
  }

  /** Exact: integers below 2^40. */
  private minus(a: number, b: number): Vec3 {
    const [p, q] = [this.points[a] as Vec3, this.points[b] as Vec3];
    return [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
  }
}

function exactOrient(u: Vec3, v: Vec3, w: Vec3): number {
  const [a, b, c] = [u.map(BigInt), v.map(BigInt), w.map(BigInt)] as [bigint[], bigint[], bigint[]];
  const minor = (p: bigint[], q: bigint[]) => (p[0] as bigint) * (q[1] as bigint) - (p[1] as bigint) * (q[0] as bigint);
  return -Number((a[2] as bigint) * minor(b, c) + (b[2] as bigint) * minor(c, a) + (c[2] as bigint) * minor(a, b));
}

/** Faces of a closed surface that know their neighbours. */
function linked(all: readonly Corners[]): Face[] {
  const faces = all.map((corners): Face => ({ corners, across: [] as unknown as Face['across'], outside: [], alive: true }));
  const byEdge = new Map<string, Face>();
  for (const face of faces) for (const k of [0, 1, 2]) byEdge.set(`${face.corners[k]},${face.corners[(k + 1) % 3]}`, face);
  for (const { corners, across } of faces) {
    for (const k of [0, 1, 2] as const) across[k] = byEdge.get(`${corners[(k + 1) % 3]},${corners[k]}`) as Face;
  }
  return faces;
}
