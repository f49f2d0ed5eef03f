/** Reports of users about one or two bodies, rebuilt with their numbers. Expected values follow from the geometry. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mjcf } from '../../src/adapters/mjcf/index.js';
import type { Result } from '../../src/core/result.js';
import type { Body, Pose, Quat, Scene, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { Workspace } from '../adapters/mjcf/workspace.js';
import { type BodySpec, box, buildScene, ground } from '../scenes/build.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

function shiftOf(scene: Scene, result: Result, name: string): Vec3 {
  const { id, X_WB } = scene.bodies.find((body) => body.name === name) as Body;
  const to = (result.poses[id] as Pose).position;
  return [to[0] - X_WB.position[0], to[1] - X_WB.position[1], to[2] - X_WB.position[2]];
}

/** A repair takes the depth and no more than this [m]: the clearance of the default profile, 1e-3 of the bodies' size. */
const CLEARANCE = 2e-3;

describe('F2: a box standing on its edge, 20 mm in the plane', () => {
  const half = 0.05;
  const turned: Quat = [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8), 0, 0];
  const height = half * Math.SQRT2 - 0.02;

  function expectLifted(scene: Scene, result: Result): void {
    expect(result.status).toBe('solved');
    const [x, y, z] = shiftOf(scene, result, 'box');
    expect(Math.hypot(x, y)).toBeLessThan(1e-9);
    expect(z).toBeGreaterThanOrEqual(0.02);
    expect(z).toBeLessThan(0.02 + CLEARANCE);
    expect(result.moves).toMatchObject([{ name: 'box', rotation: 0 }]);
  }

  test('it is lifted by 20 mm and not turned', async () => {
    const scene = buildScene([ground(), { name: 'box', at: [0.3, 0.2, height], quaternion: turned, geoms: [box(half)] }]);
    expectLifted(scene, await solver.solve(scene));
  });

  test('from MJCF too', async () => {
    const xml = `<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body name="box" pos="0.3 0.2 ${height}" quat="${turned.join(' ')}"><freejoint/><geom type="box" size="${half} ${half} ${half}"/></body>
    </worldbody></mujoco>`;
    const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml));
    expectLifted(scene, await solver.solve(scene));
  });
});

describe('F3: a small cube in the corner of a large one', () => {
  // Its far sides are 0.05 m inside each of three faces: 0.15 m along one of them, 0.15 sqrt(3) m along the diagonal.
  const cubes = (fixed: boolean) =>
    buildScene([
      { name: 'large', fixed, geoms: [box(0.5)] },
      { name: 'small', at: [0.4, 0.4, 0.4], geoms: [box(0.05)] },
    ]);

  test('its depth is the way out by one face', async () => {
    const { overlaps } = await solver.check(cubes(true));
    expect(overlaps[0]?.depth).toBeCloseTo(0.15, 9);
    const along = (overlaps[0]?.normal ?? []).map(Math.abs).sort();
    expect(along[2]).toBeCloseTo(1, 9);
  });

  test.each([true, false])('it leaves by one face; the large one fixed: %p', async (fixed) => {
    const scene = cubes(fixed);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    const [small, large] = [shiftOf(scene, result, 'small'), shiftOf(scene, result, 'large')];
    const apart = small.map((value, k) => Math.abs(value - (large[k] as number))).sort((a, b) => b - a);
    expect(apart[0]).toBeGreaterThanOrEqual(0.15);
    expect(apart[0]).toBeLessThan(0.15 + CLEARANCE);
    expect(apart[1]).toBeLessThan(1e-6);
  });
});

describe('F5: a cube 25 mm clear of the ground, margin 1 mm, gap 50 mm', () => {
  const height = 0.05 + 0.025;
  const expectClean = async (scene: Scene) => {
    const survey = await solver.survey(scene);
    expect(survey).toMatchObject({ overlaps: [], colliders: 2, evaluation: { repairable: 0, constant: 0 } });
    const result = await solver.solve(scene);
    expect(result).toMatchObject({ status: 'clean', moves: [] });
    expect(result.poses.map((pose, id) => pose === scene.bodies[id]?.X_WB)).toEqual(scene.bodies.map(() => true));
    return survey;
  };

  test('it is clean: what the engine lists as a contact is none', async () => {
    const scene = buildScene([ground(), { name: 'cube', at: [0, 0, height], geoms: [{ shape: box(0.05), margin: 1e-3 }] }]);
    const { hovering } = await expectClean(scene);
    expect(hovering).toMatchObject([{ name: 'cube', above: 'ground' }]);
    expect(hovering[0]?.gap).toBeCloseTo(0.024, 9);
  });

  test('from MJCF too', async () => {
    const xml = `<mujoco><default><geom margin="0.001" gap="0.05"/></default><worldbody><geom type="plane" size="1 1 1"/>
      <body name="cube" pos="0 0 ${height}"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>
    </worldbody></mujoco>`;
    const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml));
    await expectClean(scene);
  });
});

describe('F15: a peg of 1 g in a board of 1,000 kg, 10 mm thin', () => {
  const peg = (depth: number, weight: number): BodySpec => {
    return { name: 'peg', weight, at: [0.03, 0.02, 0.005 + 0.03 - depth], geoms: [box(0.005, 0.005, 0.03)] };
  };
  const board = (weight: number): BodySpec => ({ name: 'board', weight, geoms: [box(0.2, 0.2, 0.005)] });

  test.each([
    [0.004, 1, 1e6],
    [0.007, 1, 1e6],
    [0.004, 1e6, 1],
    [0.007, 1e6, 1],
    [0.007, 1, 1],
  ])('%d m deep, weights %d and %d: out by the near face, the lighter one moves', async (depth, light, heavy) => {
    const scene = buildScene([board(heavy), peg(depth, light)]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    const [own, other] = [shiftOf(scene, result, 'peg'), shiftOf(scene, result, 'board')];
    expect(own[2] - other[2]).toBeGreaterThanOrEqual(depth);
    expect(own[2] - other[2]).toBeLessThan(depth + CLEARANCE);
    expect(Math.hypot(own[0] - other[0], own[1] - other[1])).toBeLessThan(1e-6);
    // Weighted least squares: each takes its share of the way, by the weight of the other.
    expect(own[2]).toBeCloseTo(((own[2] - other[2]) * heavy) / (light + heavy), 6);
  });
});

describe('F21: a press fit that is meant', () => {
  const socket: BodySpec = { name: 'socket', geoms: [box(0.1)] };
  const peg: BodySpec = { name: 'peg', at: [0, 0, 0.15], geoms: [box(0.02, 0.02, 0.08)] };
  const scene = buildScene([
    socket,
    peg,
    { name: 'left', at: [1, 0, 0], geoms: [box(0.1)] },
    { name: 'right', at: [1.15, 0, 0], geoms: [box(0.1)] },
  ]);
  const allow = [['peg', 'socket']] as const;

  test('declared allowed it stays as it is, while others are repaired', async () => {
    expect((await solver.survey(scene)).counts).toMatchObject({ real: 2, filtered: 0 });
    const { counts, overlaps } = await solver.survey(scene, { allow });
    expect(counts).toMatchObject({ real: 1, filtered: 1 });
    expect(overlaps.find((overlap) => overlap.class === 'filtered')?.depth).toBeCloseTo(0.03, 9);
    const result = await solver.solve(scene, { allow });
    expect(result.status).toBe('solved');
    expect(result.moves.map(({ name }) => name).sort()).toEqual(['left', 'right']);
    for (const id of [0, 1]) expect(result.poses[id]).toBe(scene.bodies[id]?.X_WB);
  });
});
