// The meshes of the narrow-phase bench by size class, and the file that the native part reads them from.
import { writeFileSync } from 'node:fs';
import { normalise } from './mesh.mjs';
import { loadPool } from './pools.mjs';
import { resized } from './resize.mjs';

/** Triangles; `mixed` has some of each. */
export const SIZES = ['100', '300', '1000', '2400', 'mixed'];

/** Rings and sides of convex bodies of that many vertices. */
export const HULLS = { 'hull-8': [2, 4], 'hull-32': [4, 8], 'hull-48': [6, 8], 'hull-60': [6, 10] };

const PER_GROUP = 12;

/** {size, meshes} of each size class; the meshes of a class are spread over the pool. */
export function groupsOfPool(pool, sizes) {
  const templates = loadPool(pool);
  const counts = SIZES.filter((size) => size !== 'mixed').map(Number);
  return sizes.map((size) => {
    const meshes = Array.from({ length: PER_GROUP }, (_, k) => {
      const { mesh } = templates[Math.floor((k * templates.length) / PER_GROUP)].shape;
      return normalise(resized(mesh, size === 'mixed' ? counts[k % counts.length] : Number(size)));
    });
    return { size, meshes };
  });
}

/** Stretched bodies of rings on an ellipsoid. */
export function hullGroups() {
  return Object.entries(HULLS).map(([size, [rings, sides]]) => {
    const meshes = [1, 1.5, 2.5, 0.6].map((stretch) => normalise(ringBody(rings, sides, stretch)));
    return { size, meshes };
  });
}

function ringBody(rings, sides, stretch) {
  const vertices = [];
  const triangles = [];
  for (let i = 0; i < rings; i++) {
    const latitude = (Math.PI * (i + 0.5)) / rings - Math.PI / 2;
    for (let j = 0; j < sides; j++) {
      const angle = (2 * Math.PI * j) / sides;
      vertices.push(Math.cos(latitude) * Math.cos(angle), 0.8 * Math.cos(latitude) * Math.sin(angle), stretch * Math.sin(latitude));
      const [a, b] = [i * sides + j, i * sides + ((j + 1) % sides)];
      if (i + 1 < rings) triangles.push(a, b, b + sides, a, b + sides, a + sides);
    }
  }
  const last = (rings - 1) * sides;
  for (let j = 2; j < sides; j++) triangles.push(0, j, j - 1, last, last + j - 1, last + j);
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles) };
}

/** See read_groups in native/bench/subjects.h. */
export function writeGroups(path, groups) {
  const lines = groups.flatMap(({ size, meshes }) => [
    `group ${size} ${meshes.length}`,
    ...meshes.flatMap(({ vertices, triangles }) => [
      `mesh ${vertices.length / 3} ${triangles.length / 3}`,
      vertices.join(' '),
      triangles.join(' '),
    ]),
  ]);
  writeFileSync(path, `${lines.join('\n')}\n`);
}
