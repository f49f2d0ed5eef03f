// What the benches need of triangle meshes: {vertices: Float64Array (xyz), triangles: Int32Array}, closed, wound outwards.

/** Vertices at bit-equal places become one, unused ones go, triangles that lost a corner too. */
export function weld({ vertices, triangles }) {
  const ids = new Map();
  const kept = [];
  const corner = (v) => {
    const point = [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
    const key = point.join(' ');
    let id = ids.get(key);
    if (id === undefined) {
      id = ids.size;
      ids.set(key, id);
      kept.push(...point);
    }
    return id;
  };
  const faces = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [corner(triangles[t]), corner(triangles[t + 1]), corner(triangles[t + 2])];
    if (a !== b && b !== c && c !== a) faces.push(a, b, c);
  }
  return { vertices: Float64Array.from(kept), triangles: Int32Array.from(faces) };
}

/** Smallest and largest coordinate along each axis, after turning by the 3 x 3 matrix `rotation` (rows). */
export function boundsOf({ vertices }, rotation = IDENTITY) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let v = 0; v < vertices.length; v += 3) {
    for (let k = 0; k < 3; k++) {
      const [x, y, z] = rotation[k];
      const value = x * vertices[v] + y * vertices[v + 1] + z * vertices[v + 2];
      if (value < low[k]) low[k] = value;
      if (value > high[k]) high[k] = value;
    }
  }
  return { low, high };
}

const IDENTITY = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** App. A.7: the centre of the box at the origin, its longest edge `size`. */
export function normalise(mesh, size = 0.1) {
  const { low, high } = boundsOf(mesh);
  const factor = size / Math.max(...high.map((value, k) => value - low[k]));
  const vertices = mesh.vertices.map((value, i) => factor * (value - (low[i % 3] + high[i % 3]) / 2));
  return { vertices, triangles: mesh.triangles };
}

/** Enclosed volume; negative if the triangles are wound inwards. */
export function volumeOf({ vertices: p, triangles }) {
  let sixfold = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sixfold += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sixfold += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sixfold += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sixfold / 6;
}

/** Edges that do not have exactly one triangle on each side, wound alike; 0 for a closed, consistently wound surface. */
export function openEdges({ triangles }) {
  const directed = new Map();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const key = `${triangles[t + k]} ${triangles[t + ((k + 1) % 3)]}`;
      directed.set(key, (directed.get(key) ?? 0) + 1);
    }
  }
  let open = 0;
  for (const [key, count] of directed) {
    const [a, b] = key.split(' ');
    if (count !== 1 || directed.get(`${b} ${a}`) !== 1) open++;
  }
  return open;
}
