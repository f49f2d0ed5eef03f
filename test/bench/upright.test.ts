/** Tilted scenes on a table, how bodies stand by their poses, and the pictures. */
import { inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { Body, Pose, Scene, Vec3 } from '../../src/core/scene.js';
import { assertScene } from '../../src/core/validate.js';
import { describeShared } from '../shared-data.js';
import { loadBench, type PoolModule, type Template } from './load.js';

type Quaternion = [number, number, number, number];
interface Built {
  readonly scene: Scene;
  readonly axes: readonly Vec3[];
}
interface Recipe {
  readonly n: number;
  readonly seed: number;
  readonly radius: number;
}

const { loadPool } = await loadBench<PoolModule>('lib/pools.mjs');
const { buildUprightScene, findRadius, lowestOf, shortestTurn, UPRIGHT_SCENES, uprightOf } = await loadBench<{
  UPRIGHT_SCENES: readonly { scene: number; n: number; wanted: number }[];
  buildUprightScene(pool: readonly Template[], recipe: Recipe): Built;
  findRadius(
    pool: readonly Template[],
    recipe: { n: number; seed: number; wanted: number },
    count: (scene: Scene) => Promise<number>,
  ): Promise<number>;
  lowestOf(mesh: object, quaternion: readonly number[]): number;
  shortestTurn(from: Vec3, to: Vec3): Quaternion;
  uprightOf(built: Built): { supports: string[]; stand: Record<string, Vec3> };
}>('lib/upright-scenes.mjs');
const { standingOf } = await loadBench<{ standingOf(built: Built, poses: readonly Pose[]): Record<string, number> }>('lib/standing.mjs');
const { product } = await loadBench<{ product(a: readonly number[], b: readonly number[]): Quaternion }>('lib/spawn.mjs');
const { encodePng } = await loadBench<{ encodePng(w: number, h: number, pixels: Uint8Array, palette: string[]): Buffer }>('lib/png.mjs');
const { placedTriangles, rasterise, viewFrom } = await loadBench<{
  viewFrom(towards: Vec3, up: Vec3): object;
  placedTriangles(scene: Scene, poses: readonly Pose[]): object[];
  rasterise(solids: object[], view: object, window: object, density: number, look: (id: number) => object, background: string): Buffer;
}>('lib/raster.mjs');

const POOL = loadPool('procedural');
const RECIPE = { n: 12, seed: 7, radius: 0.1 };
const about = (angle: number, [x, y, z]: Vec3): Quaternion => {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), s * x, s * y, s * z];
};
const upOf = ([w, x, y, z]: readonly number[], [a, b, c]: Vec3): number => {
  const [W, X, Y, Z] = [w, x, y, z] as Quaternion;
  return 2 * (X * Z - W * Y) * a + 2 * (Y * Z + W * X) * b + (1 - 2 * (X * X + Y * Y)) * c;
};

test('a scene is valid, the same for the same recipe, tilted by 28 to 42 degrees and just above the table', () => {
  const { scene, axes } = buildUprightScene(POOL, RECIPE);
  expect(() => assertScene(scene)).not.toThrow();
  expect(buildUprightScene(POOL, RECIPE)).toEqual({ scene, axes });
  expect(buildUprightScene(POOL, { ...RECIPE, seed: 8 }).scene).not.toEqual(scene);
  for (const [id, axis] of axes.entries()) {
    const { position, quaternion } = (scene.bodies[id] as Body).X_WB;
    const tilt = (180 / Math.PI) * Math.acos(upOf(quaternion, axis));
    expect(tilt).toBeGreaterThanOrEqual(28);
    expect(tilt).toBeLessThanOrEqual(42);
    expect(Math.hypot(position[0], position[1])).toBeLessThanOrEqual(0.1);
    expect(position[2] + lowestOf((scene.geoms[id]!.shape as Template['shape']).mesh, quaternion)).toBeCloseTo(1e-4, 12);
  }
  expect(scene.bodies.at(-1)).toMatchObject({ name: 'table', mobility: 'fixed' });
  const { supports, stand } = uprightOf({ scene, axes });
  expect(supports).toEqual(['table']);
  expect(Object.keys(stand)).toEqual(scene.bodies.slice(0, -1).map(({ name }) => name));
});

test('the radius is that whose count comes nearest, found the same way each time', async () => {
  const reach = (scene: Scene) => Math.max(...scene.bodies.map(({ X_WB: { position } }) => Math.hypot(position[0], position[1])));
  const count = async (scene: Scene) => Math.round(2 / reach(scene));
  const recipe = { n: 12, seed: 7, wanted: 20 };
  const radius = await findRadius(POOL, recipe, count);
  expect(await count(buildUprightScene(POOL, { ...recipe, radius }).scene)).toBe(20);
  expect(await findRadius(POOL, recipe, count)).toBe(radius);
  expect(UPRIGHT_SCENES.map(({ wanted }) => wanted)).toEqual([97, 95, 67, 55, 41, 32, 26, 20]);
});

test('standing is told from poses: shift in the plane, yaw without the tilt, tilt left, height', () => {
  const built = buildUprightScene(POOL, RECIPE);
  const { bodies, geoms } = built.scene;
  const stand = (yaw: number, tilt: number, lift: number): Pose[] =>
    bodies.map(({ id, X_WB }) => {
      const axis = built.axes[id];
      if (axis === undefined) return X_WB;
      const pointing = shortestTurn([0, 0, 1], axis);
      const own = product(X_WB.quaternion, pointing);
      const upright = product(shortestTurn(turned(own, [0, 0, 1]), [0, 0, 1]), X_WB.quaternion);
      const quaternion = product(about(tilt, [1, 0, 0]), product(about(yaw, [0, 0, 1]), upright));
      const lowest = lowestOf((geoms[id]!.shape as Template['shape']).mesh, quaternion);
      return { position: [X_WB.position[0] + 0.03, X_WB.position[1] - 0.04, lift - lowest], quaternion };
    });
  const upright = standingOf(built, stand(0.3, 0, 0));
  expect(upright.inPlaneRms).toBeCloseTo(0.05, 12);
  expect(upright.yaw).toBeCloseTo((180 / Math.PI) * 0.3, 9);
  expect(upright.tilt).toBeLessThan(1e-12);
  expect(upright.heightError).toBeLessThan(1e-15);
  const off = standingOf(built, stand(-3, 0.01, 2e-3));
  expect(off.tilt).toBeCloseTo(0.01, 12);
  expect(off.heightError).toBeCloseTo(2e-3, 12);
  expect(off.yaw).toBeCloseTo((180 / Math.PI) * 3, 2);
});

test('the least turn, also of opposite directions', () => {
  for (const [from, to] of [
    [
      [0, 0, 1],
      [0, 0, 1],
    ],
    [
      [0, 0, 1],
      [0, 0, -1],
    ],
    [
      [1, 0, 0],
      [-1, 0, 0],
    ],
    [
      [0, 1, 0],
      [0, 0.6, 0.8],
    ],
  ] as [Vec3, Vec3][]) {
    for (const [k, value] of turned(shortestTurn(from, to), from).entries()) expect(value).toBeCloseTo(to[k] as number, 12);
  }
});

test('a PNG: size, palette and pixels', () => {
  const png = encodePng(3, 2, Uint8Array.from([0, 1, 0, 1, 1, 0]), ['#ffffff', '#102030']);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3, 2]);
  expect(png.subarray(41, 47).toString('hex')).toBe('ffffff102030');
  const start = png.indexOf('IDAT') + 4;
  expect([...inflateSync(png.subarray(start, png.indexOf('IEND') - 8))]).toEqual([0, 0, 1, 0, 0, 1, 1, 0]);
  // The checksum of an empty IEND is the same in every PNG.
  expect(png.subarray(-4).toString('hex')).toBe('ae426082');
});

test('what is nearer hides what is behind, and the same scene gives the same bytes', () => {
  const box = (bodyId: number) => ({ bodyId, X_BG: IDENTITY, shape: { type: 'box', halfExtents: [0.1, 0.1, 0.1] } });
  const scene = { geoms: [box(0), box(1)] } as unknown as Scene;
  const poses: Pose[] = [IDENTITY, { ...IDENTITY, position: [0.1, 0, 0.3] }];
  const seen = (towards: Vec3) => {
    const window = { left: -0.2, top: 0.2, width: 0.4, height: 0.4 };
    const look = (id: number) => ({ color: id === 0 ? [0, 0, 1] : [0, 1, 0], alarmed: false });
    const png = rasterise(placedTriangles(scene, poses), viewFrom(towards, [0, 1, 0]), window, 10, look, '#ffffff');
    const pixels = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8));
    const palette = png.subarray(png.indexOf('PLTE') + 4);
    const colour = (index: number) => {
      const [, green, blue] = palette.subarray(3 * index, 3 * index + 3) as unknown as [number, number, number];
      return green === blue ? 'background' : green > blue ? 'green' : 'blue';
    };
    // The third of four rows, behind its filter byte.
    return { png, row: [...pixels.subarray(11, 15)].map(colour) };
  };
  const above = seen([0, 0, 1]);
  expect(above.row).toEqual(['background', 'blue', 'green', 'green']);
  expect(seen([0, 0, -1]).row).toEqual(['green', 'blue', 'blue', 'background']);
  expect(seen([0, 0, 1]).png.equals(above.png)).toBe(true);
});

describeShared('household', () => {
  test('the smallest scene of the paper can be built', () => {
    const { scene } = buildUprightScene(loadPool('household'), { n: 10, seed: 42, radius: 0.05 });
    expect(() => assertScene(scene)).not.toThrow();
  });
});

const IDENTITY: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };

function turned(q: Quaternion, v: Vec3): Vec3 {
  const [, x, y, z] = product(product(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]);
  return [x, y, z];
}
