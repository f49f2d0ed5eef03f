/** Joints that take part in a solve: which, by what words, and what they are promised to keep to. */
import { describe, expect, test } from '@jest/globals';
import { isConstant } from '../../src/core/filters.js';
import { carriedByJoints, freeJoints, jointMoves, packJoints, positionAfter, rangeOf, unpackDisplacements } from '../../src/core/joints.js';
import { TRANSLATION } from '../../src/core/motion.js';
import { resolveOptions, type SolverOptions } from '../../src/core/options.js';
import { releaseJoints } from '../../src/core/plan/free-joints.js';
import { planSolve } from '../../src/core/plan.js';
import type { Joint, Pose, Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { applyMoves } from '../../src/core/unpack.js';
import { assertScene } from '../../src/core/validate.js';
import { brokenPromises } from '../../src/core/verify.js';
import { buildScene, ground, sphere } from '../scenes/build.js';
import { armInPallet, gripper, hand, withJoints } from '../scenes/joints.js';

const plan = (scene: Scene, options: SolverOptions) => planSolve(scene, resolveOptions(options)).scene;
const namesOf = (scene: Scene) => freeJoints(scene).map(({ name }) => name);

describe('names', () => {
  test('free the joints that match, and those that they drive', () => {
    expect(namesOf(plan(armInPallet(), { freeJoints: ['el*'] }))).toEqual(['elbow']);
    expect(namesOf(plan(gripper(), { freeJoints: ['left_jaw'] }))).toEqual(['left_jaw', 'right_jaw']);
    expect(namesOf(plan(gripper(), { freeJoints: ['*jaw'] }))).toEqual(['left_jaw', 'right_jaw']);
    expect(namesOf(plan(armInPallet(), {}))).toEqual([]);
  });

  test.each<[Scene, string, string]>([
    [armInPallet(), 'elbo', "option freeJoints: no joint matches 'elbo'; did you mean 'elbow'?"],
    [armInPallet(), 'wheel', "option freeJoints: no joint matches 'wheel'; joints are 'shoulder', 'elbow'"],
    [gripper(), 'right*', "option freeJoints: 'right*' matches only joints that are driven by others ('right_jaw'); name 'left_jaw'"],
    [buildScene([{ geoms: [sphere()] }]), 'elbow', "option freeJoints: the scene has no hinge or slide to free, got 'elbow'"],
  ])('that fit nothing are refused: %#', (scene, pattern, message) => {
    expect(() => plan(scene, { freeJoints: [pattern] })).toThrow(message);
  });

  test('that are not names are refused', () => {
    expect(() => resolveOptions({ freeJoints: ['a', ''] })).toThrow('option freeJoints: expected a list of non-empty joint names');
  });

  test('a joint without room stays as it is', () => {
    const scene = armInPallet();
    const [shoulder, elbow] = scene.joints as [Joint, Joint];
    expect(namesOf(releaseJoints({ ...scene, joints: [{ ...shoulder, limits: [0, 0] }, elbow] }, ['*']))).toEqual(['elbow']);
  });
});

describe('options that do not go with it', () => {
  const options: [SolverOptions, string][] = [
    [{ profile: 'reference' }, "option profile: does not go with freeJoints, which 'reference' does not know; use 'default' or 'quick'"],
    [{ upright: true }, 'option upright: does not go with freeJoints'],
    [{ container: 'pallet' }, 'option container: does not go with freeJoints'],
    [{ keepSupport: true }, 'option keepSupport: does not go with freeJoints'],
    [{ overflow: 'lift' }, 'option overflow: does not go with freeJoints'],
    [{ frozen: ['fore'] }, "option freeJoints: 'shoulder' would move 'fore', which the option frozen names ('fore')"],
  ];
  test.each(options)('%j', (given, message) => {
    expect(() => plan(armInPallet(), { freeJoints: ['*'], ...given })).toThrow(message);
  });

  test('a prepared solver and a shrunken layout', async () => {
    const solver = await Solver.create();
    await expect(solver.prepare(armInPallet(), { freeJoints: ['*'] })).rejects.toThrow('option freeJoints: a prepared solver moves rigid');
    const shrink = { scale: 0.5, freeJoints: ['*'] } as never;
    await expect(solver.shrink(hand(3, false), shrink)).rejects.toThrow('option freeJoints');
  });

  test('its root alone may be frozen', () => {
    expect(namesOf(plan(hand(3, false), { freeJoints: ['*'], frozen: ['palm'] }))).toHaveLength(6);
  });

  test('a joint that would move the root of a free unit, or a plane, is a defect of the scene', () => {
    const scene = hand(3, false);
    const joints = scene.joints as readonly Joint[];
    expect(() => plan({ ...scene, joints: [{ ...(joints[0] as Joint), moves: [0] }] }, { freeJoints: ['*'] })).toThrow(
      "joint 'knuckle0': expected bodies that hang on the root of their unit, got the root 'palm'",
    );
    const floor = withJoints(buildScene([ground(), { at: [0, 0, -1], geoms: [sphere()] }]), [
      { name: 'tilt', axis: [1, 0, 0], moves: [0] },
    ]);
    expect(() => plan(floor, { freeJoints: ['*'] })).toThrow("joint 'tilt': would move geom 'ground/0', a halfspace");
  });

  test('a mobility that is none is refused', () => {
    const scene = armInPallet();
    const joints = (scene.joints as readonly Joint[]).map((joint) => ({ ...joint, mobility: 'loose' as never }));
    expect(() => assertScene({ ...scene, joints })).toThrow("joint 'shoulder' (joints[0]).mobility: expected 'free' or 'fixed'");
  });
});

describe('constant', () => {
  const arm = armInPallet();
  test.each<[string[], number, number, boolean]>([
    [[], 2, 3, true],
    [['elbow'], 2, 3, false],
    [['elbow'], 1, 3, true],
    [['shoulder'], 1, 2, true],
    [['shoulder'], 1, 3, false],
    [['elbow'], 1, 2, false],
  ])('with %j free, bodies %d and %d: %s', (free, a, b, constant) => {
    const scene = releaseJoints(arm, free);
    expect(isConstant(scene, a, b)).toBe(constant);
    expect(isConstant(scene, b, a)).toBe(constant);
  });
});

describe('limits', () => {
  const joint = (change: Partial<Joint>): Scene => {
    const scene = releaseJoints(gripper(), ['left_jaw']);
    const [left, right] = scene.joints as [Joint, Joint];
    return { ...scene, joints: [{ ...left, ...change }, right] };
  };
  test.each<[Partial<Joint>, readonly [number, number]]>([
    [{ position: 0.25, limits: [0, 1] }, [-0.25, 0.75]],
    [{ position: -0.5, limits: [0, 1] }, [0, 1.5]],
    [{ position: 1.5, limits: [0, 1] }, [-1.5, 0]],
  ])('of %j allow displacements %j, towards them only from outside', (change, range) => {
    const scene = joint(change);
    expect(rangeOf(scene, scene.joints?.[0] as Joint)).toEqual(range);
  });

  test('of a driven joint bind the one that drives it', () => {
    const scene = releaseJoints(gripper(), ['left_jaw']);
    const [left, right] = scene.joints as [Joint, Joint];
    const both: Scene = { ...scene, joints: [left, { ...right, position: -0.01, limits: [-0.012, 0] }] };
    const [lower, upper] = rangeOf(both, left);
    expect(lower).toBeCloseTo(-0.01, 12);
    expect(upper).toBeCloseTo(0.002, 12);
  });

  test('are never left by rounding', () => {
    const limits = [0, 0.1] as const;
    const third: Joint = { ...(joint({ position: 0.1 / 3, limits }).joints?.[0] as Joint) };
    expect(positionAfter(third, limits[1] - third.position + 1e-17)).toBeLessThanOrEqual(0.1);
    expect(positionAfter(third, 0)).toBe(third.position);
  });
});

describe('displacements', () => {
  const arm = releaseJoints(armInPallet(), ['*']);
  test('place bodies by the product of exponentials', () => {
    const { position } = carriedByJoints(arm, 2, arm.bodies[2]?.X_WB as Pose, [Math.PI / 2, -Math.PI / 2]);
    // The upper arm points up, the forearm forward again.
    [0.15, 0, 0.3].forEach((value, k) => {
      expect(position[k]).toBeCloseTo(value, 14);
    });
    expect(carriedByJoints(arm, 3, arm.bodies[3]?.X_WB as Pose, [1, 1])).toBe(arm.bodies[3]?.X_WB);
    expect(carriedByJoints(arm, 2, arm.bodies[2]?.X_WB as Pose, [0, 0])).toBe(arm.bodies[2]?.X_WB);
  });

  test('of followers are exact multiples', () => {
    const scene = releaseJoints(gripper(), ['left_jaw']);
    expect(unpackDisplacements(scene, Float64Array.of(0.003, -0.0029999999))).toEqual([0.003, -0.003]);
    expect(jointMoves(scene, [0.003, -0.003])).toEqual([
      { jointId: 0, name: 'left_jaw', before: 0.01, after: 0.01 + 0.003 },
      { jointId: 1, name: 'right_jaw', before: -0.01, after: -0.01 - 0.003 },
    ]);
    expect(jointMoves(scene, [0, 0])).toEqual([]);
  });

  test('cross packed, with free joints only', () => {
    const packed = packJoints(releaseJoints(armInPallet(), ['elbow']));
    expect([...packed.jointHinge]).toEqual([1]);
    expect([...packed.jointAnchor]).toEqual([0.3, 0, 0]);
    expect([...packed.jointRange]).toEqual([-2, 2]);
    expect([...packed.jointBodies]).toEqual([2]);
    expect([...packJoints(releaseJoints(gripper(), ['left_jaw'])).jointLeader]).toEqual([-1, 0]);
    expect(packJoints(armInPallet()).jointHinge).toHaveLength(0);
  });
});

describe('promises', () => {
  const scene = releaseJoints(hand(3, false), ['*']);
  const [count, joints] = [scene.bodies.length, scene.joints?.length ?? 0];
  const displacements = Array.from({ length: joints }, (_, id) => 0.1 + 0.02 * id);
  const shifts = new Float64Array(3 * count).fill(0.01, 0, 3);
  const turns = Float64Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0));
  turns.set([Math.cos(0.1), Math.sin(0.1), 0, 0], 0);
  const poses = applyMoves(scene, { shifts, turns }, displacements);
  const motions = scene.bodies.map(() => ({ ...TRANSLATION, turn: 'all' as const }));
  const broken = (changed: readonly Pose[], change: object = {}) => brokenPromises(scene, changed, { motions, displacements, ...change });

  test('are kept by bodies where their joints and their root put them', () => {
    expect(broken(poses)).toEqual([]);
  });

  test.each<[string, number]>([
    ['distal0', 2],
    ['proximal1', 3],
  ])('are broken by %s elsewhere', (name, id) => {
    const off = poses.map((pose, k) =>
      k === id ? { ...pose, position: [pose.position[0] + 1e-6, pose.position[1], pose.position[2]] as const } : pose,
    );
    expect(broken(off)).toEqual([`body '${name}' is not where its joints put it`]);
  });

  test('are broken by bodies that no joint moved', () => {
    expect(broken(poses, { displacements: [] })).toContain("body 'distal0' did not move with 'palm'");
  });

  test('are broken by joints beyond their limits', () => {
    const far = displacements.map((value, id) => (id === 1 ? 0.6 : value));
    expect(broken(applyMoves(scene, { shifts, turns }, far), { displacements: far })).toEqual([
      "joint 'tip0' was displaced by 0.6, its limits allow -0.3 to 0.5",
    ]);
  });

  test('are broken by joints that do not follow', () => {
    const jaws = releaseJoints(gripper(), ['left_jaw']);
    const still = { shifts: new Float64Array(12), turns: Float64Array.from({ length: 16 }, (_, i) => (i % 4 === 0 ? 1 : 0)) };
    const opened = applyMoves(jaws, still, [0.01, 0.01]);
    expect(brokenPromises(jaws, opened, { motions: jaws.bodies.map(() => TRANSLATION), displacements: [0.01, 0.01] })).toEqual([
      "joint 'right_jaw' did not follow the one that drives it",
    ]);
  });

  test('hold for the largest shift and turn of every link', () => {
    expect(broken(poses, { maxShift: 0.005 }).length).toBeGreaterThanOrEqual(7);
    expect(broken(poses, { maxTurn: 0.15 }).some((text) => text.includes('more than maxTurn'))).toBe(true);
  });
});
