/** Closed triangle meshes, wound counter-clockwise seen from outside. Lengths [m]. */
import type { Mesh, Vec3 } from '../../src/core/scene.js';

function meshOf(vertices: readonly Vec3[], faces: readonly (readonly [number, number, number])[]): Mesh {
  return { vertices: Float64Array.from(vertices.flat()), triangles: Int32Array.from(faces.flat()) };
}

/** Regular tetrahedron with its corners at `radius` from the origin. */
export function tetrahedronMesh(radius = 1): Mesh {
  const r = radius / Math.sqrt(3);
  const corners: Vec3[] = [
    [r, r, r],
    [r, -r, -r],
    [-r, r, -r],
    [-r, -r, r],
  ];
  return meshOf(corners, [
    [0, 1, 2],
    [0, 3, 1],
    [0, 2, 3],
    [1, 3, 2],
  ]);
}

/** Box of the given half edge lengths. */
export function boxMesh([hx, hy, hz]: Vec3): Mesh {
  return extrude(
    [
      [-hx, -hy],
      [hx, -hy],
      [hx, hy],
      [-hx, hy],
    ],
    [
      [0, 1, 2],
      [0, 2, 3],
    ],
    hz,
  );
}

/** L-shaped prism: a square of side 2 `size` without its upper right quarter, `size` thick; not convex. */
export function lShapeMesh(size = 1): Mesh {
  const s = size;
  return extrude(
    [
      [-s, -s],
      [s, -s],
      [s, 0],
      [0, 0],
      [0, s],
      [-s, s],
    ],
    [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 5],
      [3, 4, 5],
    ],
    s / 2,
  );
}

/** Icosahedron whose triangles are cut in four `subdivisions` times, pushed out to `radius`. */
export function icosphereMesh(radius = 1, subdivisions = 2): Mesh {
  const t = (1 + Math.sqrt(5)) / 2;
  // biome-ignore format: one row per plane of the icosahedron
  const vertices: Vec3[] = ([
    [-1, t, 0], [1, t, 0], [-1, -t, 0], [1, -t, 0],
    [0, -1, t], [0, 1, t], [0, -1, -t], [0, 1, -t],
    [t, 0, -1], [t, 0, 1], [-t, 0, -1], [-t, 0, 1],
  ] as Vec3[]).map((v) => scaledTo(v, radius));
  // biome-ignore format: five faces a row
  let faces: [number, number, number][] = [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
    [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
    [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
    [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
  ];
  for (let level = 0; level < subdivisions; level++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number): number => {
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      const known = middles.get(key);
      if (known !== undefined) return known;
      const [p, q] = [vertices[a] as Vec3, vertices[b] as Vec3];
      const index = vertices.push(scaledTo([p[0] + q[0], p[1] + q[1], p[2] + q[2]], radius)) - 1;
      middles.set(key, index);
      return index;
    };
    faces = faces.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ] as [number, number, number][];
    });
  }
  return meshOf(vertices, faces);
}

/** Torus around z; `ring` from the origin to the tube's centre line, `tube` its radius. */
export function torusMesh(ring = 1, tube = 0.3, segments = 24, sides = 12): Mesh {
  const vertices: Vec3[] = [];
  const faces: [number, number, number][] = [];
  for (let i = 0; i < segments; i++) {
    for (let j = 0; j < sides; j++) {
      const u = (2 * Math.PI * i) / segments;
      const v = (2 * Math.PI * j) / sides;
      const r = ring + tube * Math.cos(v);
      vertices.push([r * Math.cos(u), r * Math.sin(u), tube * Math.sin(v)]);
      const [i1, j1] = [(i + 1) % segments, (j + 1) % sides];
      const [a, b, c, d] = [i * sides + j, i1 * sides + j, i1 * sides + j1, i * sides + j1];
      faces.push([a, b, c], [a, c, d]);
    }
  }
  return meshOf(vertices, faces);
}

/** Prism from z = -halfHeight to halfHeight over a triangulated outline, both counter-clockwise. */
function extrude(
  outline: readonly (readonly [number, number])[],
  caps: readonly (readonly [number, number, number])[],
  halfHeight: number,
): Mesh {
  const n = outline.length;
  const vertices: Vec3[] = [-halfHeight, halfHeight].flatMap((z) => outline.map(([x, y]): Vec3 => [x, y, z]));
  const sides = outline.flatMap((_, i): [number, number, number][] => {
    const j = (i + 1) % n;
    return [
      [i, j, n + j],
      [i, n + j, n + i],
    ];
  });
  const bottom = caps.map(([a, b, c]): [number, number, number] => [a, c, b]);
  const top = caps.map(([a, b, c]): [number, number, number] => [n + a, n + b, n + c]);
  return meshOf(vertices, [...bottom, ...top, ...sides]);
}

function scaledTo(v: Vec3, radius: number): Vec3 {
  const factor = radius / Math.hypot(...v);
  return [v[0] * factor, v[1] * factor, v[2] * factor];
}
