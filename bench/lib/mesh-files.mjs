// Small readers of the two mesh formats in ../shared/data: Wavefront OBJ and binary STL.
import { readFileSync } from 'node:fs';
import { weld } from './mesh.mjs';

/** Reads a mesh by its extension; vertices at the same place are one. */
export function readMesh(path) {
  const bytes = readFileSync(path);
  const mesh = path.endsWith('.stl') ? parseStl(bytes, path) : parseObj(bytes.toString('utf8'), path);
  if (mesh.triangles.length === 0) throw new Error(`${path}: no triangles`);
  return weld(mesh);
}

/** Only `v` and `f` lines count; polygons become fans, negative indices count from the end. */
export function parseObj(text, path = 'OBJ') {
  const vertices = [];
  const triangles = [];
  for (const line of text.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'v') vertices.push(...rest.slice(0, 3).map(Number));
    if (word !== 'f') continue;
    const corners = rest.map((corner) => {
      const index = Number.parseInt(corner, 10);
      return index < 0 ? vertices.length / 3 + index : index - 1;
    });
    for (let k = 2; k < corners.length; k++) triangles.push(corners[0], corners[k - 1], corners[k]);
  }
  if (!vertices.every(Number.isFinite)) throw new Error(`${path}: a vertex is not three numbers`);
  if (!triangles.every((v) => v >= 0 && v < vertices.length / 3)) throw new Error(`${path}: a face names a vertex that does not exist`);
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles) };
}

/** 80 bytes of header, a count, then 50 bytes a facet: normal, three corners, two bytes of attributes. */
export function parseStl(bytes, path = 'STL') {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength < 84 ? -1 : view.getUint32(80, true);
  if (bytes.byteLength < 84 + 50 * count || count < 0) throw new Error(`${path}: not a binary STL file`);
  const vertices = new Float64Array(9 * count);
  for (let facet = 0; facet < count; facet++) {
    for (let k = 0; k < 9; k++) vertices[9 * facet + k] = view.getFloat32(84 + 50 * facet + 12 + 4 * k, true);
  }
  return { vertices, triangles: Int32Array.from({ length: 3 * count }, (_, i) => i) };
}
