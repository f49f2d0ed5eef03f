import { describe, expect, test } from '@jest/globals';
import type { PackedEvaluation } from '../../src/core/pack.js';
import { applyMoves, movesOf, nameGeoms, rmsMove, unpackEvaluation } from '../../src/core/unpack.js';
import { buildScene, sphere } from '../scenes/build.js';

const geoms = [sphere()];
const scene = buildScene([
  { name: 'floor', fixed: true, geoms },
  { name: 'wall', fixed: true, geoms },
  { name: 'base', at: [-0, 1, 2], geoms },
  { name: 'hand', at: [3, 4, 5], movesWith: 2, geoms: [sphere(), sphere(2)] },
  { name: 'mug', geoms },
]);

/** Overlaps of the given geom pairs with depths 1, 1/2, 1/3, ... [m]. */
function packed(pairs: readonly (readonly [number, number])[], change: Partial<PackedEvaluation> = {}): PackedEvaluation {
  return {
    geoms: Int32Array.from(pairs.flat()),
    kind: Uint8Array.from(pairs, (_, i) => i % 2),
    constant: new Uint8Array(pairs.length),
    depth: Float64Array.from(pairs, (_, i) => 1 / (i + 1)),
    point: Float64Array.from(pairs.flatMap((_, i) => [i, i + 0.1, i + 0.2])),
    normal: Float64Array.from(pairs.flatMap(() => [0, 0, 1])),
    candidates: 7,
    interrupted: false,
    ...change,
  };
}

describe('unpackEvaluation', () => {
  const evaluation = unpackEvaluation(
    scene,
    packed([
      [0, 1],
      [2, 3],
      [3, 5],
      [4, 5],
      [0, 5],
    ]),
  );

  test('names bodies and geoms', () => {
    expect(evaluation.overlaps[2]).toStrictEqual({
      geomA: 3,
      geomB: 5,
      bodyA: 3,
      bodyB: 4,
      names: { geomA: 'hand/0', geomB: 'mug/0', bodyA: 'hand', bodyB: 'mug' },
      kind: 'penetrating',
      constant: false,
      depth: 1 / 3,
      point: [2, 2.1, 2.2],
      normal: [0, 0, 1],
    });
    expect(evaluation.overlaps[1]?.kind).toBe('contained');
  });

  test('counts what can be repaired, in geom pairs and in body pairs', () => {
    expect(evaluation.overlaps.map((overlap) => overlap.constant)).toEqual([true, true, false, false, false]);
    expect(evaluation).toMatchObject({ repairable: 3, constant: 2, repairableBodyPairs: 2, maxDepth: 1 / 3, candidates: 7 });
    expect(evaluation).not.toHaveProperty('interrupted');
  });

  test('says when it is incomplete', () => {
    expect(unpackEvaluation(scene, packed([], { interrupted: true }))).toMatchObject({ repairable: 0, maxDepth: 0, interrupted: true });
  });
});

const turns = Float64Array.from(scene.bodies.flatMap(() => [1, 0, 0, 0]));

describe('applyMoves', () => {
  const shifts = new Float64Array(15);
  shifts.set([0, 0.5, 0], 6); // the base
  shifts.set([9, 9, 9], 0); // the fixed floor, which must ignore it
  const poses = applyMoves(scene, { shifts, turns });

  test('moves a unit by its root, and only the coordinates that have a shift', () => {
    expect(poses[2]?.position).toEqual([-0, 1.5, 2]);
    expect(Object.is(poses[2]?.position[0], -0)).toBe(true);
    expect(poses[3]?.position).toEqual([3, 4.5, 5]);
    expect(poses[3]?.quaternion).toBe(scene.bodies[3]?.X_WB.quaternion);
  });

  test('returns the pose objects of all others', () => {
    for (const id of [0, 1, 4]) expect(poses[id]).toBe(scene.bodies[id]?.X_WB);
  });
});

describe('moves', () => {
  const before = unpackEvaluation(scene, packed([[3, 5]]));
  const shifts = new Float64Array(15);
  shifts.set([0, 3, 4], 6);
  shifts.set([0, 0, 12], 12);
  const moves = movesOf(scene, applyMoves(scene, { shifts, turns }), before);

  test('are listed by unit, largest first', () => {
    expect(moves).toStrictEqual([
      { bodyId: 4, name: 'mug', translation: [0, 0, 12], distance: 12, rotation: 0, wasOverlapping: true },
      { bodyId: 2, name: 'base', translation: [0, 3, 4], distance: 5, rotation: 0, wasOverlapping: true },
    ]);
  });

  test('tell who was in conflict and who was pushed', () => {
    const none = unpackEvaluation(scene, packed([[0, 1]]));
    expect(movesOf(scene, applyMoves(scene, { shifts, turns }), none).map((move) => move.wasOverlapping)).toEqual([false, false]);
  });

  test('equal distances are ordered by body', () => {
    shifts.set([0, 0, 5], 12);
    expect(movesOf(scene, applyMoves(scene, { shifts, turns }), before).map((move) => move.bodyId)).toEqual([2, 4]);
  });

  test('rmsMove is over all movable units', () => {
    expect(rmsMove(scene, moves)).toBeCloseTo(Math.sqrt((25 + 144) / 2), 12);
    expect(rmsMove(buildScene([{ fixed: true, geoms }]), [])).toBe(0);
  });
});

test('nameGeoms puts names where the core wrote numbers', () => {
  expect(nameGeoms(scene, '{geom:3} against {geom:5}, {geom:99}')).toBe("'hand/0' against 'mug/0', {geom:99}");
});
