/** Reports of users about many bodies, regions and hollow things, rebuilt with their numbers. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Scene, Shape, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../scenes/build.js';
import { CUP, cupHull, cupPieces, cupSurface } from '../scenes/cups.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

describe('F7: 2,000 bodies, 5 of them in the ground', () => {
  const dirty = [3, 444, 871, 1500, 1999];
  const scene = buildScene([
    ground(),
    ...Array.from({ length: 2000 }, (_, k): BodySpec => {
      const sunk = dirty.includes(k) ? 0.012 : 0;
      return { name: `box ${k}`, at: [0.15 * (k % 50), 0.15 * Math.floor(k / 50), 0.05 - sunk], geoms: [box(0.05)] };
    }),
  ]);

  test('those alone are lifted, the rest keeps its bits', async () => {
    const result = await solver.solve(scene);
    expect(result).toMatchObject({ status: 'solved', before: { repairable: 5, repairableBodyPairs: 5 } });
    expect(result.moves.map(({ name }) => name).sort()).toEqual(dirty.map((k) => `box ${k}`).sort());
    for (const { distance } of result.moves) {
      expect(distance).toBeGreaterThanOrEqual(0.012);
      expect(distance).toBeLessThan(0.0125);
    }
    const touched = scene.bodies.filter(({ id, X_WB }) => result.poses[id] !== X_WB).map(({ name }) => name);
    expect(touched).toEqual(dirty.map((k) => `box ${k}`));
  });
});

describe('F8: a ball in a cup', () => {
  const ball = (at: Vec3): BodySpec => ({ name: 'ball', at, geoms: [sphere(0.03)] });
  const asHull: BodySpec = { name: 'cup', fixed: true, geoms: [{ shape: cupHull(), surface: cupSurface() }] };
  const asPieces: BodySpec = { name: 'cup', fixed: true, geoms: cupPieces() };
  const hovering: Vec3 = [0, 0, CUP.floor + 0.03 + 0.001];
  const sunk: Vec3 = [0, 0, CUP.floor + 0.03 - 0.002];

  test('as one hull: what overlaps is the hull alone', async () => {
    const { overlaps, counts, evaluation } = await solver.survey(buildScene([asHull, ball(hovering)]));
    expect(overlaps).toMatchObject([{ class: 'hull-only', surfaceDepth: 0, names: { bodyA: 'cup', bodyB: 'ball' } }]);
    expect(counts.real + counts.contained).toBe(0);
    // The engine would throw it out all the same.
    expect(evaluation.repairable).toBe(1);
  });

  test('as one hull, 2 mm in the floor: real, by the surface', async () => {
    const { overlaps } = await solver.survey(buildScene([asHull, ball(sunk)]));
    expect(overlaps).toMatchObject([{ class: 'real' }]);
    expect(overlaps[0]?.surfaceDepth).toBeCloseTo(0.002, 4);
    expect(overlaps[0]?.depth).toBeGreaterThan(0.03);
  });

  test('as 28 hulls: clean, and 2 mm in the floor a true overlap', async () => {
    expect(asPieces.geoms).toHaveLength(28);
    expect(await solver.survey(buildScene([asPieces, ball(hovering)]))).toMatchObject({ overlaps: [], evaluation: { repairable: 0 } });
    const scene = buildScene([asPieces, ball(sunk)]);
    const { overlaps } = await solver.survey(scene);
    expect(overlaps).toMatchObject([{ class: 'real', names: { geomA: 'cup/0', bodyB: 'ball' } }]);
    expect(overlaps[0]?.depth).toBeCloseTo(0.002, 6);
    const { status, moves } = await solver.solve(scene);
    expect(status).toBe('solved');
    // Straight up and no farther: it stays in the cup.
    expect(moves[0]?.translation[2]).toBeGreaterThanOrEqual(0.002);
    expect(moves[0]?.distance).toBeLessThan(0.003);
  });
});

describe('A08: a cup of 28 hulls on a table, upright and on its side', () => {
  const table: BodySpec = { name: 'table', fixed: true, at: [0, 0, -0.05], geoms: [box(0.5, 0.5, 0.05)] };
  const onSide = Math.SQRT1_2;
  test.each([
    ['upright', [1, 0, 0, 0], 0, 0.004],
    // Its lowest edge is the 21st corner of the 27-gon, pi / 54 beside the lowest point of the circle.
    ['on its side', [onSide, onSide, 0, 0], CUP.outer, 0.004 - CUP.outer * (1 - Math.cos(Math.PI / 54))],
  ] as const)('%s, 4 mm in: lifted by that', async (_, quaternion, height, depth) => {
    const scene = buildScene([table, { name: 'cup', at: [0, 0, height - 0.004], quaternion, geoms: cupPieces() }]);
    const before = await solver.check(scene);
    expect(before).toMatchObject({ repairableBodyPairs: 1 });
    expect(before.maxDepth).toBeCloseTo(depth, 9);
    const result = await solver.solve(scene);
    expect(result).toMatchObject({ status: 'solved', after: { repairable: 0 } });
    expect(result.moves).toMatchObject([{ name: 'cup', rotation: 0 }]);
    const [x, y, z] = result.moves.map(({ translation }) => translation)[0] as Vec3;
    expect(Math.hypot(x, y)).toBeLessThan(1e-6);
    expect(z).toBeGreaterThanOrEqual(depth);
    expect(z).toBeLessThan(depth + 5e-4);
  });
});

describe('F16: two stools of 0.25 m in a region of 0.3 x 0.4 m', () => {
  const stools = (height: number): [Scene, { container: { low: Vec3; high: Vec3 } }] => {
    const stool: Shape = box(0.125, 0.125, 0.225);
    const scene = buildScene([
      { name: 'stool 1', at: [0.14, 0.14, 0.225], geoms: [stool] },
      { name: 'stool 2', at: [0.16, 0.26, 0.225], geoms: [stool] },
    ]);
    return [scene, { container: { low: [0, 0, 0], high: [0.3, 0.4, height] } }];
  };

  test('no higher than they are: too small by volume, said with the sizes', async () => {
    const [scene, options] = stools(0.46);
    const result = await solver.solve(scene, options);
    // 0.3 x 0.4 x 0.46 m and twice 0.25 x 0.25 x 0.45 m.
    expect(result).toMatchObject({
      status: 'infeasible',
      reason: 'the container holds 55 l, the 2 bodies in it need at least 56 l',
      moves: [],
    });
  });

  test('higher, but not for one upon the other: no way to place them, said with the lengths', async () => {
    const [scene, options] = stools(0.7);
    const result = await solver.solve(scene, options);
    expect(result).toMatchObject({ status: 'infeasible', moves: [] });
    // Across 0.4 m they lack 0.1 m, across 0.3 m and 0.7 m they lack 0.2 m.
    expect(result.reason).toMatch(/'stool 1', 'stool 2', side by side they need 0.5 m, it has 0.4 m$/);
  });

  test('in 0.3 x 0.55 m there is room', async () => {
    const [scene] = stools(0.5);
    const result = await solver.solve(scene, { container: { low: [0, 0, 0], high: [0.3, 0.55, 0.5] } });
    expect(result.status).toBe('solved');
  });
});
