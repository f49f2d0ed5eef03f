/**
 * Properties that hold for any scene. On failure fast-check prints the seed and the smallest scene that still fails.
 * S4R_PROPERTY_RUNS sets how many scenes each is tried on.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Pose, Scene, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { assertScene } from '../../src/core/validate.js';
import { buildScene, ground, permuteBodies, sphere, translateScene, withPoses } from '../scenes/build.js';
import { randomScene } from '../scenes/scenes.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** Bodies of all shapes, most of them overlapping something, sometimes over a ground or with some of them fixed. */
const scenes: fc.Arbitrary<Scene> = fc
  .record({
    seed: seeds,
    count: fc.integer({ min: 1, max: 25 }),
    density: fc.double({ min: 0.05, max: 0.6, noNaN: true }),
    fixed: fc.nat(3),
  })
  .map(({ seed, count, density, fixed }) => {
    const scene = randomScene(seed, count, density);
    return { ...scene, bodies: scene.bodies.map((body) => (body.id < fixed ? { ...body, mobility: 'fixed' as const } : body)) };
  });

const coordinate = (low: number, high: number) => fc.integer({ min: low, max: high });

/** Balls over a ground, no two in one place: of those, either may go either way. */
const balls: fc.Arbitrary<Scene> = fc
  .uniqueArray(fc.tuple(coordinate(-200, 200), coordinate(-200, 200), coordinate(-40, 200)), {
    minLength: 1,
    maxLength: 15,
    selector: (point) => point.join(),
  })
  .map((points) =>
    buildScene([ground(), ...points.map(([x, y, z]) => ({ at: [x / 1000, y / 1000, z / 1000] as Vec3, geoms: [sphere(0.05)] }))]),
  );

const runs = { numRuns: Number(process.env.S4R_PROPERTY_RUNS ?? 60) };

const sameBits = (a: readonly Pose[], b: readonly Pose[]): boolean =>
  a.every((pose, i) => {
    const other = b[i] as Pose;
    return (
      pose.position.every((v, k) => Object.is(v, other.position[k])) && pose.quaternion.every((v, k) => Object.is(v, other.quaternion[k]))
    );
  });

describe('any scene', () => {
  test('gets an honest status', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        assertScene(scene);
        const result = await solver.solve(scene);
        const check = await solver.check(withPoses(scene, result.poses));
        expect(check).toEqual(result.after);
        const input = scene.bodies.map((body) => body.X_WB);
        switch (result.status) {
          case 'clean':
            expect(result.before.repairable).toBe(0);
            expect(sameBits(result.poses, input)).toBe(true);
            break;
          case 'solved':
            expect(result.before.repairable).toBeGreaterThan(0);
            expect(check.repairable).toBe(0);
            expect(result.moves.length).toBeGreaterThan(0);
            break;
          case 'improved':
            expect(check.repairable).toBeGreaterThan(0);
            expect(check.repairable).toBeLessThan(result.before.repairable);
            expect(result.reason).toBeTruthy();
            break;
          case 'stalled':
          case 'infeasible':
            expect(sameBits(result.poses, input)).toBe(true);
            expect(result.reason).toBeTruthy();
            break;
          default:
            throw new Error(`no limit was set, yet the status is ${result.status}`);
        }
      }),
      runs,
    );
  });

  test('stays as it is when solved again', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const first = await solver.solve(scene);
        fc.pre(first.status === 'solved' || first.status === 'clean');
        const again = await solver.solve(withPoses(scene, first.poses));
        expect(again.status).toBe('clean');
        expect(sameBits(again.poses, first.poses)).toBe(true);
      }),
      runs,
    );
  });

  test('keeps fixed bodies and all orientations', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const { poses } = await solver.solve(scene);
        for (const body of scene.bodies) {
          const pose = poses[body.id] as Pose;
          expect(pose.quaternion).toBe(body.X_WB.quaternion);
          if (body.mobility === 'fixed') expect(pose).toBe(body.X_WB);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('symmetries', () => {
  test('the order of the bodies does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(balls, seeds, async (scene, seed) => {
        const order = scene.bodies.map((body) => body.id).sort((a, b) => Math.sin(a * 12.9898 + seed) - Math.sin(b * 12.9898 + seed));
        const result = await solver.solve(scene);
        const permuted = await solver.solve(permuteBodies(scene, order));
        expect(permuted.status).toBe(result.status);
        expect(permuted.before.repairable).toBe(result.before.repairable);
        order.forEach((old, id) => {
          const [a, b] = [(result.poses[old] as Pose).position, (permuted.poses[id] as Pose).position];
          a.forEach((value, k) => {
            expect(Math.abs(value - (b[k] as number))).toBeLessThan(1e-4);
          });
        });
      }),
      runs,
    );
  });

  test('neither does the place of the scene in the world', async () => {
    const shifts = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }));
    await fc.assert(
      fc.asyncProperty(scenes, shifts, async (random, shift) => {
        const scene = roundPositions(random);
        const result = await solver.solve(scene);
        const elsewhere = await solver.solve(translateScene(scene, shift));
        expect(elsewhere.status).toBe(result.status);
        const byBody = new Map(elsewhere.moves.map((move) => [move.bodyId, move]));
        expect([...byBody.keys()].sort()).toEqual(result.moves.map((move) => move.bodyId).sort());
        for (const { bodyId, translation } of result.moves) {
          translation.forEach((value, k) => {
            expect(Math.abs(value - (byBody.get(bodyId)?.translation[k] as number))).toBeLessThan(1e-9);
          });
        }
      }),
      runs,
    );
  });
});

/** Positions on a grid of 2^-20 m, so that a translation by whole metres is exact and any difference is the solver's. */
function roundPositions(scene: Scene): Scene {
  const round = (value: number) => Math.round(value * 2 ** 20) / 2 ** 20;
  const poses = scene.bodies.map(({ X_WB }): Pose => ({ ...X_WB, position: X_WB.position.map(round) as unknown as Vec3 }));
  return withPoses(scene, poses);
}
