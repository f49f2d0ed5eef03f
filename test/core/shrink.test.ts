/** Layouts that are shrunk, rearranged and grown back. */
import { describe, expect, test } from '@jest/globals';
import { ShapeScaler } from '../../src/core/geometry/scale-shape.js';
import { centreInUnit, geomsOfUnits } from '../../src/core/geometry/units.js';
import { type PackedEvaluation, type PackedSolution, unpackPoses } from '../../src/core/pack.js';
import { quatFromRotationVector, transform } from '../../src/core/pose-math.js';
import type { Body, Pose, Scene, Vec3 } from '../../src/core/scene.js';
import type { ShrinkOptions } from '../../src/core/shrink.js';
import { Solver } from '../../src/core/solver.js';
import { assertScene } from '../../src/core/validate.js';
import { box, buildScene, ground, sphere } from '../scenes/build.js';
import { icosphereMesh } from '../scenes/meshes.js';
import { assortedShapes, twoSpheres } from '../scenes/scenes.js';
import { FakeBackend, overlaps, STATS } from './fake-backend.js';

/** What the core returns when it moves roots by these shifts. */
function moved(scene: Scene, shifts: Readonly<Record<number, Vec3>>, status = 'solved'): PackedSolution {
  const units = geomsOfUnits(scene);
  const centreOf = ({ id, movesWith }: Body): Vec3 => {
    const root = scene.bodies[movesWith] as Body;
    const geoms = units.get(movesWith);
    return geoms === undefined ? (scene.bodies[id] as Body).X_WB.position : transform(root.X_WB, centreInUnit(scene, movesWith, geoms));
  };
  return {
    status,
    reason: '',
    shifts: Float64Array.from(scene.bodies.flatMap(({ movesWith }) => shifts[movesWith] ?? [0, 0, 0])),
    turns: Float64Array.from(scene.bodies.flatMap(() => [1, 0, 0, 0])),
    joints: new Float64Array(0),
    centres: Float64Array.from(scene.bodies.flatMap(centreOf)),
    stats: STATS,
  };
}

async function shrink(
  scene: Scene,
  solutions: PackedSolution[],
  evaluations: PackedEvaluation[] = [],
  options: Partial<ShrinkOptions> = {},
) {
  const backend = new FakeBackend(evaluations, solutions);
  const solver = await Solver.create({ backend });
  return { backend, layout: await solver.shrink(scene, { scale: 0.5, ...options }) };
}

/** A cube off its body's origin, with a small one beside it that moves along, and a fixed one. */
const geom = (half: number, position: Vec3) => ({ shape: box(half), X_BG: { position, quaternion: [1, 0, 0, 0] } as Pose });
const scene = buildScene([
  { name: 'wall', fixed: true, at: [5, 0, 0], geoms: [box(1)] },
  { name: 'base', at: [0, 0, 1], geoms: [geom(0.2, [0.2, 0, 0])] },
  { name: 'tool', at: [1, 0, 1], quaternion: quatFromRotationVector([0, 0, 1]), movesWith: 1, geoms: [box(0.1)] },
]);

describe('the shrunken scene', () => {
  test('has its free units scaled about their centres, and the rest as it was', async () => {
    const { backend, layout } = await shrink(scene, [moved(scene, { 1: [0, 0, 1] })], [], { frozen: [] });
    expect(backend.solved[0]).toMatchObject({ profile: 'reference', reference: { stopScale: 0.5 } });
    assertScene(layout.scene);
    expect(layout.scene.geoms[0]).toBe(scene.geoms[0]);
    expect(layout.scene.geoms.slice(1).map(({ shape }) => shape)).toEqual([box(0.1), box(0.05)]);
    expect(layout.scene.geoms[1]?.X_BG.position).toEqual([0.1, 0, 0]);
    expect(layout.poses[0]).toBe(scene.bodies[0]?.X_WB);
    // The box of the unit reaches from x = 0 to 1 + 0.1 (sin 1 + cos 1).
    const middle = (1 + 0.1 * (Math.sin(1) + Math.cos(1))) / 2;
    expect(layout.poses[1]?.position).toEqual([expect.closeTo(middle / 2, 12), expect.closeTo(0, 12), expect.closeTo(2, 12)]);
    expect(layout.poses[2]?.position[0]).toBeCloseTo(middle + (1 - middle) / 2, 12);
    expect(layout.poses[2]?.quaternion).toBe(scene.bodies[2]?.X_WB.quaternion);
    expect(layout.scale).toBe(0.5);
  });

  test('frozen bodies keep their size', async () => {
    const { layout } = await shrink(twoSpheres(), [moved(twoSpheres(), {})], [], { frozen: ['left'] });
    expect(layout.scene.geoms.map(({ shape }) => shape)).toEqual([sphere(1), sphere(0.5)]);
  });

  test('every shape scales, and shared ones stay shared', () => {
    const scaler = new ShapeScaler(0.5);
    for (const shape of assortedShapes()) {
      assertScene(buildScene([{ geoms: [scaler.scaled(shape)] }]));
      expect(scaler.scaled(shape)).toBe(scaler.scaled(shape));
    }
    const mesh = icosphereMesh(1, 1);
    const [a, b] = [scaler.scaled({ type: 'mesh', mesh }), scaler.scaled({ type: 'mesh', mesh })];
    if (a.type !== 'mesh' || b.type !== 'mesh') throw new Error('a mesh becomes a mesh');
    expect(a.mesh).toBe(b.mesh);
    expect(a.mesh.vertices[0]).toBe((mesh.vertices[0] as number) / 2);
    expect(scaler.scaled({ type: 'halfspace' })).toEqual({ type: 'halfspace' });
  });

  test('is judged on its own', async () => {
    const { backend, layout } = await shrink(scene, [moved(scene, {})], [overlaps(0)]);
    expect((await layout.check()).repairable).toBe(0);
    expect([...(backend.checked[0]?.poses ?? [])]).toEqual(
      layout.poses.flatMap(({ position, quaternion }) => [...position, ...quaternion]),
    );
  });
});

describe('rearranging', () => {
  test('moves and places whole units; what is placed where it was stays', async () => {
    const { layout } = await shrink(scene, [moved(scene, {})]);
    const [, base, tool] = layout.poses as [Pose, Pose, Pose];
    layout.move('tool', [0, 0, 3]);
    expect(layout.poses[1]?.position[2]).toBeCloseTo(base.position[2] + 3, 12);
    expect(layout.poses[2]?.position[2]).toBeCloseTo(tool.position[2] + 3, 12);
    layout.place('base', base);
    for (const [k, pose] of [base, tool].entries()) {
      layout.poses[k + 1]?.position.forEach((value, i) => {
        expect(value).toBeCloseTo(pose.position[i] as number, 12);
      });
    }
    const turned: Pose = { position: [1, 2, 3], quaternion: quatFromRotationVector([0, 0, Math.PI / 2]) };
    layout.place('base', turned);
    expect(layout.poses[1]?.position).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 12)));
    // The tool is half as far from the base as at full size, now along y.
    expect(layout.poses[2]?.position).toEqual([1, 2.5, 3].map((value) => expect.closeTo(value, 12)));
  });

  test('of what is not there, or cannot move, is refused', async () => {
    const { layout } = await shrink(scene, [moved(scene, {})]);
    expect(() => layout.move('tol', [0, 0, 1])).toThrow("no body that may move is called 'tol'; did you mean 'tool'?");
    expect(() => layout.move('wall', [0, 0, 1])).toThrow("no body that may move is called 'wall'; those are 'base', 'tool'");
    const off: Pose = { position: [0, Number.NaN, 0], quaternion: [1, 0, 0, 0] };
    expect(() => layout.place('base', off)).toThrow("pose of 'base'.position[1]: expected a finite number, got NaN");
  });
});

describe('growing', () => {
  test('starts at the scale from where the bodies are, and speaks of the scene that came', async () => {
    const given = twoSpheres();
    const { backend, layout } = await shrink(
      given,
      [moved(given, {}), moved(given, { 1: [0.2, 0, 0] })],
      [overlaps(1), overlaps(0), overlaps(1)],
    );
    layout.move('right', [1.4, 0, 0]);
    const result = await layout.grow({ margin: 1e-3 });
    expect(backend.solved[1]).toMatchObject({ profile: 'reference', margin: 1e-3, reference: { startScale: 0.5 } });
    expect(unpackPoses(backend.checked[0]?.poses as Float64Array)[1]?.position).toEqual([1.9, 0, 0]);
    expect(result).toMatchObject({ status: 'solved', before: { repairable: 1 }, after: { repairable: 0 } });
    expect(result.moves).toMatchObject([{ name: 'right', distance: expect.closeTo(1.6, 12), wasOverlapping: true }]);
    expect(result.rmsMove).toBeCloseTo(1.6 / Math.SQRT2, 12);
    expect(result.poses[0]).toBe(given.bodies[0]?.X_WB);
  });

  test('a layout that has room at full size needs no solver', async () => {
    const given = twoSpheres();
    const { backend, layout } = await shrink(given, [moved(given, {})], [overlaps(0), overlaps(1)]);
    layout.move('left', [-5, 0, 0]);
    expect(await layout.grow()).toMatchObject({ status: 'solved', moves: [{ name: 'left', distance: 5 }], before: { repairable: 1 } });
    expect(backend.solved).toHaveLength(1);
  });

  test('without success the scene comes back as it was', async () => {
    const given = twoSpheres();
    const solutions = [moved(given, {}), moved(given, { 1: [0.1, 0, 0] }, 'stagnation')];
    const { layout } = await shrink(given, solutions, [overlaps(3), overlaps(2), overlaps(2)], { reference: { marginSchedule: [1] } });
    layout.move('right', [0.3, 0, 0]);
    const result = await layout.grow();
    // Fewer overlaps than in the layout, but as many as in the scene.
    expect(result).toMatchObject({ status: 'stalled', moves: [], rmsMove: 0, before: { repairable: 2 } });
    expect(result.after).toBe(result.before);
    expect(result.poses.map((pose, id) => pose === given.bodies[id]?.X_WB)).toEqual([true, true]);
  });
});

describe('options', () => {
  test.each<[object, string]>([
    [{ scale: 1 }, 'option scale: expected a number in (0, 1), got 1'],
    [{ scale: '0.5' }, "option scale: expected a number in (0, 1), got '0.5'"],
    [{ profile: 'quick' }, 'option profile: scales belong to the profile reference; leave it out'],
    [{ upright: true }, 'option upright: goes with a solve at full scale only; leave it out'],
    [{ container: 'bin' }, 'option container: goes with a solve at full scale only; leave it out'],
    [{ magin: 1 }, "option magin: unknown; did you mean 'margin'?"],
  ])('%j is refused', async (options, message) => {
    await expect(shrink(buildScene([ground(), { geoms: [box(1)] }]), [], [], options)).rejects.toThrow(message);
  });

  test('an aborted shrinking throws the reason', async () => {
    const given = twoSpheres();
    await expect(shrink(given, [moved(given, {}, 'cancelled')], [], { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });
});
