import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Scene, Shape, Vec3 } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import { hoveringUnits } from '../../../src/core/survey/hover.js';
import { buildScene } from '../../scenes/build.js';
import { between, randomQuat, randomSource } from '../../scenes/random.js';
import { assortedShapes } from '../../scenes/scenes.js';

const NOBODY: ReadonlySet<number> = new Set();
const _gapsOf = (scene: Scene, height = 1e-3) => hoveringUnits(scene, NOBODY, height).map(({ name, gap, above }) => [name, gap, above]);

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

/** Whether `falling`, displaced by `distance` along -z, overlaps what is fixed. */
async function meets(scene: Scene, distance: number): Promise<boolean> {
  const bodies = scene.bodies.map((body) => {
    const [x, y, z] = body.X_WB.position;
    return body.mobility === 'fixed' ? body : { ...body, X_WB: { ...body.X_WB, position: [x, y, z - distance] as const } };
  });
  return (await solver.check({ ...scene, bodies })).overlaps.length > 0;
}

describe('against the evaluator', () => {
  const field: Shape = {
    type: 'heightfield',
    rows: 3,
    cols: 4,
    heights: Float64Array.from([0, 0.02, 0, 0.03, 0.04, 0, 0.01, 0, 0, 0.05, 0.02, 0]),
    halfExtents: [0.15, 0.1],
    baseDepth: 0.05,
  };
  const shapes = [...assortedShapes(), field];

  test.each(shapes.map((shape, k) => [k, shape.type, shape] as const))('fall onto shape %i, a %s', async (seed, _, below) => {
    const random = randomSource(seed + 1);
    for (const shape of assortedShapes()) {
      const at: Vec3 = [between(random, -0.04, 0.04), between(random, -0.04, 0.04), between(random, 0.25, 0.6)];
      const scene = buildScene([
        { name: 'below', fixed: true, quaternion: below.type === 'heightfield' ? [1, 0, 0, 0] : randomQuat(random), geoms: [below] },
        { name: 'falling', at, quaternion: randomQuat(random), geoms: [shape] },
      ]);
      const [hover] = hoveringUnits(scene, NOBODY, 1e-3);
      const gap = hover?.gap ?? 0;
      if (gap === Infinity) {
        for (let down = 0; down < 1; down += 0.004) expect(await meets(scene, down)).toBe(false);
      } else {
        expect(await meets(scene, gap - 1e-5)).toBe(false);
        expect(await meets(scene, gap + 1e-5)).toBe(true);
      }
    }
  });
});
