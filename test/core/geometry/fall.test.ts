/** How far convex solids fall onto each other, against closed forms. `survey/hover.test.ts` compares all shapes with the evaluator. */
import { describe, expect, test } from '@jest/globals';
import { hullIn } from '../../../src/core/geometry/convex-parts.js';
import { fallDistance } from '../../../src/core/geometry/fall.js';
import type { Quat, Shape, Vec3 } from '../../../src/core/scene.js';
import { box, buildScene, sphere } from '../../scenes/build.js';
import { between, randomSource } from '../../scenes/random.js';

const LEVEL: Quat = [1, 0, 0, 0];
const at = (shape: Shape, position: Vec3, quaternion = LEVEL) => {
  const [geom] = buildScene([{ geoms: [shape] }]).geoms;
  return hullIn(geom!, { position, quaternion });
};

describe('fallDistance', () => {
  test('cubes on a lattice, edges and corners aligned with each other', () => {
    for (let i = -9; i <= 9; i++) {
      for (let j = -9; j <= 9; j++) {
        if (Math.abs(i) === 8 || Math.abs(j) === 8) continue; // faces in one plane: both answers are right
        const distance = fallDistance(at(box(0.5), [i / 8, j / 8, 3]), at(box(0.5), [0, 0, 0]));
        if (Math.abs(i) < 8 && Math.abs(j) < 8) expect(distance).toBeCloseTo(2, 9);
        else expect(distance).toBe(Infinity);
      }
    }
  });

  test('spheres meet where their centres are two radii apart', () => {
    const random = randomSource(4);
    for (let k = 0; k < 200; k++) {
      const [x, y] = [between(random, -1.5, 1.5), between(random, -1.5, 1.5)];
      const distance = fallDistance(at(sphere(0.7), [x, y, 3]), at(sphere(0.8), [0, 0, -1]));
      const off = Math.hypot(x, y);
      if (off < 1.499) expect(distance).toBeCloseTo(4 - Math.sqrt(1.5 ** 2 - off ** 2), 7);
      else if (off > 1.501) expect(distance).toBe(Infinity);
    }
  });

  test('a box on its edge over a ridge', () => {
    const onEdge: Quat = [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8), 0, 0];
    // The two squares stand on their corners, 0.2 m apart to the side: flank meets flank.
    const distance = fallDistance(at(box(0.5), [0, 0.2, 3], onEdge), at(box(0.5), [0.1, 0, 0], onEdge));
    expect(distance).toBeCloseTo(3 - (2 * Math.SQRT1_2 - 0.2), 9);
  });

  test('a cone hangs over another by its rim', () => {
    const cone: Shape = { type: 'cone', radius: 1, halfLength: 1 };
    // Flanks fall by 2 m on 1 m; a base disc of 1 m whose centre is 1.5 m away meets the flank at 0.5 m, 1 m below the apex.
    expect(fallDistance(at(cone, [1.5, 0, 5]), at(cone, [0, 0, 0]))).toBeCloseTo(5 - 1 - 0, 7);
  });

  test('touching is 0, below is never', () => {
    expect(fallDistance(at(box(0.5), [0.2, 0.1, 1]), at(box(0.5), [0, 0, 0]))).toBeCloseTo(0, 12);
    expect(fallDistance(at(box(0.5), [0.2, 0.1, -1]), at(box(0.5), [0, 0, 0]))).toBe(Infinity);
    expect(fallDistance(at(box(0.5), [0.2, 0.1, -3]), at(box(0.5), [0, 0, 0]))).toBe(Infinity);
    // Overlapping by rounding, as resting things may.
    expect(fallDistance(at(box(0.5), [0, 0, 1 - 1e-12]), at(box(0.5), [0, 0, 0]))).toBe(0);
    expect(fallDistance(at(box(0.5), [0, 0, -1 + 1e-12]), at(box(0.5), [0, 0, 0]))).toBe(Infinity);
  });

  test('thin plates of one tilt do not fall through each other', () => {
    const tilt: Quat = [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8), 0, 0];
    const plate = box(0.5, 0.5, 0.0005);
    // At 45 degrees a thickness of 1 mm is sqrt(2) mm along the vertical.
    expect(fallDistance(at(plate, [0, 0, 1], tilt), at(plate, [0, 0, 0], tilt))).toBeCloseTo(1 - 0.001 * Math.SQRT2, 9);
  });
});
