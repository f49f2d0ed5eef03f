/** The whole way through the real native core: what a user may count on. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Progress, SolverOptions } from '../../src/core/options.js';
import type { Result } from '../../src/core/result.js';
import type { Body, Pose, Scene, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { type BodySpec, box, buildScene, ground, sphere, withPoses } from '../scenes/build.js';
import { boxMesh, icosphereMesh } from '../scenes/meshes.js';
import { cubeGrid, cubeInGround, pile, randomScene, twoSpheres } from '../scenes/scenes.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

const positionOf = (result: Result, id: number): Vec3 => (result.poses[id] as Pose).position;
const shiftOf = (scene: Scene, result: Result, id: number): Vec3 => {
  const from = (scene.bodies[id] as Body).X_WB.position;
  const to = positionOf(result, id);
  return [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
};

/** True if every number of the two poses has the same bits. */
function sameBits(a: Pose, b: Pose): boolean {
  const numbers = (pose: Pose) => [...pose.position, ...pose.quaternion];
  return numbers(a).every((value, k) => Object.is(value, numbers(b)[k]));
}

function expectUntouched(scene: Scene, result: Result, except: readonly number[] = []): void {
  const touched = scene.bodies.filter((body) => !sameBits(body.X_WB, result.poses[body.id] as Pose)).map((body) => body.id);
  expect(touched.filter((id) => !except.includes(id))).toEqual([]);
}

describe('least movement', () => {
  test('two spheres end one diameter and the clearance apart, each by half', async () => {
    const margin = 1e-4;
    const scene = twoSpheres(0.5);
    const result = await solver.solve(scene, { margin });
    expect(result.status).toBe('solved');
    const [left, right] = [shiftOf(scene, result, 0), shiftOf(scene, result, 1)];
    expect(left[0]).toBeCloseTo(-(1.5 + margin) / 2, 6);
    expect(right[0]).toBeCloseTo((1.5 + margin) / 2, 6);
    expect(Math.hypot(left[1], left[2], right[1], right[2])).toBeLessThan(1e-9);
    expect(result.moves.map((move) => move.wasOverlapping)).toEqual([true, true]);
    expect(result.rmsMove).toBeCloseTo((1.5 + margin) / 2, 6);
    expect(result.before).toMatchObject({ repairable: 1, repairableBodyPairs: 1, constant: 0 });
    expect(result.before.maxDepth).toBeCloseTo(1.5, 9);
    expect(result.before.overlaps[0]?.normal[0]).toBeCloseTo(1, 9);
    expect(result.after.repairable).toBe(0);
  });

  test('a heavier sphere moves less', async () => {
    const scene = buildScene([
      { geoms: [sphere()], weight: 3 },
      { at: [0.5, 0, 0], geoms: [sphere()] },
    ]);
    const result = await solver.solve(scene, { margin: 1e-4 });
    expect(shiftOf(scene, result, 0)[0]).toBeCloseTo(-1.5001 / 4, 3);
    expect(shiftOf(scene, result, 1)[0]).toBeCloseTo((3 * 1.5001) / 4, 3);
  });

  test.each([
    ['flat', false],
    ['on a corner', true],
  ])('a cube %s in the ground is lifted straight by its depth, by default too', async (_, onCorner) => {
    const scene = cubeInGround(0.02, onCorner);
    for (const options of [{}, { margin: 1e-6 }] satisfies SolverOptions[]) {
      const result = await solver.solve(scene, options);
      expect(result.status).toBe('solved');
      const [x, y, z] = shiftOf(scene, result, 1);
      expect(Math.hypot(x, y)).toBeLessThan(1e-9);
      expect(z).toBeGreaterThanOrEqual(0.02);
      // The default clearance to half-spaces is 1e-4 units, and a cube of 0.1 m makes the unit about 1 m.
      expect(z).toBeLessThan(0.0203);
      expect(result.poses[1]?.quaternion).toBe(scene.bodies[1]?.X_WB.quaternion);
    }
  });
});

describe('untouched stays untouched', () => {
  test('a clean scene comes back bit for bit', async () => {
    const scene = cubeGrid(100);
    const result = await solver.solve(scene);
    expect(result).toMatchObject({ status: 'clean', moves: [], rmsMove: 0 });
    expect(result.poses.map((pose, i) => pose === scene.bodies[i]?.X_WB)).not.toContain(false);
    expectUntouched(scene, result);
  });

  test('of 2,000 bodies only those in conflict move', async () => {
    // Five cubes pushed 0.01 m into their right neighbours; the next ones are 0.05 m away.
    const pushed = [0, 515, 777, 1200, 1998];
    const scene = cubeGrid(2000, pushed);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    expect(result.before.repairable).toBe(5);
    const involved = [...pushed, ...pushed.map((id) => id + 1)];
    expectUntouched(scene, result, involved);
    expect(result.moves.every((move) => involved.includes(move.bodyId) && move.wasOverlapping)).toBe(true);
    for (const move of result.moves) expect(move.distance).toBeLessThan(0.012);
  });

  test('coordinates without a shift keep the sign of zero', async () => {
    const scene = buildScene([ground(), { at: [-0, -0, 0.03], geoms: [box(0.05)] }]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    const [x, y] = positionOf(result, 1);
    expect([Object.is(x, -0) || Math.abs(x) > 0, Object.is(y, -0) || Math.abs(y) > 0]).toEqual([true, true]);
  });
});

describe('what counts as an overlap', () => {
  test('a body inside another is contained, and is brought out', async () => {
    const shell = { type: 'mesh', mesh: icosphereMesh(0.1, 3) } as const;
    const pebble = { type: 'mesh', mesh: boxMesh([0.01, 0.01, 0.01]) } as const;
    const scene = buildScene([{ geoms: [shell] }, { at: [0.03, 0, 0], geoms: [pebble] }]);
    const evaluation = await solver.check(scene);
    expect(evaluation.overlaps).toMatchObject([{ kind: 'contained', constant: false, names: { bodyA: 'body0', bodyB: 'body1' } }]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    expect(Math.abs(positionOf(result, 1)[0] - positionOf(result, 0)[0])).toBeGreaterThan(0.1);
  });

  test('fixed pairs and pairs inside a unit are constant: nothing to repair', async () => {
    const wall = { fixed: true, geoms: [box(1)] };
    const scene = buildScene([
      wall,
      { ...wall, at: [0.5, 0, 0] },
      { at: [9, 0, 0], geoms: [sphere()] },
      { at: [9.5, 0, 0], movesWith: 2, geoms: [sphere()] },
    ]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('clean');
    expect(result.before).toMatchObject({ repairable: 0, constant: 2, maxDepth: 0 });
  });

  test('the tolerance separates touching from overlapping', async () => {
    const scene = twoSpheres(2 - 1e-3);
    expect((await solver.check(scene)).repairable).toBe(1);
    expect((await solver.check(scene, { tolerance: 2e-3 })).repairable).toBe(0);
    expect((await solver.solve(scene, { tolerance: 2e-3 })).status).toBe('clean');
  });

  test('filters are those of the scene', async () => {
    const { bodies, geoms, filter, up } = twoSpheres();
    for (const change of [{ excludedBodies: [[0, 1]] }, { excludedGeoms: [[1, 0]] }] as const) {
      expect((await solver.check({ bodies, geoms, filter: { ...filter, ...change }, up })).candidates).toBe(0);
    }
    const masked = geoms.map((geom) => ({ ...geom, category: 1, mask: 2 }));
    expect((await solver.check({ bodies, geoms: masked, filter, up })).repairable).toBe(0);
    const explicit = { ...filter, explicitPairs: [{ geoms: [0, 1], margin: 0 }] } as const;
    expect((await solver.check({ bodies, geoms: masked, filter: explicit, up })).repairable).toBe(1);
  });
});

describe('units', () => {
  test('the links of a floating tree get the same shift', async () => {
    const scene = buildScene([ground(), { at: [0, 0, 0.3], geoms: [box(0.05)] }, { at: [0.1, 0, 0.04], movesWith: 1, geoms: [box(0.05)] }]);
    const result = await solver.solve(scene);
    expect(result.status).toBe('solved');
    expect(shiftOf(scene, result, 1)[2]).toBeCloseTo(shiftOf(scene, result, 2)[2], 15);
    expect(shiftOf(scene, result, 1)[2]).toBeGreaterThan(0.01);
    expect(result.moves).toMatchObject([{ bodyId: 1, wasOverlapping: true }]);
  });
});

describe('limits', () => {
  test('frozen bodies stay, the others do all the work', async () => {
    const scene = twoSpheres();
    for (const options of [{ frozen: ['left'] }, { movable: ['rig*'] }]) {
      const result = await solver.solve(scene, { ...options, margin: 1e-4 });
      expect(result.status).toBe('solved');
      expectUntouched(scene, result, [1]);
      // The least way out is straight away from the other ball; the polish comes within half a percent of it.
      expect(Math.hypot(...positionOf(result, 1))).toBeGreaterThanOrEqual(2);
      expect(result.moves[0]?.distance).toBeLessThan(1.005 * 1.5001);
    }
  });

  test('with all of it frozen an overlap is constant', async () => {
    const result = await solver.solve(twoSpheres(), { movable: [] });
    expect(result).toMatchObject({ status: 'clean', before: { repairable: 0, constant: 1 } });
  });

  test.each([0.005, 0.02, 0.05, 0.2])('maxShift %d is never exceeded, and the status is honest', async (maxShift) => {
    const scene = pile(40, 3);
    const result = await solver.solve(scene, { maxShift });
    for (const body of scene.bodies) expect(Math.hypot(...shiftOf(scene, result, body.id))).toBeLessThanOrEqual(maxShift * (1 + 1e-12));
    if (result.status === 'solved') expect(result.after.repairable).toBe(0);
    else if (result.status === 'improved') expect(result.after.repairable).toBeLessThan(result.before.repairable);
    else expectUntouched(scene, result);
    expect(await solver.check(withPoses(scene, result.poses))).toEqual(result.after);
  });

  test('a time limit returns the input', async () => {
    const scene = pile(3000);
    const start = performance.now();
    const result = await solver.solve(scene, { timeLimit: 0.05 });
    expect(performance.now() - start).toBeLessThan(2000);
    expect(result).toMatchObject({ status: 'timeLimit', reason: 'the time limit of 0.05 s was reached' });
    expectUntouched(scene, result);
  });

  test('a signal stops a running solve', async () => {
    const scene = pile(3000);
    const abort = new AbortController();
    let aborted = 0;
    const result = await solver.solve(scene, {
      signal: abort.signal,
      onProgress: ({ stage }) => {
        if (stage === 'evaluate' || abort.signal.aborted) return;
        abort.abort();
        aborted = performance.now();
      },
    });
    expect(aborted).toBeGreaterThan(0);
    expect(performance.now() - aborted).toBeLessThan(2000);
    expect(result).toMatchObject({ status: 'cancelled', reason: 'cancelled by the caller' });
    expectUntouched(scene, result);
  });

  test('progress names its stages and counts down to none', async () => {
    const events: Progress[] = [];
    const result = await solver.solve(pile(60), { onProgress: (progress) => events.push(progress) });
    expect(result.status).toBe('solved');
    expect(new Set(events.map((event) => event.stage))).toContain('scale');
    for (const { fraction } of events) expect(fraction >= 0 && fraction <= 1).toBe(true);
    expect(events.at(-1)).toEqual({ stage: 'evaluate', fraction: 1, overlaps: 0 });
  });
});

describe('same bits', () => {
  test.each([
    ['a pile of balls', pile(80)],
    ['mixed shapes', randomScene(5, 60, 1)],
  ])('%s: any thread count, any run', async (_, scene) => {
    const reference = await solver.solve(scene, { threads: 1 });
    for (const threads of [2, 1, 5]) {
      const result = await solver.solve(scene, { threads });
      expect(result.status).toBe(reference.status);
      expect(result.poses.every((pose, i) => sameBits(pose, reference.poses[i] as Pose))).toBe(true);
      expect(result.before).toEqual(reference.before);
      expect(result.after).toEqual(reference.after);
    }
  });

  test('solves that overlap in time do not disturb each other', async () => {
    const scenes = Array.from({ length: 6 }, (_, i) => pile(40, i + 10));
    const alone: Result[] = [];
    for (const scene of scenes) alone.push(await solver.solve(scene));
    const together = await Promise.all(scenes.map((scene) => solver.solve(scene)));
    expect(together.map((result) => result.poses)).toEqual(alone.map((result) => result.poses));
  });
});

describe('report', () => {
  test('stats add up', async () => {
    const result = await solver.solve(pile(60));
    const { stats } = result;
    expect(stats).toMatchObject({ profile: 'default', algorithmStatus: 'solved', finalScale: 1 });
    expect(stats.backend).toMatch(/^native /);
    expect(stats.steps).toBeGreaterThan(0);
    expect(stats.queries).toBeGreaterThan(0);
    expect(stats.lengthUnit).toBeCloseTo(1, 6);
    expect(stats.milliseconds.solve).toBeGreaterThan(0);
    for (const value of Object.values(stats.milliseconds)) expect(value).toBeGreaterThanOrEqual(0);
  });

  test('moves are sorted and agree with the poses', async () => {
    const scene = pile(60);
    const { moves, rmsMove, poses } = await solver.solve(scene);
    moves.forEach((move, i) => {
      expect(move.distance).toBeLessThanOrEqual(moves[i - 1]?.distance ?? Infinity);
      expect((poses[move.bodyId] as Pose).position).not.toEqual(scene.bodies[move.bodyId]?.X_WB.position);
    });
    expect(rmsMove).toBeCloseTo(Math.sqrt(moves.reduce((sum, move) => sum + move.distance ** 2, 0) / 60), 12);
  });

  test('an impossible box is refused honestly', async () => {
    // Two balls in a fixed box of six walls that has room for one.
    const walls = [0, 1, 2].flatMap((axis) =>
      [-1, 1].map((side): BodySpec => {
        const at: [number, number, number] = [0, 0, 0];
        at[axis] = side * 0.16;
        return { fixed: true, at, geoms: [box(axis === 0 ? 0.1 : 0.3, axis === 1 ? 0.1 : 0.3, axis === 2 ? 0.1 : 0.3)] };
      }),
    );
    const scene = buildScene([...walls, { at: [0.01, 0, 0], geoms: [sphere(0.05)] }, { at: [-0.01, 0, 0], geoms: [sphere(0.05)] }]);
    const result = await solver.solve(scene, { maxShift: 0.05 });
    expect(['infeasible', 'stalled', 'improved']).toContain(result.status);
    expect(result.reason).toBeTruthy();
    expect(await solver.check(withPoses(scene, result.poses))).toEqual(result.after);
  });
});
