import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { collectFiles, mjcf } from '../../src/adapters/mjcf/index.js';

import type { Pose, Scene, Shape } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { rolloutMujoco } from '../../src/rollout/mujoco.js';
import { rolloutRapier } from '../../src/rollout/rapier.js';
import { box, buildScene, ground, sphere } from '../scenes/build.js';

const tetrahedron = (size: number): { vertices: Float64Array; triangles: Int32Array } => ({
  vertices: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], (value) => size * (value - 0.25)),
  triangles: Int32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
});

test('overlap is seen: contacts at the start, bodies thrown, apart in the end', async () => {
  const scene = buildScene([{ geoms: [sphere()] }, { at: [0.5, 0, 0], geoms: [sphere()] }]);
  const rollout = await rolloutRapier(scene, { gravity: false, seconds: 5 });
  expect(rollout.engine.name).toBe('Rapier');
  expect(rollout).toMatchObject({ timestep: 1 / 60, steps: 300, badStep: null });
  expect(rollout.gravity.map(Math.abs)).toEqual([0, 0, 0]);
  expect(rollout.start).toMatchObject({ count: 1, penetrating: 1, deepest: { geomA: 'body0/0', geomB: 'body1/0' } });
  expect(rollout.start.deepest!.dist).toBeCloseTo(-1.5, 5);
  expect(rollout.movable.bodies).toBe(2);
  expect(rollout.movable.speed!.value).toBeGreaterThan(1);
  expect(rollout.end!.deepest!.dist).toBeGreaterThan(-0.1);
});

test('a repaired scene stands still, by the poses of the result', async () => {
  const scene = buildScene([{ geoms: [sphere()] }, { at: [0.5, 0, 0], geoms: [sphere()] }]);
  const { poses } = await (await Solver.create()).solve(scene);
  const { movable, start } = await rolloutRapier(scene, { poses, gravity: false });
  expect(movable.speed!.value).toBe(0);
  expect(movable.angularSpeed!.value).toBe(0);
  expect(start.penetrating).toBe(0);
});

test('a body without geoms is where the scene has it', async () => {
  const { movable } = await rolloutRapier(buildScene([{ at: [1, 2, 3], geoms: [] }]), { gravity: false });
  expect(movable).toMatchObject({ bodies: 1, speed: { value: 0 }, displacement: { value: 0 } });
});

test('gravity is against the scene s up, and bodies fall with it', async () => {
  const scene = buildScene([{ geoms: [sphere(0.1)] }], {}, [1, 0, 0]);
  const { movable, gravity } = await rolloutRapier(scene, { seconds: 0.5, timestep: 0.001 });
  expect(gravity[0]).toBe(-9.81);
  expect(movable.speed!.value).toBeCloseTo(9.81 * 0.5, 2);
  expect(movable.displacement!.value).toBeCloseTo((9.81 * 0.5 ** 2) / 2, 2);
});

const shapes: readonly Shape[] = [
  sphere(0.5),
  box(0.5),
  { type: 'capsule', radius: 0.3, halfLength: 0.2 },
  { type: 'cylinder', radius: 0.4, halfLength: 0.5 },
  { type: 'cone', radius: 0.4, halfLength: 0.5 },
  { type: 'ellipsoid', radii: [0.3, 0.4, 0.5] },
  { type: 'convex', mesh: tetrahedron(2) },
  { type: 'mesh', mesh: tetrahedron(2) },
];

test.each(shapes.map((shape) => [shape.type, shape] as const))('a %s is as large along z as in the scene', async (_, shape) => {
  // A body lands on the ground where its lowest point meets it; all of these reach 0.5 below their origin.
  const scene = (height: number) => buildScene([ground(), { name: 'it', at: [0, 0, height], geoms: [shape] }]);
  const above = await rolloutRapier(scene(0.501), { gravity: false, seconds: 0.1 });
  expect(above.start.penetrating).toBe(0);
  expect(above.movable.speed!.value).toBe(0);
  const below = await rolloutRapier(scene(0.49), { gravity: false, seconds: 0.1 });
  expect(below.start.deepest!.dist).toBeCloseTo(-0.01, 4);
  expect(below.movable.speed!.value).toBeGreaterThan(0.01);
});

test('a height field has its samples where the scene has them', async () => {
  const heights = Float64Array.from({ length: 12 }, (_, i) => 0.1 * ((i * 7) % 12));
  const field: Shape = { type: 'heightfield', rows: 3, cols: 4, heights, halfExtents: [3, 2], baseDepth: 1 };
  for (const [row, col] of [
    [1, 1],
    [1, 2],
  ] as const) {
    const z = heights[row * 4 + col]!;
    const at = [-3 + 2 * col, -2 + 2 * row] as const;
    const scene = (height: number) =>
      buildScene([
        { name: 'land', fixed: true, geoms: [field] },
        { name: 'needle', at: [...at, z + height], geoms: [{ type: 'cone', radius: 0.01, halfLength: 0.5 }], quaternion: [0, 1, 0, 0] },
      ]);
    const apart = await rolloutRapier(scene(0.52), { gravity: false, seconds: 0.02 });
    expect(apart.start.penetrating).toBe(0);
    const through = await rolloutRapier(scene(0.4), { gravity: false, seconds: 0.02 });
    expect(through.start.penetrating).toBe(1);
  }
});

test('pairs collide by the scene s own filter', async () => {
  const overlapping = (extra: Partial<Parameters<typeof buildScene>[1]> = {}, masks: readonly [number, number] = [1, 1]): Scene =>
    buildScene(
      [
        { geoms: [{ shape: sphere(), category: 1, mask: masks[0] }] },
        { at: [1, 0, 0], geoms: [{ shape: sphere(), category: 1, mask: masks[1] }] },
      ],
      extra,
    );
  const moves = async (scene: Scene) => (await rolloutRapier(scene, { gravity: false, seconds: 0.1 })).movable.speed!.value > 0;
  expect(await moves(overlapping())).toBe(true);
  expect(await moves(overlapping({ excludedBodies: [[0, 1]] }))).toBe(false);
  expect(await moves(overlapping({ excludedGeoms: [[1, 0]] }))).toBe(false);
  expect(await moves(overlapping({ neighbours: [[0, 1]] }))).toBe(false);
  expect(await moves(overlapping({ maskRule: 'either' }, [1, 0]))).toBe(true);
  expect(await moves(overlapping({ maskRule: 'both' }, [1, 0]))).toBe(false);
  expect(await moves(overlapping({ explicitPairs: [{ geoms: [0, 1], margin: 0 }] }, [0, 0]))).toBe(true);
});

test('the bodies of a unit are one', async () => {
  const scene = buildScene([
    ground(),
    { name: 'root', at: [0, 0, 1], geoms: [sphere(0.5)] },
    { name: 'link', at: [0.6, 0, 1], movesWith: 1, geoms: [sphere(0.5)] },
  ]);
  const { movable, start } = await rolloutRapier(scene, { gravity: false });
  expect(start.count).toBe(0);
  expect(movable).toMatchObject({ bodies: 1, speed: { value: 0 } });
});

test('a margin holds bodies as far apart as in MuJoCo', async () => {
  const xml = `<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="5 5 1" margin="0.01"/>
    <body pos="0 0 0.15"><freejoint/><geom type="box" size="0.1 0.1 0.1" margin="0.02"/></body></worldbody></mujoco>`;
  const folder = mkdtempSync(join(tmpdir(), 's4r-'));
  try {
    const path = join(folder, 'scene.xml');
    writeFileSync(path, xml);
    const mujoco = await rolloutMujoco(await collectFiles(path), { seconds: 2 });
    const { scene } = await mjcf.read(path);
    const rapier = await rolloutRapier(scene, { seconds: 2 });
    expect(mujoco.end!.deepest!.dist).toBeGreaterThan(0.025);
    // Either engine lets things sink a little.
    expect(Math.abs(rapier.end!.deepest!.dist - mujoco.end!.deepest!.dist)).toBeLessThan(0.006);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('masses are those given, else volume times 1000', async () => {
  const scene = buildScene([
    { name: 'light', geoms: [sphere()] },
    { name: 'heavy', at: [1, 0, 0], geoms: [sphere()] },
  ]);
  const equal = await rolloutRapier(scene, { gravity: false });
  const given = await rolloutRapier(scene, { gravity: false, masses: new Map([['heavy', 1e6]]) });
  expect(given.movable.speed!.body).toBe('light');
  expect(given.movable.speed!.value).toBeGreaterThan(1.5 * equal.movable.speed!.value);
  await expect(rolloutRapier(scene, { masses: new Map([['heavy', -1]]) })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});

test('a surface without volume still has a mass', async () => {
  const sheet: Shape = { type: 'mesh', mesh: { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Int32Array.of(0, 1, 2) } };
  const { movable } = await rolloutRapier(buildScene([{ geoms: [sheet] }]), { seconds: 0.2 });
  expect(movable.speed!.value).toBeGreaterThan(1);
});

test('a pose that is not finite ends the rollout at its first step', async () => {
  const scene = buildScene([{ name: 'lost', geoms: [sphere()] }]);
  const poses: Pose[] = [{ position: [Number.NaN, 0, 0], quaternion: [1, 0, 0, 0] }];
  const { badStep, steps, end } = await rolloutRapier(scene, { poses });
  expect(badStep).toMatchObject({ step: 1, body: 'lost', quantity: 'qpos' });
  expect([steps, end]).toEqual([1, null]);
});

test('cancelled, and misused', async () => {
  const scene = buildScene([{ geoms: [sphere()] }]);
  await expect(rolloutRapier(scene, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  await expect(rolloutRapier(scene, { seconds: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(rolloutRapier(scene, { timestep: Number.NaN })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
