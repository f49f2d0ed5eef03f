/** The scene recipes of the benches. */
import { expect, test } from '@jest/globals';
import type { Body, Scene, Vec3 } from '../../src/core/scene.js';
import { assertScene } from '../../src/core/validate.js';
import { loadBench, type MeshModule, type PoolModule, type SpawnModule } from './load.js';

const { loadPool } = await loadBench<PoolModule>('lib/pools.mjs');
const { boundsOf } = await loadBench<MeshModule>('lib/mesh.mjs');
const { buildScene, matrixOf, quaternionOf, TIGHT } = await loadBench<SpawnModule>('lib/spawn.mjs');
const { Random } = await loadBench<{ Random: new (seed: number) => { uint32(): number; unit(): number } }>('lib/rng.mjs');

const POOL = loadPool('procedural');
const RECIPES = [{ spawn: 'box' }, { spawn: 'box', multiplier: 0.7 }, { spawn: 'ball' }, { spawn: 'walls', phi: 0.2 }];

const free = (scene: Scene): Body[] => scene.bodies.filter((body) => body.mobility === 'free');
const reach = (scene: Scene, axis: number) => Math.max(...free(scene).map((body) => Math.abs(body.X_WB.position[axis] as number)));

test.each(RECIPES)('%j: valid, and the same for the same seed only', (recipe) => {
  const scene = buildScene(POOL, recipe, 30, 42);
  expect(() => assertScene(scene)).not.toThrow();
  expect(free(scene)).toHaveLength(30);
  expect(buildScene(POOL, recipe, 30, 42)).toEqual(scene);
  expect(buildScene(POOL, recipe, 30, 43)).not.toEqual(scene);
});

test('the random numbers are those of xoshiro128**, pinned so that scenes stay what they are', () => {
  const random = new Random(42);
  expect(Array.from({ length: 4 }, () => random.uint32())).toEqual([660444221, 3652823732, 77672526, 910233633]);
  const many = Array.from({ length: 20000 }, () => random.unit());
  expect(Math.min(...many)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...many)).toBeLessThan(1);
  expect(many.reduce((sum, value) => sum + value, 0) / many.length).toBeCloseTo(0.5, 2);
});

test('a scene no larger than the pool uses each template once; shapes are shared by reference', () => {
  const small = buildScene(POOL, { spawn: 'box' }, POOL.length, 1);
  expect(new Set(small.geoms.map((geom) => geom.shape)).size).toBe(POOL.length);
  const large = buildScene(POOL, { spawn: 'box' }, 200, 1);
  expect(new Set(large.geoms.map((geom) => geom.shape)).size).toBeLessThanOrEqual(POOL.length);
});

test('box: half edges 0.15, 0.35, 0.15 m at N = 40, times the multiplier, growing with the cube root of N', () => {
  for (const [n, multiplier] of [
    [320, 1],
    [320, TIGHT],
    [2560, 0.85],
  ] as const) {
    const scene = buildScene(POOL, { spawn: 'box', multiplier }, n, 5);
    const factor = multiplier * Math.cbrt(n / 40);
    for (const [axis, half] of [0.15, 0.35, 0.15].entries()) {
      expect(reach(scene, axis)).toBeLessThanOrEqual(factor * half);
      expect(reach(scene, axis)).toBeGreaterThan(0.95 * factor * half);
    }
  }
});

test('ball: radius 0.10 (N / 100)^(1/3) m', () => {
  const distances = free(buildScene(POOL, { spawn: 'ball' }, 800, 5)).map((body) => Math.hypot(...body.X_WB.position));
  expect(Math.max(...distances)).toBeLessThanOrEqual(0.2);
  expect(Math.max(...distances)).toBeGreaterThan(0.19);
});

test('the quaternion turns like Rx Ry Rz', () => {
  const angles = [0.3, 2.1, 5.5];
  const [w, x, y, z] = quaternionOf(angles);
  expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 15);
  const matrix = matrixOf(angles);
  for (const [i, row] of rows([w, x, y, z]).entries())
    for (const [k, value] of row.entries()) expect(matrix[i]?.[k]).toBeCloseTo(value, 14);
  // Rx alone takes y to z, Rz alone x to y.
  expect(matrixOf([Math.PI / 2, 0, 0]).map((row) => Math.round(row[1] as number) + 0)).toEqual([0, 0, 1]);
  expect(matrixOf([0, 0, Math.PI / 2]).map((row) => Math.round(row[0] as number) + 0)).toEqual([0, 1, 0]);
});

test('walls: six half-spaces around a cube of the packing fraction, every body inside', () => {
  const phi = 0.2;
  const scene = buildScene(POOL, { spawn: 'walls', phi }, 50, 7);
  const walls = scene.geoms.filter((geom) => geom.shape.type === 'halfspace');
  expect(walls).toHaveLength(6);
  const half = Math.max(...walls[0]!.X_BG.position);
  const volumes = new Map(POOL.map(({ shape, volume }) => [shape, volume]));
  const total = scene.geoms.reduce((sum, { shape }) => sum + (volumes.get(shape as never) ?? 0), 0);
  expect(total / (2 * half) ** 3).toBeCloseTo(phi, 12);
  for (const wall of walls) {
    const inward = turnedZ(wall.X_BG.quaternion);
    // Its solid side is outwards: the inward normal points from the wall to the origin.
    expect(inward.reduce((sum, value, k) => sum + value * (wall.X_BG.position[k] as number), 0)).toBeCloseTo(-half, 12);
  }
  for (const { bodyId, shape } of scene.geoms) {
    if (shape.type !== 'mesh') continue;
    const { position, quaternion } = (scene.bodies[bodyId] as Body).X_WB;
    const { low, high } = boundsOf(shape.mesh, rows(quaternion));
    for (const k of [0, 1, 2] as const) {
      expect(position[k] + (low[k] as number)).toBeGreaterThanOrEqual(-half - 1e-12);
      expect(position[k] + (high[k] as number)).toBeLessThanOrEqual(half + 1e-12);
    }
  }
});

test('walls too close for a body are refused by name', () => {
  expect(() => buildScene(POOL, { spawn: 'walls', phi: 0.9 }, 1, 7)).toThrow(/^'\w+' does not fit between walls/);
});

function rows([w, x, y, z]: readonly number[]): number[][] {
  const [a, b, c, d] = [w, x, y, z] as [number, number, number, number];
  return [
    [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
  ];
}

const turnedZ = (quaternion: readonly number[]): Vec3 => rows(quaternion).map((row) => row[2]) as unknown as Vec3;
