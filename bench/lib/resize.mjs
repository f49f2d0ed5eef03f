// Meshes of a wanted number of triangles: halved edges make more of them, vertex clustering makes fewer.
import { boundsOf } from './mesh.mjs';

const TRIES = 24;
const TOLERANCE = 0.03;

/** About `count` triangles of roughly the same shape; thin parts may close up. */
export function resized(mesh, count) {
  let fine = mesh;
  while (fine.triangles.length / 3 < count) fine = subdivided(fine);
  let best = fine;
  let [low, high] = [2, 400]; // cells along the longest edge
  for (let k = 0; k < TRIES && !close(best, count); k++) {
    const cells = Math.sqrt(low * high);
    const candidate = clustered(fine, cells);
    if (candidate.triangles.length / 3 > count) high = cells;
    else low = cells;
    if (distance(candidate, count) < distance(best, count)) best = candidate;
  }
  return best;
}

const distance = ({ triangles }, count) => Math.abs(triangles.length / 3 - count);
const close = (mesh, count) => distance(mesh, count) <= TOLERANCE * count;

/** Every triangle becomes four. */
function subdivided({ vertices, triangles }) {
  const points = [...vertices];
  const ids = new Map();
  const middle = (a, b) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (!ids.has(key)) {
      ids.set(key, points.length / 3);
      for (let k = 0; k < 3; k++) points.push((points[3 * a + k] + points[3 * b + k]) / 2);
    }
    return ids.get(key);
  };
  const faces = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    faces.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return { vertices: Float64Array.from(points), triangles: Int32Array.from(faces) };
}

/** Vertices of one cell of a grid become their mean; triangles that lost a corner, or stand twice, go. */
function clustered({ vertices, triangles }, cells) {
  const { low, high } = boundsOf({ vertices });
  const size = Math.max(...high.map((value, k) => value - low[k])) / cells;
  const ids = new Map();
  const sums = [];
  const cluster = Array.from({ length: vertices.length / 3 }, (_, v) => {
    const key = low.map((value, k) => Math.floor((vertices[3 * v + k] - value) / size)).join(' ');
    if (!ids.has(key)) ids.set(key, sums.push([0, 0, 0, 0]) - 1);
    const sum = sums[ids.get(key)];
    for (let k = 0; k < 3; k++) sum[k] += vertices[3 * v + k];
    sum[3]++;
    return ids.get(key);
  });
  const seen = new Set();
  const faces = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const face = [0, 1, 2].map((k) => cluster[triangles[t + k]]);
    const key = [...face].sort((a, b) => a - b).join(' ');
    if (new Set(face).size < 3 || seen.has(key)) continue;
    seen.add(key);
    faces.push(...face);
  }
  return { vertices: Float64Array.from(sums.flatMap(([x, y, z, n]) => [x / n, y / n, z / n])), triangles: Int32Array.from(faces) };
}
