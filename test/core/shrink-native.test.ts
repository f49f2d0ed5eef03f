/** Shrunken layouts through the real native core. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Pose, Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { box, buildScene, ground, withPoses } from '../scenes/build.js';
import { pile, randomScene, twoSpheres } from '../scenes/scenes.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

const xOf = (pose: Pose | undefined) => pose?.position[0] as number;

describe('shrinking', () => {
  test.each<[string, Scene]>([
    ['a pile of balls on the ground', pile(40, 4)],
    ['mixed shapes', randomScene(4, 40, 1)],
  ])('%s: nothing overlaps at any scale asked for', async (_, scene) => {
    expect((await solver.check(scene)).repairable).toBeGreaterThan(5);
    for (const scale of [0.2, 0.5, 0.8]) {
      const layout = await solver.shrink(scene, { scale });
      expect((await layout.check()).repairable).toBe(0);
      // The layout is a scene like any other.
      expect((await solver.check(layout.scene)).repairable).toBe(0);
      const result = await layout.grow();
      expect(result.status).toBe('solved');
      expect((await solver.check(withPoses(scene, result.poses))).repairable).toBe(0);
    }
  });
});

test('two bodies swap places while they are small (Fig. 9)', async () => {
  const scene = twoSpheres(0.5);
  const layout = await solver.shrink(scene, { scale: 0.2 });
  const [left, right] = layout.poses as [Pose, Pose];
  expect(xOf(left)).toBeLessThan(xOf(right));
  layout.place('left', right);
  layout.place('right', left);
  const result = await layout.grow();
  expect(result.status).toBe('solved');
  expect(xOf(result.poses[0]) - xOf(result.poses[1])).toBeGreaterThan(2);
  expect(result.moves.map(({ wasOverlapping }) => wasOverlapping)).toEqual([true, true]);
});

test('a body put through another at full size comes out on the side it was put to', async () => {
  const scene = buildScene([
    ground(),
    { name: 'wall', fixed: true, at: [0, 0, 0.5], geoms: [box(0.1, 1, 0.5)] },
    { name: 'cube', at: [-0.12, 0, 0.2], geoms: [box(0.1)] },
  ]);
  const layout = await solver.shrink(scene, { scale: 0.3 });
  layout.move('cube', [0.27, 0, 0]);
  const result = await layout.grow();
  expect(result.status).toBe('solved');
  expect(xOf(result.poses[2])).toBeGreaterThan(0.2);
});
