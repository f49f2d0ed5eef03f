/** The mesh pools of the benches: readers, normalisation, closed surfaces. */
import { expect, test } from '@jest/globals';
import type { Mesh } from '../../src/core/scene.js';
import { describeShared } from '../shared-data.js';
import { loadBench, type MeshModule, type PoolModule } from './load.js';

const { loadPool } = await loadBench<PoolModule>('lib/pools.mjs');
const { boundsOf, openEdges, volumeOf, weld } = await loadBench<MeshModule>('lib/mesh.mjs');
const { parseObj, parseStl } = await loadBench<{ parseObj(text: string): Mesh; parseStl(bytes: Uint8Array): Mesh }>('lib/mesh-files.mjs');

function expectNormalised(mesh: Mesh) {
  const { low, high } = boundsOf(mesh);
  const edges = high.map((value, k) => value - (low[k] as number));
  expect(Math.max(...edges)).toBeCloseTo(0.1, 12);
  for (const [k, value] of high.entries()) expect(value + (low[k] as number)).toBeCloseTo(0, 12);
}

test('procedural: many shapes, each closed, wound outwards, of 100 to 1000 triangles, 0.1 m long', () => {
  const pool = loadPool('procedural');
  expect(pool.length).toBeGreaterThanOrEqual(14);
  for (const { name, shape, volume } of pool) {
    const triangles = shape.mesh.triangles.length / 3;
    expect({ name, open: openEdges(shape.mesh), few: triangles < 100, many: triangles > 1000 }).toEqual({
      name,
      open: 0,
      few: false,
      many: false,
    });
    // A solid body fills more than a leaf and less than its box.
    expect(volume).toBeGreaterThan(2e-5);
    expect(volume).toBeLessThan(1e-3);
    expectNormalised(shape.mesh);
  }
});

test.each([
  ['bowl', 0],
  ['mug', 1],
  ['torus', 1],
  ['knot', 1],
  ['spring', 0],
  ['chair', 0],
  ['shelf', 2],
  ['frame', 5],
])('%s has %i holes', (name, holes) => {
  const { mesh } = loadPool('procedural').find((one) => one.name === name)!.shape;
  const faces = mesh.triangles.length / 3;
  expect(mesh.vertices.length / 3 - faces / 2).toBe(2 - 2 * holes);
});

test('a pool is loaded once: scenes share its shapes', () => {
  expect(loadPool('procedural')).toBe(loadPool('procedural'));
});

test('a missing folder is a broken environment, and says which', () => {
  const message = /^pool 'household': no meshes in .*nowhere/;
  expect(() => loadPool('household', '/nowhere')).toThrow(expect.objectContaining({ code: 3, message: expect.stringMatching(message) }));
});

describeShared('pools of ../shared/data', () => {
  test.each([
    ['household', 50],
    ['printable', 125],
    ['concave', 49],
  ])('%s: %i closed meshes', (name, count) => {
    const pool = loadPool(name);
    expect(pool).toHaveLength(count);
    expect(pool.filter(({ shape, volume }) => openEdges(shape.mesh) > 0 || volume <= 0)).toEqual([]);
    for (const { shape } of pool) expectNormalised(shape.mesh);
  });
});

const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n';

test('OBJ: slashes, negative indices, polygons, other lines', () => {
  const faces = 'f 1/1/1 3/2/1 2/3/1\nf 1//2 2//2 4//2\r\n# a comment\nusemtl x\nf -4 -1 -2\nf 2 3 4\n';
  const mesh = parseObj(TETRAHEDRON + faces);
  expect(openEdges(mesh)).toBe(0);
  expect(volumeOf(mesh)).toBeCloseTo(1 / 6, 15);
  expect([...parseObj(`${TETRAHEDRON}f 1 2 3 4\n`).triangles]).toEqual([0, 1, 2, 0, 2, 3]);
});

test.each([['f 1 2 9'], ['f 1 2 x'], ['f 1 2 -9'], ['v 1 2 y\nf 1 2 3']])('OBJ: %j is refused', (line) => {
  expect(() => parseObj(TETRAHEDRON + line)).toThrow(/^OBJ: a (face|vertex)/);
});

test('binary STL: facets, welded to a closed mesh', () => {
  const { vertices, triangles } = parseObj(`${TETRAHEDRON}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`);
  const bytes = new DataView(new ArrayBuffer(84 + 50 * 4));
  bytes.setUint32(80, 4, true);
  triangles.forEach((vertex, corner) => {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 + 12 * (corner % 3);
    for (let k = 0; k < 3; k++) bytes.setFloat32(at + 4 * k, vertices[3 * vertex + k] as number, true);
  });
  const mesh = weld(parseStl(new Uint8Array(bytes.buffer)));
  expect(mesh.vertices).toHaveLength(12);
  expect(openEdges(mesh)).toBe(0);
  expect(volumeOf(mesh)).toBeCloseTo(1 / 6, 7);
  expect(() => parseStl(new Uint8Array(bytes.buffer, 0, 100))).toThrow('not a binary STL file');
  expect(() => parseStl(new Uint8Array(10))).toThrow('not a binary STL file');
});

test('open edges tell a hole, a face wound the wrong way and a doubled face', () => {
  const closed = parseObj(`${TETRAHEDRON}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`);
  expect(openEdges(closed)).toBe(0);
  for (const faces of [
    'f 1 3 2\nf 1 2 4\nf 1 4 3\n',
    'f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n',
    'f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 2 3 4\n',
  ])
    expect(openEdges(parseObj(TETRAHEDRON + faces))).toBeGreaterThan(0);
});
