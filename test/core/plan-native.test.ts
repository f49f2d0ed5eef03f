/** Limits, standing and containers through the real native core. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { angleOfVectors, multiplyQuat, quatFromRotationVector, rotate } from '../../src/core/pose-math.js';
import type { Pose, Quat, Scene, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { type BodySpec, box, buildScene, ground, sphere, withPoses } from '../scenes/build.js';
import { boxMesh, lShapeMesh } from '../scenes/meshes.js';
import { between, randomSource } from '../scenes/random.js';
import { pile } from '../scenes/scenes.js';

const UP: Vec3 = [0, 0, 1];
const about = (x: number, y: number, z: number): Quat => quatFromRotationVector([x, y, z]);
const profiles = ['default', 'reference'] as const;

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

describe.each(profiles)('%s: axes', (profile) => {
  const scene = buildScene([
    { name: 'a', geoms: [box(0.1)] },
    { name: 'b', at: [0.15, 0.02, 0.05], geoms: [box(0.1)] },
  ]);

  test.each<[string, (pose: Pose) => boolean]>([
    ['z', ({ position: [x, y] }) => x === 0.15 && y === 0.02],
    ['xy', ({ position: [, , z] }) => z === 0.05],
    ['x', ({ position: [, y, z] }) => y === 0.02 && z === 0.05],
    ['along 0 1 1', ({ position: [x, y, z] }) => x === 0.15 && Math.abs(y - 0.02 - (z - 0.05)) < 1e-12],
  ])("'%s' holds to the bit, or to rounding", async (words, holds) => {
    const result = await solver.solve(scene, { profile, frozen: ['a'], axes: { b: words } });
    expect(result.status).toBe('solved');
    expect(result.moves).toHaveLength(1);
    expect(holds(result.poses[1] as Pose)).toBe(true);
    expect(result.poses[1]?.quaternion).toBe(scene.bodies[1]?.X_WB.quaternion);
  });
});

/** Boxes and an L of all sizes thrown over a table, tilted, hovering or sunk, and one that stands far from them. */
function tabletop(seed: number, count: number): Scene {
  const random = randomSource(seed);
  const bodies = Array.from({ length: count }, (_, i): BodySpec => {
    const half: Vec3 = [between(random, 0.02, 0.05), between(random, 0.02, 0.05), between(random, 0.03, 0.08)];
    const shape = i % 3 === 0 ? box(...half) : ({ type: 'mesh', mesh: i % 3 === 1 ? boxMesh(half) : lShapeMesh(half[2]) } as const);
    const tilt = about(between(random, -0.3, 0.3), between(random, -0.3, 0.3), 0);
    const yaw = about(0, 0, between(random, -3, 3));
    const at: Vec3 = [between(random, -0.25, 0.25), between(random, -0.25, 0.25), 0.4 + between(random, 0.02, 0.12)];
    return { at, quaternion: multiplyQuat(tilt, yaw), geoms: [shape] };
  });
  const table: BodySpec = { name: 'table', fixed: true, at: [0, 0, 0.35], geoms: [box(1, 1, 0.05)] };
  return buildScene([ground(), table, ...bodies, { name: 'stander', at: [0.9, 0.9, 0.45], geoms: [box(0.05)] }]);
}

describe.each(profiles)('%s: upright', (profile) => {
  test.each([1, 2])('tilted bodies on a table end standing on it and apart, seed %d', async (seed) => {
    const scene = tabletop(seed, 9);
    const result = await solver.solve(scene, { profile, upright: true });
    expect(result.status).toBe('solved');
    for (const { support, tiltAfter, heightAfter } of result.standing ?? []) {
      expect(support).toBe('table/0');
      expect(tiltAfter).toBeLessThan(1e-6);
      expect(Math.abs(heightAfter)).toBeLessThan(1e-6);
    }
    expect(result.standing).toHaveLength(10);
    // A judge that knows nothing of standing finds nothing but touching.
    expect((await solver.check(withPoses(scene, result.poses), { tolerance: 1e-6 })).repairable).toBe(0);
    const stander = scene.bodies.at(-1);
    expect(result.poses.at(-1)).toBe(stander?.X_WB);
  });

  test('a body asked to stand on its head does', async () => {
    const scene = buildScene([ground(), { name: 'can', at: [0, 0, 0.1], geoms: [box(0.02, 0.03, 0.05)] }]);
    const result = await solver.solve(scene, { profile, upright: { stand: { can: [0, 0, -1] } } });
    expect(result.status).toBe('solved');
    expect(angleOfVectors(rotate(result.poses[1]?.quaternion as Quat, [0, 0, -1]), UP)).toBeLessThan(1e-6);
    expect(result.poses[1]?.position[2]).toBeCloseTo(0.05, 5);
  });

  test('without yaw only the tilt is turned away', async () => {
    const scene = buildScene([ground(), { name: 'can', at: [0, 0, 0.1], quaternion: about(0.2, 0, 0), geoms: [box(0.02, 0.03, 0.05)] }]);
    const result = await solver.solve(scene, { profile, upright: true, axes: { can: 'xy' } });
    expect(result.status).toBe('solved');
    expect(result.moves[0]?.rotation).toBeCloseTo(0.2, 6);
  });
});

describe.each(profiles)('%s: containers', (profile) => {
  test('a pile stays in its box', async () => {
    const scene = pile(40, 2);
    const half = 0.05 * Math.cbrt(40);
    const container = { low: [-half - 0.1, -half - 0.1, 0], high: [half + 0.1, half + 0.1, 2 * half + 0.25] } as const;
    const result = await solver.solve(scene, { profile, container });
    expect(result.status).toBe('solved');
    expect(result.poses).toHaveLength(41);
    for (const { position } of result.poses.slice(1)) {
      position.forEach((value, k) => {
        expect(value).toBeGreaterThan((container.low[k] as number) + 0.05 - 1e-9);
        expect(value).toBeLessThan((container.high[k] as number) - 0.05 + 1e-9);
      });
    }
  });
});

test('a heavy body that may turn hardly moves', async () => {
  const scene = buildScene([
    { name: 'anvil', geoms: [box(0.2, 0.05, 0.05)] },
    { name: 'nut', at: [0.15, 0.04, 0], geoms: [sphere(0.03)] },
  ]);
  const result = await solver.solve(scene, { rotation: true, weights: { anvil: 1000 } });
  expect(result.status).toBe('solved');
  expect(result.moves.find(({ name }) => name === 'anvil')?.distance ?? 0).toBeLessThan(1e-4);
});
