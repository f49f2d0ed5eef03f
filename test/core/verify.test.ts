import { describe, expect, test } from '@jest/globals';
import { TRANSLATION } from '../../src/core/motion.js';
import { resolveCheckOptions } from '../../src/core/options.js';
import type { Body, Pose, Vec3 } from '../../src/core/scene.js';
import { verifyPoses } from '../../src/core/verify.js';
import { buildScene, sphere } from '../scenes/build.js';
import { FakeBackend, overlaps } from './fake-backend.js';

const geoms = [sphere()];
const scene = buildScene([
  { name: 'base', at: [1000, 0, 0], geoms },
  { name: 'hand', at: [1001, 0.3, 0], movesWith: 0, geoms },
  { name: 'floor', fixed: true, geoms },
]);

const motions = scene.bodies.map(() => TRANSLATION);

const moved = (index: number, [x, y, z]: Vec3): Pose => {
  const { position, quaternion } = (scene.bodies[index] as Body).X_WB;
  return { position: [position[0] + x, position[1] + y, position[2] + z], quaternion };
};

async function violations(change: (poses: Pose[]) => void, maxShift?: number): Promise<readonly string[]> {
  const poses = scene.bodies.map((body) => body.X_WB);
  change(poses);
  return (await verifyPoses(new FakeBackend([overlaps(0)]), scene, poses, resolveCheckOptions(), { motions, maxShift })).violations;
}

describe('verifyPoses', () => {
  test('evaluates the poses it is given', async () => {
    const backend = new FakeBackend([overlaps(2)]);
    const poses = [moved(0, [0, 1, 0]), moved(1, [0, 1, 0]), scene.bodies[2]?.X_WB as Pose];
    const { evaluation } = await verifyPoses(backend, scene, poses, { ...resolveCheckOptions(), tolerance: 0.5 }, { motions });
    expect([...(backend.checked[0]?.poses.slice(0, 3) ?? [])]).toEqual([1000, 1, 0]);
    expect(backend.checked[0]?.options.tolerance).toBe(0.5);
    expect(evaluation.overlaps[0]?.names.bodyA).toBe('base');
  });

  test('accepts a unit that moves rigidly, to the rounding of its positions', async () => {
    const shift: Vec3 = [0.1, 1 / 3, 1e-9];
    const found = await violations((poses) => poses.splice(0, 2, moved(0, shift), moved(1, shift)), Math.hypot(...shift));
    expect(found).toEqual([]);
  });

  test.each<[string, number, Pose]>([
    ["the fixed body 'floor' was moved", 2, moved(2, [0, 0, 1e-9])],
    ["body 'hand' did not move with 'base'", 1, moved(1, [0, 0, 1e-9])],
    ["body 'base' was turned", 0, { position: [1000, 0, 0], quaternion: [0, 1, 0, 0] }],
    ["the new pose of body 'floor' is not finite", 2, { position: [0, 0, Number.NaN], quaternion: [1, 0, 0, 0] }],
  ])('%s', async (message, index, pose) => {
    expect(await violations((poses) => poses.splice(index, 1, pose))).toContain(message);
  });

  test('maxShift holds exactly', async () => {
    const both = (shift: Vec3) => (poses: Pose[]) => poses.splice(0, 2, moved(0, shift), moved(1, shift));
    expect(await violations(both([0, 0, 0.25]), 0.25)).toEqual([]);
    const found = await violations(both([0, 0, 0.25 + 1e-9]), 0.25);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^body 'base' moved by 0\.25000000\d+ m, more than maxShift = 0\.25 m$/);
  });
});
