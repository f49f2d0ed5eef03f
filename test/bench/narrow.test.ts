/** Meshes and tables of the narrow-phase bench. */
import { expect, test } from '@jest/globals';
import type { Mesh } from '../../src/core/scene.js';
import { loadBench, type MeshModule, type PoolModule } from './load.js';

interface Group {
  readonly size: string;
  readonly meshes: readonly Mesh[];
}

const { resized } = await loadBench<{ resized(mesh: Mesh, count: number): Mesh }>('lib/resize.mjs');
const { groupsOfPool, hullGroups, SIZES } = await loadBench<{
  SIZES: readonly string[];
  groupsOfPool(pool: string, sizes: readonly string[]): Group[];
  hullGroups(): Group[];
}>('lib/narrow-meshes.mjs');
const { narrowTables } = await loadBench<{ narrowTables(rows: readonly object[]): string }>('lib/narrow-tables.mjs');
const { openEdges, volumeOf, boundsOf } = await loadBench<MeshModule>('lib/mesh.mjs');
const { loadPool } = await loadBench<PoolModule>('lib/pools.mjs');

const triangles = (mesh: Mesh) => mesh.triangles.length / 3;

test.each([100, 1000])('resized: about %i triangles, of about the same size', (count) => {
  for (const { shape } of loadPool('procedural').slice(0, 6)) {
    const mesh = resized(shape.mesh, count);
    expect(Math.abs(triangles(mesh) - count)).toBeLessThan(0.25 * count);
    expect(mesh.triangles.every((v) => v < mesh.vertices.length / 3)).toBe(true);
    const { low, high } = boundsOf(mesh);
    expect(Math.max(...high.map((value, k) => value - (low[k] as number)))).toBeGreaterThan(0.08);
  }
});

test('more triangles by halving edges keep the surface', () => {
  const [first] = loadPool('procedural');
  const mesh = (first as { shape: { mesh: Mesh } }).shape.mesh;
  const fine = resized(mesh, 4 * triangles(mesh));
  expect(triangles(fine)).toBe(4 * triangles(mesh));
  expect(openEdges(fine)).toBe(0);
  expect(volumeOf(fine)).toBeCloseTo(volumeOf(mesh), 12);
});

test('size classes hold as many meshes each; mixed ones differ', () => {
  const groups = groupsOfPool('procedural', SIZES);
  expect(groups.map(({ size }) => size)).toEqual(SIZES);
  expect(new Set(groups.map(({ meshes }) => meshes.length)).size).toBe(1);
  const mixed = groups.at(-1) as Group;
  expect(new Set(mixed.meshes.slice(0, 4).map((mesh) => Math.round(Math.log10(triangles(mesh)) * 2))).size).toBeGreaterThan(2);
});

test('hulls are closed, wound outwards, and have the vertices their names say', () => {
  for (const { size, meshes } of hullGroups())
    for (const mesh of meshes) {
      expect(mesh.vertices.length / 3).toBe(Number(size.replace('hull-', '')));
      expect(openEdges(mesh)).toBe(0);
      expect(volumeOf(mesh)).toBeGreaterThan(0);
    }
});

test('a line for each method, a column for each query', () => {
  const row = { bench: 'narrow', pool: 'household', size: '300', class: '0-20 mm', query: 'distance' };
  const text = narrowTables([
    { ...row, method: 'fcl', nanoseconds: 90000, ratio: 1 },
    { ...row, method: 'avx2', nanoseconds: 4500, ratio: 20 },
    { ...row, method: 'avx2', query: 'boolean', nanoseconds: 500, ratio: 11.26 },
    { ...row, method: 'avx2', class: 'per mesh', query: 'build', nanoseconds: 150000, ratio: 6 },
  ]);
  expect(text).toMatch(/^size +class +method +distance +boolean$/m);
  expect(text).toMatch(/^ *300 +0-20 mm +fcl +90\.0 +-$/m);
  expect(text).toMatch(/^ *300 +0-20 mm +avx2 +4\.50 \(20\.0x\) +0\.500 \(11\.3x\)$/m);
  expect(text).toMatch(/^household +300 +per mesh +avx2 +150 \(6\.0x\)$/m);
});
