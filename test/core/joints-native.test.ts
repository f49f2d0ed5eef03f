/** Scenes with joints through the real native core: hands, grippers, arms, random trees. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { carriedByJoints } from '../../src/core/joints.js';
import { releaseJoints } from '../../src/core/plan/free-joints.js';
import { angleBetween } from '../../src/core/pose-math.js';
import type { Result } from '../../src/core/result.js';
import type { Joint, Pose, Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { withPoses } from '../scenes/build.js';
import { armInPallet, displaced, gripper, hand, randomTree } from '../scenes/joints.js';
import { lShapeMesh } from '../scenes/meshes.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

const ALL = { freeJoints: ['*'] };

/** What a result with joints promises, checked from its poses and joints alone. */
async function expectKept(scene: Scene, result: Result): Promise<void> {
  const { overlaps } = await solver.check(withPoses(scene, result.poses), ALL);
  expect(overlaps.filter(({ constant }) => !constant)).toHaveLength(result.after.repairable);
  const joints = scene.joints as readonly Joint[];
  const displacements = joints.map(() => 0);
  for (const { jointId, name, before, after } of result.joints ?? []) {
    const { position, limits } = joints[jointId] as Joint;
    expect([name, before]).toEqual([joints[jointId]?.name, position]);
    if (limits !== undefined && joints[jointId]?.follows === undefined) {
      expect(after).toBeGreaterThanOrEqual(limits[0]);
      expect(after).toBeLessThanOrEqual(limits[1]);
    }
    displacements[jointId] = after - before;
  }
  for (const { id, follows } of joints) {
    if (follows !== undefined) expect(displacements[id]).toBeCloseTo(follows.ratio * (displacements[follows.joint] as number), 12);
  }
  const free = releaseJoints(scene, ['*']);
  for (const { id, mobility, movesWith, X_WB } of scene.bodies) {
    const carried = carriedByJoints(free, id, X_WB, displacements);
    const pose = result.poses[id] as Pose;
    if (mobility === 'fixed' && carried === X_WB) expect(pose).toBe(X_WB);
    if (mobility === 'free' && movesWith === id) continue;
    const root = scene.bodies[movesWith]?.X_WB as Pose;
    const distance = ({ position: [x, y, z] }: Pose, { position: [u, v, w] }: Pose) => Math.hypot(x - u, y - v, z - w);
    // Of a unit that moved, what no rigid motion changes.
    if (mobility === 'free') expect(distance(pose, result.poses[movesWith] as Pose)).toBeCloseTo(distance(carried, root), 9);
    else expect(distance(pose, carried)).toBeLessThan(1e-9);
    if (mobility === 'fixed') expect(angleBetween(pose.quaternion, carried.quaternion)).toBeLessThan(1e-9);
  }
}

const largest = (result: Result) => Math.max(0, ...(result.joints ?? []).map(({ before, after }) => Math.abs(after - before)));

describe('an arm 45 mm deep in a pallet', () => {
  test('is constant as long as its joints are', async () => {
    const result = await solver.solve(armInPallet());
    expect(result.status).toBe('clean');
    expect(result.before.constant).toBe(1);
    expect(result.before.maxDepth).toBe(0);
    expect(result.before.overlaps[0]?.depth).toBeCloseTo(0.045, 6);
    expect(result.joints).toBeUndefined();
  });

  test.each([[['*']], [['elbow']], [['shoulder']]])('is lifted by %j, by little', async (freeJoints) => {
    const scene = armInPallet();
    const result = await solver.solve(scene, { freeJoints });
    expect(result.status).toBe('solved');
    await expectKept(scene, result);
    expect(result.joints?.map(({ name }) => name)).toEqual(freeJoints[0] === '*' ? ['shoulder', 'elbow'] : freeJoints);
    for (const { before, after } of result.joints ?? []) expect(after).toBeGreaterThan(before);
    // The elbow alone has to turn by 0.45 rad, the shoulder by less, as its lever is longer.
    expect(largest(result)).toBeLessThan(freeJoints[0] === 'elbow' ? 0.46 : 0.2);
    expect(result.moves).toEqual([]);
    expect(result.poses[0]).toBe(scene.bodies[0]?.X_WB);
    expect(result.poses[3]).toBe(scene.bodies[3]?.X_WB);
  });

  test('stays where its limits hold it, and says which pair is left', async () => {
    const scene = armInPallet();
    const joints = (scene.joints as readonly Joint[]).map((joint) => ({ ...joint, limits: [-0.02, 0.02] as const }));
    const result = await solver.solve({ ...scene, joints }, ALL);
    expect(result.status).toBe('stalled');
    expect(result.reason).toContain("the free joints do not separate 'fore/0' and 'pallet/0'");
    expect(result.joints).toEqual([]);
    expect(result.poses.every((pose, id) => pose === scene.bodies[id]?.X_WB)).toBe(true);
  });

  test('says which joint stands outside of its limits, and moves it towards them only', async () => {
    const scene = armInPallet();
    const [shoulder, elbow] = scene.joints as [Joint, Joint];
    const below = {
      ...scene,
      joints: [
        { ...shoulder, limits: [0.1, 0.15] as const, position: 0.2 },
        { ...elbow, limits: [-0.1, 0] as const },
      ],
    };
    const stuck = await solver.solve(below, ALL);
    expect(stuck.status).toBe('stalled');
    expect(stuck.reason).toContain("outside of their limits, and moved towards them only: 'shoulder'");
    const above = { ...scene, joints: [{ ...shoulder, limits: [0.02, 1] as const, position: -0.1 }, elbow] };
    const result = await solver.solve(above, { freeJoints: ['shoulder'] });
    expect(result.status).toBe('solved');
    expect(result.joints?.[0]?.after).toBeGreaterThan(-0.1);
  });

  test('keeps maxTurn and maxShift, for every link', async () => {
    const scene = armInPallet();
    const free = await solver.solve(scene, ALL);
    const turned = await solver.solve(scene, { ...ALL, maxTurn: 0.16 });
    const shifted = await solver.solve(scene, { ...ALL, maxShift: 0.052 });
    const turn = ({ poses }: Result) => angleBetween(scene.bodies[2]?.X_WB.quaternion as Pose['quaternion'], (poses[2] as Pose).quaternion);
    const shift = ({ poses }: Result) =>
      Math.hypot(...(poses[2] as Pose).position.map((x, k) => x - (scene.bodies[2]?.X_WB.position[k] as number)));
    expect([free.status, turned.status, shifted.status]).toEqual(['solved', 'solved', 'solved']);
    expect(turn(free)).toBeGreaterThan(0.16);
    expect(turn(turned)).toBeLessThanOrEqual(0.16 + 1e-12);
    expect(shift(free)).toBeGreaterThan(0.052);
    expect(shift(shifted)).toBeLessThanOrEqual(0.052 + 1e-12);
    await expectKept(scene, turned);
    await expectKept(scene, shifted);
  });
});

describe('F18: a hand around a ball', () => {
  test.each([
    [3, true],
    [4, true],
    [3, false],
    [4, false],
  ])('of %d fingers opens by little, palm fixed: %s', async (fingers, fixedPalm) => {
    const scene = hand(fingers, fixedPalm);
    const before = await solver.check(scene, ALL);
    expect(before.repairable).toBeGreaterThanOrEqual(2 * fingers + 1);
    const result = await solver.solve(scene, ALL);
    expect(result.status).toBe('solved');
    await expectKept(scene, result);
    expect(result.joints?.length).toBeGreaterThanOrEqual(fingers);
    expect(largest(result)).toBeLessThan(0.15);
    for (const { distance } of result.moves) expect(distance).toBeLessThan(0.008);
  });

  test.each([true, false])('closed until its fingers are in each other opens within its limits, palm fixed: %s', async (fixedPalm) => {
    const open = hand(4, fixedPalm);
    const scene = displaced(
      open,
      (open.joints as readonly Joint[]).map(() => -0.3),
    );
    const { overlaps } = await solver.check(scene, ALL);
    const fingers = overlaps.filter(({ names }) => names.bodyA.startsWith('distal') && names.bodyB.startsWith('distal'));
    expect(fingers.length).toBeGreaterThanOrEqual(4);
    const result = await solver.solve(scene, ALL);
    expect(result.status).toBe('solved');
    await expectKept(scene, result);
    for (const { after } of result.joints ?? []) expect(after).toBeLessThanOrEqual(0.8);
    for (const { distance } of result.moves) expect(distance).toBeLessThan(0.03);
  });

  test('of surfaces instead of solids too, with turns', async () => {
    const solid = hand(3, false);
    const mesh = lShapeMesh(0.03);
    const geoms = solid.geoms.map((geom) => (geom.name === 'ball/0' ? { ...geom, shape: { type: 'mesh', mesh } as const } : geom));
    const scene = { ...solid, geoms };
    const result = await solver.solve(scene, { ...ALL, rotation: true });
    expect(result.before.repairable).toBeGreaterThan(0);
    expect(result.status).toBe('solved');
    await expectKept(scene, result);
  });

  test('leaves everything alone that overlaps nothing', async () => {
    const scene = hand(3, false);
    const away = {
      ...scene,
      bodies: scene.bodies.map((body) => (body.name === 'ball' ? { ...body, X_WB: { ...body.X_WB, position: [1, 0, 0] as const } } : body)),
    };
    const opened = await solver.solve(away, ALL);
    const result = await solver.solve(withPoses(away, opened.poses), ALL);
    expect(result.status).toBe('clean');
    expect(result.joints).toEqual([]);
    expect(result.poses.every((pose, id) => pose === opened.poses[id])).toBe(true);
  });
});

test('a gripper opens both jaws alike, and the box moves to their middle', async () => {
  const scene = gripper();
  const result = await solver.solve(scene, { freeJoints: ['left_jaw'] });
  expect(result.status).toBe('solved');
  await expectKept(scene, result);
  expect(result.joints?.map(({ name }) => name)).toEqual(['left_jaw', 'right_jaw']);
  expect(largest(result)).toBeLessThan(0.006);
  expect(result.moves[0]?.distance).toBeLessThan(0.005);
});

test('a joint that moves nothing itself drives those that follow it', async () => {
  const given = gripper();
  const [left, right] = given.joints as [Joint, Joint];
  const follower = { ...left, follows: { joint: 2, ratio: 0.02 } };
  const motor = { ...left, id: 2, name: 'motor', type: 'hinge', position: 0, limits: [-1, 1], moves: [] } as const;
  const scene = { ...given, joints: [follower, { ...right, follows: { joint: 2, ratio: -0.02 } }, motor] };
  const result = await solver.solve(scene, { freeJoints: ['motor'] });
  expect(result.status).toBe('solved');
  await expectKept(scene, result);
  expect(result.joints?.map(({ name }) => name)).toEqual(['left_jaw', 'right_jaw', 'motor']);
  expect(result.joints?.[2]?.after).toBeCloseTo(0.255, 2);
});

describe('random trees', () => {
  const seeds = Array.from({ length: 40 }, (_, k) => k + 1);
  const solved: number[] = [];

  test.each(seeds)('%d: what is solved is confirmed, and the same in any number of threads', async (seed) => {
    const scene = randomTree(seed);
    const options = { ...ALL, rotation: seed % 2 === 0 };
    const result = await solver.solve(scene, { ...options, threads: 1 });
    await expectKept(scene, result);
    expect(result.after.repairable).toBeLessThanOrEqual(result.before.repairable);
    if (result.status === 'solved') solved.push(seed);
    for (const threads of [1, 2]) {
      const again = await solver.solve(scene, { ...options, threads });
      expect([again.status, again.poses, again.joints]).toEqual([result.status, result.poses, result.joints]);
    }
  });

  // Most of the others have two links in each other that their limits, a few degrees wide, keep there.
  test('most are solved', () => {
    expect(solved.length).toBeGreaterThanOrEqual(20);
  });
});
